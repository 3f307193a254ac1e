/** The commands that take the steps of a trace again: replay, minimise, explain. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { fencepost, temporaryFolder } from './harness.ts'
import { problems } from './schemas.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

const run = (...words: string[]) => fencepost(words, { folder })
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

/** A lock of a user's own; `guard` is what Release asks for, `by` how it is counted. */
const lockFile = ({ name = 'lock', guard = 'true', by = 1, max = 2 } = {}) => `
  import { action, always, defineModel, reachable } from 'fencepost'
  import * as v from 'valibot'
  export default defineModel({
    name: '${name}',
    config: v.object({}),
    build: () => ({
      initial: { holders: [], count: 0 },
      components: ['holders', 'count'],
      actions: [
        action('Acquire', { worker: [0, 1] }, (state, { worker }, step) => {
          step.when('it is new', !state.holders.includes(worker))
          state.holders.push(worker)
          state.count += ${by}
        }),
        action('Release', { worker: [0, 1] }, (state, { worker }, step) => {
          step.when('it may release', ${guard})
          state.holders = state.holders.filter((one) => one !== worker)
        }),
      ],
      properties: [
        always('one holds the lock', ({ holders }) => holders.length < ${max}),
        reachable('it is held', ({ holders }) => holders.length > 0),
      ],
    }),
  })
`

/** Writes the model and a walk through it that violates something. */
async function walkOfLock(): Promise<void> {
  writeFileSync(join(folder, 'lock.ts'), lockFile())
  const { code } = await run('simulate', './lock.ts', '--seed', '16', '--trace', 'walk.itf.json')
  expect(code).toBe(1)
}

const zombie = () => run('check', 'quiet', '--without', 'epoch check', '--trace', 'zombie.itf.json')

describe('fencepost trace replay', () => {
  it('says that a trace still is what the model does', async () => {
    await zombie()
    const { code, stdout, stderr } = await run('trace', 'replay', 'zombie.itf.json')
    expect(stdout).toMatchInlineSnapshot(`
      "writers, 4 steps, preset kafka-4.4
      configuration: broken=false idle=false preset=kafka-4.4 writers=2 (0: repeats)

      every step can be taken, and leads to the state that the trace has

      violated: epochs never fall: not "in order"
          epochs = [2, 1]
      defence switched off: epoch check

      repeat: npx fencepost trace replay zombie.itf.json
      "
    `)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('names the step that cannot be taken any more, and the guard that blocks it', async () => {
    await walkOfLock()
    expect((await run('trace', 'replay', 'walk.itf.json', '--model', './lock.ts')).code).toBe(0)
    writeFileSync(join(folder, 'lock.ts'), lockFile({ guard: 'false' }))
    const { code, stdout, stderr } = await run('trace', 'replay', 'walk.itf.json', '--model', './lock.ts')
    expect({ code, stdout, stderr }).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "error: step 1 of 3, Release(worker: 1): the guard 'it may release' blocks it
      ",
        "stdout": "",
      }
    `)
  })

  it('tells what differs, and exits with 1', async () => {
    await walkOfLock()
    writeFileSync(join(folder, 'lock.ts'), lockFile({ by: 2, max: 3 }))
    const { code, stdout } = await run('trace', 'replay', 'walk.itf.json', '--model', './lock.ts')
    expect(code).toBe(1)
    expect(stdout.split('\n\n')[1]).toMatchInlineSnapshot(`
      "every step can be taken, but state 2 is another one now (trace -> now):
          count: 1 -> 2
      but "one holds the lock" is not violated any more"
    `)
  })
})

describe('fencepost trace minimise', () => {
  it('prints the smallest story of a walk, and writes it', async () => {
    await walkOfLock()
    const words = ['trace', 'minimise', 'walk.itf.json', '--model', './lock.ts', '--trace', 'small.itf.json']
    const { code, stdout, stderr } = await run(...words)
    expect(stdout).toMatchInlineSnapshot(`
      "lock, 2 steps
      configuration: {}

      1  [Acquire worker=1]
             count: 0 -> 1
             holders: + 1
      2  [Acquire worker=0]
             count: 1 -> 2
             holders: + 0

      violated: one holds the lock

        steps         2 of 3: 2-3
        faults        0 of 0
        nothing more  can be left out: no step, no fault, no participant
        trace         small.itf.json

      repeat: npx fencepost trace minimise walk.itf.json --model ./lock.ts --trace small.itf.json
      "
    `)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect((await run('trace', 'replay', 'small.itf.json', '--model', './lock.ts')).code).toBe(0)
  })

  it('writes the same bytes for a trace that is as small as it can be', async () => {
    await zombie()
    const { stdout } = await run(
      'trace',
      'minimise',
      'zombie.itf.json',
      '--brief',
      '--trace',
      'again.itf.json',
    )
    expect(read('again.itf.json')).toBe(read('zombie.itf.json'))
    expect(stdout).toContain('  steps         4 of 4\n')
    expect(stdout).not.toContain('log.epoch: 0 -> 1')
    expect(stdout).toContain(
      'repeat: npx fencepost trace minimise zombie.itf.json --trace again.itf.json --brief',
    )
  })

  it('refuses to write where nothing can be written, before it begins', async () => {
    await zombie()
    const { code, stdout, stderr } = await run(
      'trace',
      'minimise',
      'zombie.itf.json',
      '--trace',
      'no/where.json',
    )
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('--trace: cannot write')
  })
})

describe('fencepost trace explain', () => {
  it('says in one sentence, and in detail, why it is violated', async () => {
    await zombie()
    const { code, stdout, stderr } = await run('trace', 'explain', 'zombie.itf.json')
    expect(stdout).toMatchInlineSnapshot(`
      "writers, 4 steps, preset kafka-4.4
      configuration: preset=kafka-4.4 writers=2 idle=false broken=false (0: repeats)

      "epochs never fall" is violated (not "in order"): it was bound to happen after step 3 [Write writer=1; reply=received]; with "epoch check" in place step 4 [Write writer=0; reply=received] is blocked by the guard "the epoch is current".

      depends on 4 of 4 steps

      1  writer-0  started  [Start writer=0]
      2  writer-1  started  [Start writer=1]
      3  writer-1 -> log  Write epoch=2  [Write writer=1; reply=received]
         log -> writer-1  Ack (arrives)
      4  writer-0 -> log  Write epoch=1  [Write writer=0; reply=received]
         log -> writer-0  Ack (arrives)

      violated: epochs never fall: not "in order"
          epochs = [2, 1]
      defence switched off: epoch check

      bound to happen after step 3 (5 states explored, without further faults)
          before: a way past it was open, beginning with [Write writer=0; reply=received]

      prevented by "epoch check": step 4 [Write writer=0; reply=received] is blocked by the guard "the epoch is current"

      repeat: npx fencepost trace explain zombie.itf.json
      "
    `)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('says so where nothing that was tried would have prevented it', async () => {
    await run('check', '--preset', 'kafka-3.9', '--property', 'written once', '--trace', 'twice.itf.json')
    const { code, stdout } = await run('trace', 'explain', 'twice.itf.json')
    expect(code).toBe(0)
    expect(stdout).toContain('prevented by nothing that was tried')
  })

  it('writes JSON after its schema', async () => {
    await zombie()
    const { code, stdout, stderr } = await run('trace', 'explain', 'zombie.itf.json', '--json', '-')
    const document = JSON.parse(stdout)
    expect(problems('explanation', document)).toEqual([])
    expect(document).toMatchObject({
      format: 'fencepost-explanation/1',
      model: 'writers',
      preset: 'kafka-4.4',
      defencesOff: ['epoch check'],
      property: { name: 'epochs never fall', kind: 'always' },
      incidental: [],
      prevention: { defences: [{ names: ['epoch check'] }], alternatives: [] },
    })
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'repeat: npx fencepost trace explain zombie.itf.json --json -\n',
    })
    await run('trace', 'explain', 'zombie.itf.json', '--json', 'why.json')
    expect(read('why.json')).toBe(stdout)
  })

  it('exits with 3 where it is not known from when on', async () => {
    await zombie()
    const { code, stdout } = await run('trace', 'explain', 'zombie.itf.json', '--max-states', '1')
    expect(code).toBe(3)
    expect(stdout).toContain(' at the latest')
  })

  it('refuses a witness', async () => {
    await run('check', '--property', 'somebody is done', '--trace', 'done.itf.json')
    const { code, stderr } = await run('trace', 'explain', 'done.itf.json')
    expect(code).toBe(2)
    expect(stderr).toContain('which nothing need have prevented')
  })
})

describe('the model of a trace', () => {
  it('has to be named if it is one of your own', async () => {
    await walkOfLock()
    const { code, stderr } = await run('trace', 'explain', 'walk.itf.json')
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "error: walk.itf.json: the trace is of a model called 'lock'
        to fix: name the file of this model: --model ./model.ts
      ",
      }
    `)
  })

  it('has to be the one that the trace is of', async () => {
    await walkOfLock()
    writeFileSync(join(folder, 'other.ts'), lockFile({ name: 'other' }))
    const { code, stderr } = await run('trace', 'minimise', 'walk.itf.json', '--model', './other.ts')
    expect(code).toBe(2)
    expect(stderr).toContain("name its file; the model in ./other.ts is called 'other'")
  })
})
