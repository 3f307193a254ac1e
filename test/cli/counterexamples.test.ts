import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readItf } from '../../index.ts'
import { fencepost, temporaryFolder } from './harness.ts'
import { problems } from './schemas.ts'

const model = `import { action, always, defineModel } from 'fencepost'
import * as v from 'valibot'
export const door = defineModel({
  name: 'door',
  config: v.object({}),
  build: () => ({
    initial: { locked: true, watched: true, open: false },
    components: ['locked', 'watched', 'open'],
    actions: [
      action('Pick', {}, (state, _, step) => {
        step.when('it is locked', state.locked)
        step.fault('picked locks')
        step.emit({ kind: 'note', lane: 'thief', text: 'picks the lock' })
        state.locked = false
      }),
      action('Sleep', {}, (state, _, step) => {
        step.when('it is watched', state.watched)
        step.fault('sleeping guards')
        state.watched = false
      }),
      action('Open', {}, (state, _, step) => {
        step.when('nobody sees it', !state.watched && !state.locked)
        state.open = true
      }),
      action('Break', {}, (state, _, step) => {
        step.when('it is shut', !state.open)
        step.fault('axes')
        step.when('it is not locked', !state.locked)
        state.open = true
      }),
    ],
    properties: [always('it stays shut', ({ open }) => !open)],
  }),
})
`

/** Checks the door in a new folder, and tells what is in the folder then. */
async function checked(...words: string[]) {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'door.ts'), model)
  const finished = await fencepost(['check', './door.ts', ...words], { folder })
  return {
    ...finished,
    folder,
    files: readdirSync(folder)
      .filter((name) => name !== 'door.ts')
      .sort(),
  }
}

describe('fencepost check --counterexamples', () => {
  it('tells each way to break a property, and whether there are others', async () => {
    const { code, stdout } = await checked('--counterexamples', '5')
    const story = stdout.slice(stdout.indexOf('1  '), stdout.indexOf('\n  states')).trimEnd()
    expect(story).toMatchInlineSnapshot(`
      "1  thief  picks the lock  [Pick]
             locked: true -> false
      2  [Break]
             open: false -> true

      violated: it stays shut

      way 2 to break it, with picked locks + sleeping guards:
      1  thief  picks the lock  [Pick]
             locked: true -> false
      2  [Sleep]
             watched: true -> false
      3  [Open]
             open: false -> true

      violated: it stays shut

      ways to break: it stays shut
          way 1, 2 steps, needs axes + picked locks
          way 2, 3 steps, needs picked locks + sleeping guards
          whatever breaks it within these bounds has all the faults of one of these ways"
    `)
    expect(stdout).toMatch(/repeat: npx fencepost check \.\/door\.ts --counterexamples 5\n$/)
    expect(code).toBe(1)
  })

  it('does not claim to know all when it was told to look for one', async () => {
    const { stdout } = await checked('--counterexamples', '1')
    expect(stdout).toContain('    there may be other ways: the search for others ended after 1\n')
  })

  it('writes a trace for each, and says in the JSON where', async () => {
    const words = ['--counterexamples', '5', '--trace', 'found.itf.json', '--json', 'result.json']
    const { folder, files, stdout } = await checked(...words)
    expect(files).toEqual(['found-it-stays-shut-way-2.itf.json', 'found.itf.json', 'result.json'])
    const document = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'))
    expect(problems('result', document)).toEqual([])
    expect(document.properties[0]).toMatchObject({
      trace: 'found.itf.json',
      ways: {
        found: [
          { faults: ['axes', 'picked locks'], isMinimal: true, depth: 3, trace: 'found.itf.json' },
          {
            faults: ['picked locks', 'sleeping guards'],
            isMinimal: true,
            depth: 4,
            trace: 'found-it-stays-shut-way-2.itf.json',
          },
        ],
        complete: true,
      },
    })
    expect(stdout).toContain('trace         found-it-stays-shut-way-2.itf.json  (it stays shut, way 2)')
    const second = readItf(readFileSync(join(folder, files[0]!), 'utf8'))
    expect(second.steps.map(({ faults }) => faults)).toEqual([
      ['picked locks'],
      ['sleeping guards'],
      undefined,
    ])
  })

  it('is told to build servers as well', async () => {
    const { stdout } = await checked('--counterexamples', '5', '--reporter', 'junit')
    expect(stdout).toContain('    way 2, 3 steps, needs picked locks + sleeping guards\n')
    const sarif = JSON.parse((await checked('--counterexamples', '5', '--reporter', 'sarif')).stdout)
    const flows: { message?: { text: string } }[] = sarif.runs[0].results[0].codeFlows
    expect(flows.map(({ message }) => message?.text)).toEqual([
      undefined,
      'with picked locks + sleeping guards',
    ])
  })

  it('says of a model without faults that it breaks by itself', async () => {
    const words = ['check', 'quiet', '--without', 'epoch check', '--counterexamples', '3']
    const document = JSON.parse((await fencepost([...words, '--json', '-'])).stdout)
    expect(problems('result', document)).toEqual([])
    expect(document.properties[0].ways).toEqual({
      found: [{ faults: [], isMinimal: true, depth: 5 }],
      complete: true,
      searches: 0,
    })
    expect((await fencepost(words)).stdout).toContain(
      '    way 1, 4 steps, needs no fault\n    it breaks by itself\n',
    )
  })

  it('is a whole number', async () => {
    const { code, stderr } = await checked('--counterexamples', '0')
    expect(code).toBe(2)
    expect(stderr).toContain("--counterexamples: '0' is not valid here")
  })
})
