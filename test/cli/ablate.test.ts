import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Catalogue } from '../../cli/catalogue.ts'
import { readItf } from '../../index.ts'
import { doorCatalogue } from './ablate/door.ts'
import { fencepost, temporaryFolder } from './harness.ts'
import { standIn } from './stand-in.ts'

type DefenceEntry = Catalogue['defences'][number]

const timeless = (text: string) => text.replaceAll(/^took .*$/gm, 'took (some time)')
const [epochCheck, epochBump, duplicateCheck] = standIn.defences as [DefenceEntry, DefenceEntry, DefenceEntry]

const ablate = (words: readonly string[] = [], defences = standIn.defences, folder = temporaryFolder()) =>
  fencepost(['ablate', ...words], { folder, catalogue: async () => ({ ...standIn, defences }) })

/** A door that each of bolt and lock keeps shut; which of them is said to be covered by which. */
const ablateDoor = (coveredBy: Parameters<typeof doorCatalogue>[0], words: readonly string[] = []) =>
  fencepost(['ablate', ...words], {
    folder: temporaryFolder(),
    catalogue: async () => doorCatalogue(coveredBy),
  })

/** The duplicate check, exercised otherwise. */
const exercised = (exercisedBy: Partial<DefenceEntry['exercisedBy']>) => ({
  ...duplicateCheck,
  exercisedBy: { ...duplicateCheck.exercisedBy, ...exercisedBy },
})

describe('fencepost ablate', () => {
  it('removes each defence alone, where its absence shows', async () => {
    const { code, stdout, stderr } = await ablate()
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "without                        scenario            preset     falls              steps
      epoch check                    read-process-write  kafka-4.4  epochs never fall      4
      epoch bump                     quiet               kafka-3.9  epochs are unique      2
      duplicate check                read-process-write  kafka-4.4  written once           3

      steps to failure  A  B  C
      epoch check       4  .  .
      epoch bump        .  2  .
      duplicate check   .  .  3

      A   epochs never fall
      B   epochs are unique
      C   written once
      .   holds

      3 defences removed: without 3 something falls, 0 covered by others, 0 unexplained survivors
      took (some time)

      repeat: npx fencepost ablate
      "
    `)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('explains a survivor by those that cover it, and shows that it falls with them', async () => {
    const { code, stdout } = await ablateDoor({ bolt: ['lock'], lock: ['bolt'] })
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "without      scenario  preset  falls                steps
      bolt         house     old     nothing: covered by lock
      bolt + lock  house     old     the door stays shut      1
      lock         house     old     nothing: covered by bolt

      steps to failure  A
      bolt              .
      bolt + lock       1
      lock              .

      A   the door stays shut
      .   holds

      2 defences removed: without 0 something falls, 2 covered by others, 0 unexplained survivors
      only without all of bolt + lock: 1 property falls
      took (some time)

      repeat: npx fencepost ablate
      "
    `)
    expect(code).toBe(0)
  })

  it('finds a survivor that nothing explains', async () => {
    const { code, stdout } = await ablateDoor({ bolt: ['lock'] })
    expect(stdout).toMatch(/^bolt .* nothing: covered by lock$/m)
    expect(stdout).toMatch(/^lock .* nothing: a survivor, unexplained$/m)
    expect(stdout).toContain('1 covered by others, 1 unexplained survivor\nunexplained survivor: lock\n')
    expect(code).toBe(1)
  })

  it('does not take an explanation for granted: what falls with the other must hold without the other alone', async () => {
    const together = { scenario: 'quiet', preset: 'kafka-4.4', together: ['epoch bump'] }
    const { code, stdout } = await ablate(['--only', 'duplicate check'], [exercised(together), epochBump])
    expect(stdout).toContain('nothing: a survivor, unexplained: also without epoch bump nothing more falls\n')
    expect(stdout).toMatch(/^duplicate check \+ epoch bump .* epochs are unique +2$/m)
    expect(code).toBe(1)
  })

  it('counts nothing that is violated with every defence in place', async () => {
    const words = ['--scenario', 'read-process-write', '--preset', 'kafka-3.9', '--pairs', 'all']
    const { code, stdout } = await ablate(words)
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "without                   scenario            preset     falls              steps
      epoch check               read-process-write  kafka-3.9  epochs never fall      4
      epoch bump                read-process-write  kafka-3.9  epochs are unique      2
      epoch check + epoch bump  read-process-write  kafka-3.9  epochs are unique      2

      steps to failure          A  B  C
      epoch check               4  =  .
      epoch bump                .  =  2
      epoch check + epoch bump  .  =  2

      A   epochs never fall
      B   written once
      C   epochs are unique
      .   holds
      =   violated with every defence in place, too

      2 defences removed: without 2 something falls, 0 covered by others, 0 unexplained survivors
      does not exist there: duplicate check
      took (some time)

      repeat: npx fencepost ablate --scenario read-process-write --preset kafka-3.9 --pairs all
      "
    `)
    expect(code).toBe(0)
  })

  it('says of a survivor where its absence shows, if that is elsewhere', async () => {
    const { code, stdout } = await ablate(['--scenario', 'quiet', '--only', 'duplicate check'])
    expect(stdout).toMatch(/nothing more falls; its absence shows in read-process-write, kafka-4\.4$/m)
    expect(stdout).toContain("\nrepeat: npx fencepost ablate --only 'duplicate check' --scenario quiet\n")
    expect(code).toBe(1)
  })

  it('removes pairs on request: those that the catalogue names, or all within a scenario', async () => {
    const pairs = async (words: readonly string[]) => {
      const { stdout } = await ablate([
        ...words,
        '--json',
        '-',
        '--scenario',
        'quiet',
        '--preset',
        'kafka-4.4',
      ])
      const { removals } = JSON.parse(stdout) as { removals: { defencesOff: string[] }[] }
      return removals.map(({ defencesOff }) => defencesOff.join(' + ')).filter((name) => name.includes('+'))
    }
    expect(await pairs(['--pairs', 'named'])).toEqual(['duplicate check + epoch check'])
    expect(await pairs(['--pairs'])).toEqual(['duplicate check + epoch check'])
    expect(await pairs(['--pairs', 'all'])).toEqual([
      'duplicate check + epoch check',
      'epoch check + epoch bump',
      'epoch bump + duplicate check',
    ])
  })

  it('writes a trace for each cell, as long as the cell says', async () => {
    const folder = temporaryFolder()
    const words = ['--traces', 'found', '--json', 'found.json']
    const { stdout } = await ablate(words, standIn.defences, folder)
    const { removals } = JSON.parse(readFileSync(join(folder, 'found.json'), 'utf8')) as {
      removals: { properties: { effect: string; steps?: number; trace?: string }[] }[]
    }
    const cells = removals.flatMap(({ properties }) => properties).filter(({ effect }) => effect === 'falls')
    expect(cells).toHaveLength(3)
    for (const { trace = '', steps } of cells) {
      expect(stdout).toMatch(new RegExp(` ${steps}  ${trace}$`, 'm'))
      expect(readItf(readFileSync(join(folder, trace), 'utf8'), trace).steps).toHaveLength(steps ?? 0)
    }
    expect(readdirSync(join(folder, 'found')).sort()).toMatchInlineSnapshot(`
      [
        "quiet-kafka-3.9-without-epoch-bump-epochs-are-unique.itf.json",
        "read-process-write-kafka-4.4-without-duplicate-check-written-once.itf.json",
        "read-process-write-kafka-4.4-without-epoch-check-epochs-never-fall.itf.json",
      ]
    `)
  })

  it('writes no trace unless it is asked to', async () => {
    const folder = temporaryFolder()
    await ablate([], standIn.defences, folder)
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('the limits of fencepost ablate', () => {
  it('calls nothing a survivor that a limit left open', async () => {
    const { code, stdout } = await ablate(['--only', 'duplicate check', '--max-states', '5'])
    expect(stdout).toContain('nothing so far: a limit left it open')
    expect(stdout).toContain('0 unexplained survivors, 1 left open by a limit')
    expect(stdout).toContain("repeat: npx fencepost ablate --only 'duplicate check' --max-states 5\n")
    expect(code).toBe(3)
  })

  it('keeps what it has when it is interrupted', async () => {
    const onInterrupt = (stop: () => void) => {
      stop()
      return () => undefined
    }
    const folder = temporaryFolder()
    const { code, stdout } = await fencepost(['ablate', '--json', 'found.json'], { folder, onInterrupt })
    expect(stdout).toContain('stopped by you after 0 of 3 defences\n')
    const document = JSON.parse(readFileSync(join(folder, 'found.json'), 'utf8'))
    expect(document).toMatchObject({ interrupted: true, removals: [] })
    expect(code).toBe(3)
  })

  it('names defences that do not exist there, and leaves them out', async () => {
    const { stdout } = await ablate(['--preset', 'kafka-3.9'])
    expect(stdout).toContain('2 defences removed')
    expect(stdout).toContain('does not exist there: duplicate check\n')
  })
})

describe('what fencepost ablate refuses', () => {
  it.each([
    [['--only', 'epoch chek'], "--only: there is no defence 'epoch chek'"],
    [['--scenario', 'quite'], "--scenario: there is no scenario 'quite'"],
    [['--preset', 'kafka-4.5'], "--preset: there is no preset 'kafka-4.5'"],
    [
      ['--preset', 'kafka-3.9', '--only', 'duplicate check'],
      "--only: preset kafka-3.9 has no defence 'duplicate check'",
    ],
    [['--pairs', 'most'], "argument 'most' is invalid"],
    [['--max-states', 'many'], "--max-states: 'many' is not valid here"],
    [['--traces', '/dev/null'], '--traces: cannot write /dev/null'],
    [['--traces', '/dev/null/x'], '--traces: cannot write /dev/null/x'],
    [['--json', '/dev/null/x'], '--json: cannot write /dev/null/x'],
  ])('%j', async (words, message) => {
    const { code, stdout, stderr } = await ablate(words)
    expect(stderr).toContain(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it.each([
    [{ scenario: 'quite' }, "there is no scenario 'quite'"],
    [{ preset: 'kafka-4.5' }, "there is no preset 'kafka-4.5'"],
    [{ property: 'writen once' }, "there is no property 'writen once'"],
    [{ together: ['epoch chek'] }, "there is no defence 'epoch chek'"],
  ])('a catalogue that names what does not exist: %j', async (exercisedBy, message) => {
    const { code, stderr } = await ablate([], [epochCheck, exercised(exercisedBy)])
    expect(stderr).toContain(`catalogue of the spec, defence "duplicate check": ${message}`)
    expect(code).toBe(2)
  })
})
