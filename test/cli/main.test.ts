/** The program as a process: signals, pipes and full disks. */
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from './harness.ts'
import { start } from './process.ts'

/** A search that takes hours. */
const endless = `
  import { action, always, defineModel } from 'fencepost'
  import * as v from 'valibot'
  export default defineModel({
    name: 'endless',
    config: v.object({}),
    build: () => ({
      initial: { wheel: [0, 0, 0, 0, 0, 0] },
      components: ['wheel[]'],
      actions: [action('Turn', { at: [0, 1, 2, 3, 4, 5] }, (state, { at }) => {
        state.wheel[at] = (state.wheel[at] + 1) % 1000
      })],
      properties: [always('turning', () => true)],
    }),
  })`

function endlessFolder(): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'endless.js'), endless)
  return folder
}

describe('the program', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'stops cleanly on %s: what was explored is reported, and it is no proof',
    async (signal) => {
      const words = ['check', './endless.js', '--max-memory', '4G', '--json', '-']
      const { process: child, finished } = start(words, endlessFolder())
      child.stderr?.once('data', () => child.kill(signal))
      const { code, stdout, stderr } = await finished
      expect(stderr).toMatch(/^depth \d+, [\d,]+ states/)
      expect(JSON.parse(stdout)).toMatchObject({ verdict: 'bounded', limit: { kind: 'interrupted' } })
      expect(code).toBe(3)
    },
  )

  it.each([
    ['--timeout', '200ms', 'stopped at the limit of 0.2 s'],
    ['--max-memory', '150M', 'stopped at the limit of 150 MiB of memory'],
    ['--max-states', '10000', 'stopped at the limit of 10,000 states'],
  ])('stops at a limit: %s %s', async (option, value, sentence) => {
    const { code, stdout } = await start(['check', './endless.js', option, value], endlessFolder()).finished
    expect(stdout).toContain(sentence)
    expect(code).toBe(3)
  })

  it.runIf(existsSync('/dev/full'))('says so when its results cannot be written, and fails', async () => {
    const full = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(full))
    const { code, stderr } = await start(['list', '--json', '-'], temporaryFolder(), full).finished
    expect(stderr).toBe('error: cannot write the results to standard output: no space left on the device\n')
    expect(code).toBe(2)
  })

  it('is quiet when the reader of its results goes away', async () => {
    const { process: child, finished } = start(['list'], temporaryFolder())
    child.stdout?.destroy()
    const { code, stderr } = await finished
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('prints help and its version', async () => {
    const help = await start(['--help'], temporaryFolder()).finished
    expect(help.stdout).toContain('Usage: fencepost [options] [command]')
    expect(help.code).toBe(0)
    const version = await start(['--version'], temporaryFolder()).finished
    expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' })
    const nothing = await start([], temporaryFolder()).finished
    expect(nothing).toMatchObject({ code: 2, stdout: '', stderr: help.stdout })
  })
})
