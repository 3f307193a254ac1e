/** Files from elsewhere: one clear error, or what they say, and never anything that acts on the terminal. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { exporters, type Trace, writeItf } from '../../index.ts'
import { fencepost, temporaryFolder } from './harness.ts'

const evil = '\u001b[31m\u0007<b>\u202e\r\u0000|"'
const hostile: Trace = {
  model: evil,
  config: { [evil]: evil, preset: evil },
  defencesOff: [evil],
  states: [{ [evil]: evil }, { [evil]: [evil] }],
  steps: [
    {
      action: evil,
      args: { [evil]: evil },
      choices: [{ name: evil, value: { [evil]: null } }],
      events: [
        { kind: 'sent', lane: evil, peer: 'b', message: evil, fields: { [evil]: evil }, text: evil },
        { kind: 'note', lane: evil, text: evil },
      ],
    },
  ],
  property: { name: evil, kind: 'always', failed: { part: evil, values: { [evil]: evil } } },
}

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
  writeFileSync(join(folder, 'hostile.itf.json'), writeItf(hostile, { version: '1' }))
})

/** Everything but line feeds (and the carriage returns of CSV). */
const acting = /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]|\p{Cs}/u

describe('a hostile trace', () => {
  it.each([
    ['show', []],
    ['show', ['--state', '1']],
    ['show', ['--all']],
    ['diff', ['hostile.itf.json']],
    ['replay', []],
    ['explain', []],
    ...Object.keys(exporters).map((format): [string, string[]] => ['export', ['--to', format]]),
  ] satisfies [string, string[]][])('does nothing to the terminal in trace %s %s', async (command, words) => {
    const { code, stdout, stderr } = await fencepost(['trace', command, 'hostile.itf.json', ...words], {
      folder,
    })
    expect(`${stdout}${stderr}`.replaceAll('\r\n', '\n')).not.toMatch(acting)
    expect(`${stdout}${stderr}`.length).toBeGreaterThan(20)
    expect([0, 2]).toContain(code)
  })
})

describe.each(['show', 'replay', 'explain', 'minimise', 'export'])('trace %s', (command) => {
  const words = command === 'export' ? ['--to', 'csv'] : []

  it.each<[string, string, RegExp]>([
    ['control characters', evil, /^error: odd: it is not JSON: /],
    ['an archive', 'PK\u0003\u0004', /^error: odd: it is not JSON: /],
    [
      'a result of check',
      '{"format":"fencepost-result/1"}',
      /^error: odd: the file is a "fencepost-result\/1", not a trace/,
    ],
    ['a cut file', '{"#meta":{},"vars":["', /^error: odd: the file ends in the middle of a value/],
    [
      'a field of the prototype',
      '{"vars":[],"states":[{"__proto__":1}]}',
      /^error: odd: a field is named __proto__/,
    ],
  ])('refuses %s in one error', async (_, text, message) => {
    writeFileSync(join(folder, 'odd'), text)
    const { code, stdout, stderr } = await fencepost(['trace', command, 'odd', ...words], { folder })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(acting)
  })
})

describe('a trace of another tool', () => {
  beforeEach(() => {
    const states = [0, 1].map((value) => ({ x: { '#bigint': String(value) }, 'mbt::actionTaken': 'step' }))
    writeFileSync(join(folder, 'quint.itf.json'), JSON.stringify({ vars: ['x', 'mbt::actionTaken'], states }))
  })

  it('can be shown, compared and exported', async () => {
    const { code, stdout } = await fencepost(['trace', 'show', 'quint.itf.json'], { folder })
    expect(code).toBe(0)
    expect(stdout.split('\n').slice(0, 5)).toEqual([
      'quint.itf.json, 1 step',
      'configuration: {}',
      '',
      '1  [step]',
      '       x: 0 -> 1',
    ])
    const same = await fencepost(['trace', 'diff', 'quint.itf.json', 'quint.itf.json'], { folder })
    expect(same.code).toBe(0)
    const svg = await fencepost(['trace', 'export', 'quint.itf.json', '--to', 'svg'], { folder })
    expect(svg.stdout).toContain('[step]')
  })

  it.each(['replay', 'explain', 'minimise'])('has no model for trace %s, which says so', async (command) => {
    const { code, stderr } = await fencepost(['trace', command, 'quint.itf.json'], { folder })
    expect(code).toBe(2)
    expect(stderr).toContain('the file is an ITF trace of another tool')
  })
})
