import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stepper, type TraceStep } from '../../../checker/index.ts'
import { labelOf } from '../../../checker/instances.ts'
import { fencingDuel } from '../../../examples/fencing-duel.ts'
import { leaseLock } from '../../../examples/lease-lock.ts'
import { twoPhaseCommit } from '../../../examples/two-phase-commit.ts'
import { completeSchedule, type ScheduleOptions } from '../../../traces/index.ts'
import { replay } from '../../../traces/replay/replay.ts'
import { modelOf, randomModel } from '../../checker/random-model.ts'
import { callsOf } from '../walk.ts'

const complete = (
  lines: readonly string[],
  config: unknown = { managers: 2 },
  options: ScheduleOptions = {},
) => completeSchedule(twoPhaseCommit, config, { text: lines.join('\n'), source: 'my.txt' }, options)

describe('a schedule that can be completed', () => {
  test('is a trace like any other, the shortest one, with the steps of its lines', async () => {
    const { result, trace, done, stuck } = await complete([
      '# everybody is asked',
      '',
      '...',
      'deliver prepared manager-1 -> coordinator   # the last one first',
      '...',
      'ReceiveCommit(manager: 0)',
    ])
    expect(stuck).toBeUndefined()
    expect(result.properties).toMatchObject([{ name: 'the schedule my.txt', verdict: 'witnessed', depth: 7 }])
    expect(result.limit).toBeUndefined()
    expect(callsOf(trace!)).toEqual([
      'Prepare(manager=0)',
      'Prepare(manager=1)',
      'ReceivePrepared(manager=0)',
      'ReceivePrepared(manager=1)',
      'DecideCommit',
      'ReceiveCommit(manager=0)',
    ])
    expect(done.map(({ line, step }) => [line.number, step])).toEqual([
      [4, 4],
      [6, 6],
    ])
    expect(trace).not.toHaveProperty('property')
    expect(replay(twoPhaseCommit, trace!)).toEqual({ trace })
    expect(result.coverage.components.map(({ path }) => path)).toContain('managers[0]')
  })

  test('has no step between two lines without ...', async () => {
    const { trace } = await complete(['Prepare(manager: 1)', 'AbortAlone(manager: 0)', '...', 'ReceiveAbort'])
    expect(callsOf(trace!)).toEqual([
      'Prepare(manager=1)',
      'AbortAlone(manager=0)',
      'DecideAbort',
      'ReceiveAbort(manager=0)',
    ])
  })

  test('may need a later one of several steps that a line means', async () => {
    const { trace } = await complete([
      '...',
      'Prepare',
      'ReceivePrepared(manager: 1)',
      'AbortAlone(manager: 0)',
    ])
    expect(callsOf(trace!)).toEqual([
      'Prepare(manager=1)',
      'ReceivePrepared(manager=1)',
      'AbortAlone(manager=0)',
    ])
    const again = await complete([
      '...',
      'Prepare',
      'ReceivePrepared(manager: 1)',
      'Prepare(manager: 0)',
      '...',
      'DecideAbort',
    ])
    expect(again.done.map(({ step }) => step)).toEqual([1, 2, 3, 4])
  })

  test('may be copied from a printed trace', async () => {
    const { trace } = await complete([
      '1  manager-0 -> coordinator  prepared  [Prepare manager=0]',
      '[DecideAbort]',
    ])
    expect(callsOf(trace!)).toEqual(['Prepare(manager=0)', 'DecideAbort'])
  })

  test('is judged by what the model promises', async () => {
    const text = ['Acquire(worker: 0)', '...', 'Expire', '...', 'Write(worker: 1)', 'Write(worker: 0)'].join(
      '\n',
    )
    const schedule = { text, source: 'lease' }
    const { result, trace } = await completeSchedule(leaseLock, {}, schedule, {
      defencesOff: ['fencing token'],
    })
    expect(result.verdict).toBe('violated')
    expect(result.properties).toMatchObject([
      { name: 'the schedule lease', verdict: 'witnessed' },
      { name: 'no write under an older lease', verdict: 'violated', depth: trace!.states.length },
    ])
    expect(trace?.property).toMatchObject({ name: 'no write under an older lease', kind: 'transition' })
    expect(replay(leaseLock, trace!)).toEqual({ trace, shows: true })
    const { result: refused } = await completeSchedule(leaseLock, {}, schedule)
    expect(refused).toMatchObject({ verdict: 'proved', properties: [{ verdict: 'witnessed' }] })
  })

  test('goes through states up to renaming, as the model has them', async () => {
    const text = 'Start(session: 0)\nStart(session: 1)\nLearnThatFenced(session: 0)\nStart(session: 0)'
    const { trace } = await completeSchedule(fencingDuel, {}, { text, source: 'duel' })
    expect(trace?.states.at(-1)).toMatchObject({ coordinator: { epoch: 2 } })
    expect(replay(fencingDuel, trace!)).toEqual({ trace })
  })
})

describe('a schedule that cannot be completed', () => {
  test('ends at a line: what it means there, what blocks that, and what is possible', async () => {
    const { result, stuck, done, trace } = await complete(['Prepare(manager: 0)', 'DecideCommit'])
    expect(trace).toBeUndefined()
    expect(result).toMatchObject({ verdict: 'violated', properties: [{ verdict: 'unwitnessed' }] })
    expect(done.map(({ step }) => step)).toEqual([1])
    expect(stuck?.line.number).toBe(2)
    expect(callsOf(stuck!.before!)).toEqual(['Prepare(manager=0)'])
    expect(stuck?.meant).toEqual([{ label: 'DecideCommit', guard: 'every manager is prepared' }])
    expect(stuck?.possible.map(({ action, args }) => labelOf(action, args))).toEqual([
      'Prepare(manager: 1)',
      'AbortAlone(manager: 1)',
      'ReceivePrepared(manager: 0)',
      'DecideAbort',
    ])
    expect(stuck?.similar).toEqual([])
  })

  test('says how near it came after any steps', async () => {
    const { stuck } = await complete(['AbortAlone(manager: 0)', '...', 'DecideCommit'])
    expect(stuck?.meant).toEqual([{ label: 'DecideCommit', guard: 'every manager is prepared' }])
    expect(stuck?.line).toMatchObject({ number: 3, afterGap: true })
  })

  test('names steps that sound like a line that means none', async () => {
    const { stuck } = await complete(['deliver preprared manager-0 -> coordinator'])
    expect(stuck?.meant).toEqual([])
    expect(stuck?.similar[0]).toContain('prepared')
    expect(stuck?.before).toBeUndefined()
  })

  test('is not settled where a limit ends the search', async () => {
    const { result, stuck } = await complete(['...', 'DecideCommit'], { managers: 4 }, { maxStates: 20 })
    expect(result).toMatchObject({ verdict: 'bounded', limit: { kind: 'states' } })
    expect(result.properties).toMatchObject([{ verdict: 'bounded' }])
    expect(stuck?.line.number).toBe(2)
  })
})

const refusals: readonly (readonly [string, string])[] = [
  [
    'Prepair(manager: 0)',
    "my.txt, line 1: there is no action 'Prepair'\n  expected: one of: Prepare, AbortAlone, ReceivePrepared, DecideCommit, DecideAbort, ReceiveCommit, ReceiveAbort\n  to fix: did you mean 'Prepare'?",
  ],
  ['...\nPrepare(manager: 7)', "my.txt, line 2: there is no value of manager '7'\n  expected: one of: 0, 1"],
  [
    'deliver commit boss -> manager-0',
    "my.txt, line 1: there is no participant 'boss'\n  expected: one of: coordinator, manager-0, manager-1",
  ],
  [
    'crash manager-9',
    "my.txt, line 1: there is no participant 'manager-9'\n  expected: one of: coordinator, manager-0, manager-1\n  to fix: did you mean 'manager-0'?",
  ],
  [
    '# nothing\n...',
    'my.txt: no line of it means a step\n  expected: one step a line, such as `crash app-1` or `Crash(client: 1)`, and `...` for any steps between two',
  ],
]

test.each(refusals)('%j is refused before anything is searched', async (text, message) => {
  await expect(complete([text])).rejects.toThrow(expect.objectContaining({ message, name: 'UsageError' }))
})

describe('of any model and any walk', () => {
  test('a schedule of some of its steps is completed, in no more steps, and can be replayed', async () => {
    let dropped = 0
    await fc.assert(
      fc.asyncProperty(
        randomModel,
        fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 12 }),
        async (random, picks) => {
          const model = modelOf({ ...random, constraint: undefined })
          const steps = walked(
            model,
            picks.map(([pick]) => pick),
          )
          const kept = steps.map((_, index) => picks[index]![1])
          if (!kept.includes(true)) return
          dropped += kept.filter((keep) => !keep).length
          const text = steps.map((step, index) => (kept[index] ? lineOf(step) : '...')).join('\n')
          const { trace, done } = await completeSchedule(model, {}, { text, source: 'walk' })
          expect(trace!.steps.length).toBeLessThanOrEqual(steps.length)
          expect(done).toHaveLength(kept.filter(Boolean).length)
          const shows = trace!.property === undefined ? {} : { shows: true }
          expect(replay(model, trace!)).toEqual({ trace, ...shows })
          if (!kept.includes(false)) expect(trace!.steps.map(lineOf)).toEqual(steps.map(lineOf))
        },
      ),
      { numRuns: 150 },
    )
    expect(dropped).toBeGreaterThan(50)
  })
})

function walked(model: ReturnType<typeof modelOf>, picks: readonly number[]): TraceStep[] {
  const at = stepper(model, {})
  let state = at.initialStates[0]!
  return picks.flatMap((pick) => {
    const { enabled } = at.successors(state)
    if (enabled.length === 0) return []
    const { next, ...step } = enabled[pick % enabled.length]!
    state = next!
    return [step]
  })
}

/** Each choice by name; two of one name cannot be told apart by a line, nor need they be. */
function lineOf({ action, args, choices }: TraceStep): string {
  const all = [...Object.entries(args), ...choices.map(({ name, value }) => [name, value] as const)]
  return `${action}(${all.map(([name, value]) => `"${name}": "${value}"`).join(', ')})`
}
