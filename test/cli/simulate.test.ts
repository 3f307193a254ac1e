import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readItf } from '../../index.ts'
import { fencepost, temporaryFolder, timeless } from './harness.ts'
import { problems } from './schemas.ts'

const broken = ['simulate', 'quiet', '--without', 'epoch check']

describe('fencepost simulate', () => {
  it('reports what was sampled, and calls it no proof', async () => {
    const { code, stdout, stderr } = await fencepost(['simulate', '--walks', '1_000', '--depth', '4'])
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "read-process-write, preset kafka-4.4: sampled
        1,000 random walks, 3,000 steps, seed 1: a sample, no proof
        1,000 walks ended at depth 4, where --depth ends them

        property           verdict    depth
        epochs never fall  sampled
        epochs are unique  sampled
        written once       sampled
        somebody is done   witnessed      3

        bounds        preset=kafka-4.4 writers=2 repeats=1 idle=false broken=false
        states        19 distinct, 3,001 generated, depth 4
        recipes       35 runs for 3,000 transitions, 85 transitions a run
        took          (some time)
        not fired yet Expire

      repeat: npx fencepost simulate read-process-write --preset kafka-4.4 --walks 1000 --depth 4
      "
    `)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).not.toContain('proved')
  })

  it('tells how a property breaks, and what is needed to repeat it', async () => {
    const { code, stdout } = await fencepost([...broken, '--seed', '3', '--bias', 'Expire=0.5'])
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "quiet, preset kafka-4.4, without "epoch check": violated
        violated in 4 steps: epochs never fall
        4 random walks, 16 steps, seed 3: a sample, no proof

        property           verdict    depth
        epochs never fall  violated       5
        epochs are unique  sampled
        written once       sampled
        somebody is done   witnessed      3

      1  writer-1  started  [Start writer=1]
             log.epoch: 0 -> 1
             writer[1].epoch: -1 -> 1
             writer[1].status: new -> active
      2  writer-0  started  [Start writer=0]
             log.epoch: 1 -> 2
             writer[0].epoch: -1 -> 2
             writer[0].status: new -> active
      3  writer-0 -> log  Write epoch=2  [Write writer=0; reply=received]
         log -> writer-0  Ack (arrives)
             log.records: + {epoch: 2, writer: 0}
             writer[0].status: active -> done
      4  writer-1 -> log  Write epoch=1  [Write writer=1; reply=received]
         log -> writer-1  Ack (arrives)
             log.records: + {epoch: 1, writer: 1}
             writer[1].status: active -> done

      violated: epochs never fall: not "in order"
          epochs = [2, 1]
      defence switched off: epoch check

        bounds        preset=kafka-4.4 writers=2 idle=false broken=false (0: repeats)
        states        12 distinct, 17 generated, depth 5
        recipes       37 runs for 16 transitions, 0.4 transitions a run
        took          (some time)
        not fired yet Expire

      repeat: npx fencepost simulate quiet --preset kafka-4.4 --without 'epoch check' --seed 3 --bias Expire=0.5
      "
    `)
    expect(code).toBe(1)
    expect(
      (await fencepost([...broken, '--seed', '3', '--bias', 'Expire=0.5'])).stdout.split('took')[0],
    ).toBe(stdout.split('took')[0])
  })

  it('names what was not seen or put to the test', async () => {
    const { code, stdout } = await fencepost(['simulate', '--set', 'idle=true', '--depth', '1'])
    expect(stdout).toContain('not seen in these walks: somebody is done\n')
    expect(stdout).toContain('never put to the test in these walks: nothing happens after expiry\n')
    expect(code).toBe(0)
  })

  it('says that it was stopped by its user', async () => {
    const onInterrupt = (stop: () => void) => {
      stop()
      return () => undefined
    }
    const { code, stdout } = await fencepost(['simulate'], { onInterrupt })
    expect(stdout).toMatch(
      /: sampled\n {2}stopped by you\n {2}0 random walks, 0 steps, seed 1: a sample, no proof/,
    )
    expect(code).toBe(3)
  })

  it.each([
    ['a sample', ['simulate', '--walks', '3', '--bias', 'Write=0.5'], 0, { verdict: 'sampled' }],
    ['a violation', broken, 1, { verdict: 'violated' }],
  ] as const)('writes %s as the schema of results says', async (_, words, code, expected) => {
    const finished = await fencepost([...words, '--json', '-'])
    const document = JSON.parse(finished.stdout)
    expect(problems('result', document)).toEqual([])
    expect(document).toMatchObject({ format: 'fencepost-result/1', sample: { seed: 1 }, ...expected })
    expect(finished.code).toBe(code)
    expect(finished.stderr).toMatch(/^repeat: npx fencepost simulate .* --json -\n$/)
  })

  it('writes the counterexample to a file that can be shown', async () => {
    const folder = temporaryFolder()
    const { stdout } = await fencepost([...broken, '--trace', 'found.itf.json'], { folder })
    expect(stdout).toContain('trace         found.itf.json')
    const trace = readItf(readFileSync(join(folder, 'found.itf.json'), 'utf8'))
    expect(trace.property?.name).toBe('epochs never fall')
    const shown = await fencepost(['trace', 'show', 'found.itf.json'], { folder })
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('violated: epochs never fall') })
  })

  it.each<[string, string[], number, string]>([
    ['a mistyped action', ['--bias', 'Wirte=1'], 2, "bias: there is no action 'Wirte'"],
    ['a weight that is none', ['--bias', 'Write=often'], 2, "--bias: 'Write=often' is not valid here"],
    ['a weight of nothing', ['--bias', '=1'], 2, "--bias: '=1' is not valid here"],
    ['no walks', ['--walks', '0'], 2, "--walks: '0' is not valid here"],
    ['a seed that is none', ['--seed', 'x'], 2, "--seed: 'x' is not valid here"],
    ['a mistyped defence', ['--without', 'epoch chek'], 2, "did you mean 'epoch check'?"],
    [
      'a defence that the preset lacks',
      ['--preset', 'kafka-3.9', '--without', 'duplicate check'],
      2,
      'has no defence',
    ],
    ['a model that throws', ['--set', 'broken=true'], 4, 'the recipe is broken'],
  ])('refuses %s', async (_, words, code, message) => {
    const finished = await fencepost(['simulate', ...words])
    expect(finished.stderr).toContain(message)
    expect(finished).toMatchObject({ code, stdout: '' })
  })
})
