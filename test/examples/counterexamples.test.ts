/** Every example that can be broken is broken, and tells the shortest story of it. */
import { describe, expect, test } from 'vitest'
import { type CheckResult, check } from '../../checker/index.ts'
import { dieHard } from '../../examples/die-hard.ts'
import { diningPhilosophers } from '../../examples/dining-philosophers.ts'
import { leaseLock } from '../../examples/lease-lock.ts'
import { peterson } from '../../examples/peterson.ts'

function story(result: CheckResult, name: string) {
  const property = result.properties.find((each) => each.name === name)
  expect(property?.verdict).toBe('violated')
  const { steps, states } = property!.trace!
  expect(property?.depth).toBe(states.length)
  const texts = steps.map(({ action, args, choices }) =>
    [action, ...Object.values(args), ...choices.map(({ value }) => value)].join(' '),
  )
  return { steps: texts, last: states.at(-1), failed: property?.failed }
}

describe.each(['oracle', 'interning'] as const)('by the engine %s', (engine) => {
  test('Die Hard: six steps measure four litres', async () => {
    expect(story(await check(dieHard, {}, { engine }), 'never four litres')).toEqual({
      steps: ['Fill big', 'Pour big', 'Empty small', 'Pour big', 'Fill big', 'Pour big'],
      last: { big: 4, small: 3 },
      failed: undefined,
    })
  })

  test('Peterson: whoever gives way before announcing does not get exclusion', async () => {
    const { steps, last } = story(
      await check(peterson, { politeFirst: true }, { engine }),
      'mutual exclusion',
    )
    expect(steps).toHaveLength(8)
    expect(last).toMatchObject({ place: ['critical', 'critical'] })
  })

  test('dining philosophers: without a left-handed one all wait with one fork', async () => {
    const { steps, last } = story(
      await check(diningPhilosophers, { leftHanded: false }, { engine }),
      'deadlock freedom',
    )
    expect(steps).toEqual([0, 1, 2, 3, 4].map((who) => `TakeFirst ${who}`))
    expect(last).toEqual({
      philosophers: [0, 1, 2, 3, 4].map(() => ({ mood: 'hungry', forks: 1 })),
      onTable: [false, false, false, false, false],
    })
  })

  test('lease lock: proved with the fencing token, and without it the sleeper overwrites', async () => {
    expect((await check(leaseLock, {}, { engine })).verdict).toBe('proved')
    const broken = await check(leaseLock, {}, { engine, defencesOff: ['fencing token'] })
    expect(story(broken, 'no write under an older lease')).toEqual({
      steps: ['Acquire 0', 'Expire', 'Acquire 1', 'Write 1 arrives', 'Write 0 arrives'],
      last: { lock: { granted: 2, holder: 1 }, storage: { lease: 1 }, workers: [1, 2] },
      failed: { part: 'the lease is not older than the last one', values: { before: 2, after: 1 } },
    })
  })
})
