import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readItf } from '../../index.ts'
import { fencepost, temporaryFolder } from './harness.ts'
import { problems } from './schemas.ts'

describe('fencepost check --json', () => {
  it.each([
    ['a proof', ['check'], 0],
    ['violations', ['check', '--preset', 'kafka-3.9', '--continue'], 1],
    ['a violation that leaves the rest open', ['check', '--without', 'epoch check'], 1],
    ['a limited search', ['check', '--max-states', '5'], 3],
    ['a vacuous property', ['check', '--set', 'idle=true'], 1],
  ] as const)(
    'writes %s as its schema says, and nothing but JSON to standard output',
    async (_, words, code) => {
      const finished = await fencepost([...words, '--json', '-'])
      const document = JSON.parse(finished.stdout)
      expect(problems('result', document)).toEqual([])
      expect(document).toMatchObject({ format: 'fencepost-result/1', model: 'writers', workers: 1 })
      expect(finished.code).toBe(code)
      expect(finished.stderr).toMatch(/^repeat: npx fencepost check .* --json -\n$/)
    },
  )

  it('writes what it found, complete and to the file that is named', async () => {
    const folder = temporaryFolder()
    const words = ['check', '--preset', 'kafka-3.9', '--json', 'result.json', '--trace', 'found.itf.json']
    const { stdout } = await fencepost(words, { folder })
    const {
      elapsedMs: _,
      memoryBytes: __,
      coverage,
      ...document
    } = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'))
    expect(document).toEqual({
      format: 'fencepost-result/1',
      model: 'writers',
      preset: 'kafka-3.9',
      config: { preset: 'kafka-3.9', writers: 2, repeats: 1, idle: false, broken: false },
      defencesOff: [],
      verdict: 'violated',
      states: { distinct: 19, generated: 19 },
      depth: 4,
      properties: [
        expect.objectContaining({
          name: 'epochs never fall',
          kind: 'always',
          verdict: 'inconclusive',
          vacuous: false,
        }),
        expect.objectContaining({ name: 'epochs are unique', verdict: 'inconclusive' }),
        {
          name: 'written once',
          kind: 'always',
          verdict: 'violated',
          vacuous: false,
          depth: 4,
          failed: { part: 'no writer twice', values: { authors: [0, 0] } },
          trace: 'found.itf.json',
        },
        { name: 'somebody is done', kind: 'reachable', verdict: 'witnessed', vacuous: false, depth: 3 },
      ],
      workers: 1,
    })
    expect(coverage.actions.map(({ name }: { name: string }) => name)).toEqual(['Start', 'Write', 'Expire'])
    expect(stdout).toContain('trace         found.itf.json')
    expect(readdirSync(folder).sort()).toEqual(['found.itf.json', 'result.json'])
  })

  it('is equal for equal inputs, times and memory apart', async () => {
    const run = async () => {
      const { stdout } = await fencepost(['check', '--preset', 'kafka-3.9', '--continue', '--json', '-'])
      const { elapsedMs: _, memoryBytes: __, ...document } = JSON.parse(stdout)
      return document
    }
    expect(await run()).toEqual(await run())
  })
})

describe('the schema of a result', () => {
  it('refuses what is not a result', async () => {
    const document = JSON.parse((await fencepost(['check', '--json', '-'])).stdout)
    expect(problems('result', { ...document, verdict: 'passed' })).not.toEqual([])
    expect(problems('result', { ...document, depth: -1 })).not.toEqual([])
    expect(problems('result', { ...document, more: 1 })).not.toEqual([])
    expect(problems('list', document)).not.toEqual([])
  })
})

describe('fencepost list --json', () => {
  it('writes everything that has a name, as its schema says', async () => {
    const { code, stdout, stderr } = await fencepost(['list', '--json', '-'])
    const document = JSON.parse(stdout)
    expect(problems('list', document)).toEqual([])
    expect(Object.keys(document)).toEqual([
      'scenarios',
      'properties',
      'defences',
      'presets',
      'profiles',
      'parameters',
      'claims',
      'findings',
    ])
    expect(document.defences[2]).toMatchObject({
      presets: ['kafka-4.4'],
      exercisedBy: { together: ['epoch check'] },
    })
    expect(document.presets[1].flags).toEqual({ keepsDuplicatesOut: false, remembers: 1 })
    expect(document.parameters.map(({ allowed }: { allowed?: object }) => allowed)).toEqual([
      { oneOf: ['kafka-4.4', 'kafka-3.9'] },
      { from: 1, to: 3 },
      { from: 0 },
      { keys: ['a', 'b'] },
      undefined,
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })
})

describe('fencepost check --trace', () => {
  it('writes a trace that reads back, one file for each violated property', async () => {
    const folder = temporaryFolder()
    const defences = ['--without', 'epoch check', '--without', 'duplicate check']
    const { code } = await fencepost(['check', ...defences, '--continue', '--trace', 'all.itf.json'], {
      folder,
    })
    expect(code).toBe(1)
    expect(readdirSync(folder).sort()).toEqual(['all-written-once.itf.json', 'all.itf.json'])
    const [first, second] = ['all.itf.json', 'all-written-once.itf.json'].map((file) =>
      readItf(readFileSync(join(folder, file), 'utf8')),
    )
    expect(first?.property?.name).toBe('epochs never fall')
    expect(second?.property?.name).toBe('written once')
    expect(second).toMatchObject({ model: 'writers', defencesOff: ['epoch check', 'duplicate check'] })
    expect(second?.states).toHaveLength((second?.steps.length ?? 0) + 1)
  })

  it('writes the same bytes every time', async () => {
    const folder = temporaryFolder()
    for (const file of ['a', 'b'])
      await fencepost(['check', '--preset', 'kafka-3.9', '--trace', file], { folder })
    const [a, b] = ['a', 'b'].map((file) => readFileSync(join(folder, file), 'utf8'))
    expect(a).toBe(b)
  })

  it('writes the witness of a property that was asked for by name, else says that there is nothing to write', async () => {
    const folder = temporaryFolder()
    await fencepost(['check', '--property', 'somebody is done', '--trace', 'done.itf.json'], { folder })
    expect(readItf(readFileSync(join(folder, 'done.itf.json'), 'utf8')).property?.kind).toBe('reachable')
    const { code, stderr } = await fencepost(['check', '--trace', 'none.itf.json'], { folder })
    expect(stderr).toBe('none.itf.json was not written: there is no counterexample\n')
    expect(code).toBe(0)
    expect(existsSync(join(folder, 'none.itf.json'))).toBe(false)
  })
})

describe('a model that throws', () => {
  it('is reported with the way to the state in which it does, which also goes to the trace file', async () => {
    const folder = temporaryFolder()
    const words = ['check', 'quiet', '--set', 'broken=true', '--trace', 'way.itf.json']
    const { code, stdout, stderr } = await fencepost(words, { folder })
    expect(stderr).toMatch(/^error: Start.*it throws Error: the recipe is broken\n {4}at /)
    expect(stderr).toContain('It happens in the initial state.')
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
    const { states, steps } = readItf(readFileSync(join(folder, 'way.itf.json'), 'utf8'))
    expect({ states: states.length, steps: steps.length }).toEqual({ states: 1, steps: 0 })
  })
})

const violated = ['check', '--preset', 'kafka-3.9']

describe.each(['--json', '--trace'])('a file that cannot be written, under %s', (option) => {
  it('is refused before the search if its folder does not exist', async () => {
    const finished = await fencepost([...violated, option, 'absent/x.json'], { folder: temporaryFolder() })
    expect(finished).toMatchObject({ code: 2, stdout: '' })
    expect(finished.stderr).toMatch(
      new RegExp(`^error: ${option}: cannot write .*absent/x.json: there is no such file or folder\n`),
    )
    expect(finished.stderr).toContain('to fix: name a file in a folder that exists')
  })

  it('is refused before the search if it is a folder', async () => {
    const folder = temporaryFolder()
    const finished = await fencepost([...violated, option, '.'], { folder })
    expect(finished).toMatchObject({ code: 2, stdout: '' })
    expect(finished.stderr).toBe(
      `error: ${option}: cannot write ${folder}: it is a folder\n  to fix: name a file in it\n`,
    )
    expect(readdirSync(folder)).toEqual([])
  })

  it('is refused if the search reads it', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'asked.json'), '{ "writers": 2 }')
    writeFileSync(join(folder, 'asked.txt'), '...\n')
    for (const [reads, file] of [
      ['--config', 'asked.json'],
      ['--schedule', 'asked.txt'],
    ] as const) {
      const before = readFileSync(join(folder, file), 'utf8')
      const finished = await fencepost(['check', reads, file, option, file], { folder })
      expect(finished).toMatchObject({ code: 2, stdout: '' })
      expect(finished.stderr).toContain(
        `${option}: cannot write ${join(folder, file)}: it is a file that is read`,
      )
      expect(readFileSync(join(folder, file), 'utf8')).toBe(before)
    }
  })

  it.skipIf(!existsSync('/dev/full'))('on a full disk costs the file but not the report', async () => {
    const finished = await fencepost([...violated, option, '/dev/full'])
    expect(finished.code).toBe(2)
    expect(finished.stderr).toBe(
      `error: ${option}: cannot write /dev/full: no space left on the device\n  to fix: name a file in a folder that exists\n`,
    )
    expect(finished.stdout).toContain('violated in 3 steps: written once')
    expect(existsSync('/dev/full')).toBe(true)
  })

  it('is replaced whole, through a link as well', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'real'))
    writeFileSync(join(folder, 'real', 'x.json'), 'old')
    symlinkSync(join('real', 'x.json'), join(folder, 'x.json'))
    await fencepost([...violated, option, 'x.json'], { folder })
    expect(() => JSON.parse(readFileSync(join(folder, 'real', 'x.json'), 'utf8'))).not.toThrow()
    expect(readdirSync(folder).sort()).toEqual(['real', 'x.json'])
    expect(readdirSync(join(folder, 'real'))).toEqual(['x.json'])
  })
})

describe('fencepost ablate --json', () => {
  it.each([
    ['removals', ['--traces', 'found', '--pairs', 'all'], 0],
    ['a survivor', ['--scenario', 'quiet'], 1],
    ['limited searches', ['--max-states', '5'], 3],
    ['defences that do not exist', ['--preset', 'kafka-3.9'], 0],
  ] as const)(
    'writes %s as its schema says, and nothing but JSON to standard output',
    async (_, words, code) => {
      const finished = await fencepost(['ablate', ...words, '--json', '-'], { folder: temporaryFolder() })
      const document = JSON.parse(finished.stdout)
      expect(problems('ablation', document)).toEqual([])
      expect(document).toMatchObject({ format: 'fencepost-ablation/1', model: 'writers', interrupted: false })
      expect(finished.code).toBe(code)
      expect(finished.stderr).toMatch(/^repeat: npx fencepost ablate .* --json -\n$/)
    },
  )
})
