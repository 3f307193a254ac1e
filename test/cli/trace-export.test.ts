import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { exporters, writeItf } from '../../index.ts'
import { fencepost, temporaryFolder } from './harness.ts'

let folder: string

beforeEach(async () => {
  folder = temporaryFolder()
  await fencepost(['check', 'quiet', '--without', 'epoch check', '--trace', 'zombie.itf.json'], { folder })
})

const exported = (...words: string[]) =>
  fencepost(['trace', 'export', 'zombie.itf.json', ...words], { folder })

describe('fencepost trace export', () => {
  it('prints the trace in the format, and nothing else', async () => {
    const { code, stdout, stderr } = await exported('--to', 'mermaid')
    expect(stdout).toMatchInlineSnapshot(`
      "sequenceDiagram
        participant p0 as writer-0
        participant p1 as writer-1
        participant p2 as log
        Note over p0: 1. started
        Note over p1: 2. started
        p1--)p2: 3. Write epoch=2 (under way)
        p2->>p1: 3. Ack
        p0--)p2: 4. Write epoch=1 (under way)
        p2->>p0: 4. Ack
        Note over p0,p2: violated: epochs never fall: not "in order"
      "
    `)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it.each(Object.keys(exporters))('writes %s twice with the same bytes', async (format) => {
    const first = await exported('--to', format)
    expect(first.stdout.endsWith('\n')).toBe(true)
    expect(await exported('--to', format)).toEqual(first)
    expect(first.stdout).not.toContain(folder)
  })

  it('writes a file, and names what it holds after it', async () => {
    const { code, stdout, stderr } = await exported('--to', 'tla', '--out', 'Zombie.tla')
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: 'Zombie.tla: tla, 4 steps\n' })
    expect(readFileSync(join(folder, 'Zombie.tla'), 'utf8')).toContain('---- MODULE Zombie ----')
  })

  it('does not write over the trace that it reads', async () => {
    const { code, stderr } = await exported('--to', 'svg', '--out', 'zombie.itf.json')
    expect(code).toBe(2)
    expect(stderr).toContain('zombie.itf.json: it is a file that is read')
    expect(readFileSync(join(folder, 'zombie.itf.json'), 'utf8')).toContain('fencepost-trace/1')
  })

  it('warns of a diagram that is too long for Mermaid, and writes it', async () => {
    const text = 'x'.repeat(60_000)
    const events = [{ kind: 'note', lane: 'a', text } as const]
    const long = { model: 'm', config: {}, defencesOff: [], states: [{}, {}] }
    const steps = [{ action: 'A', args: {}, choices: [], events }]
    writeFileSync(join(folder, 'long.itf.json'), writeItf({ ...long, steps }, { version: '1' }))
    const { code, stdout, stderr } = await fencepost(
      ['trace', 'export', 'long.itf.json', '--to', 'mermaid'],
      { folder },
    )
    expect(code).toBe(0)
    expect(stdout).toContain(text)
    expect(stderr).toMatch(/^warning: 60,0\d\d characters, more than the 50,000 that Mermaid draws/)
  })

  it('lets the steps stand out that the violation depends on, unless it is asked not to', async () => {
    const numbers = ({ stdout }: { stdout: string }) =>
      [...stdout.matchAll(/^\| (\S+) \|/gm)].map(([, cell]) => cell)
    expect(numbers(await exported('--to', 'markdown')).slice(1)).toEqual(['**1**', '**2**', '**3**', '**4**'])
    expect(numbers(await exported('--to', 'markdown', '--no-slice')).slice(1)).toEqual(['1', '2', '3', '4'])
  })

  it.each<[string, string[], string]>([
    ['no format', [], "required option '--to <format>' not specified"],
    ['an unknown format', ['--to', 'pdf'], 'Allowed choices are mermaid, svg, markdown, dot'],
    ['a folder that is not there', ['--to', 'csv', '--out', 'no/where.csv'], 'cannot write'],
    ['logs after a step that is not there', ['--to', 'svg', '--logs', '1,9'], "--logs: '9' is not valid"],
    ['logs where there are none', ['--to', 'csv', '--logs', '1'], "--logs: 'csv' is not valid"],
    ['a model that is not there', ['--to', 'csv', '--model', './none.ts'], 'none.ts'],
  ])('refuses %s', async (_, words, message) => {
    const { code, stdout, stderr } = await exported(...words)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(existsSync(join(folder, 'no'))).toBe(false)
  })
})
