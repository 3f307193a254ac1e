/** Output partitions differ by their names alone: with three of them, the Kafka model is explored up to renaming. */
import { describe, expect, test } from 'vitest'
import { type CheckResult, check, type Plain, stepper } from '../../checker/index.ts'
import { faultNames } from '../../spec/config.ts'
import { kafka } from '../../spec/model.ts'

const facts = ({ verdict, depth, properties }: CheckResult) => ({
  verdict,
  depth,
  properties: properties.map(({ name, verdict, depth, vacuous }) => ({ name, verdict, depth, vacuous })),
})

async function compare(config: Record<string, unknown>) {
  const options = { continueAfterViolation: true }
  const reduced = await check(kafka, config, options)
  const whole = await check(kafka, config, { ...options, symmetry: false })
  expect(facts(reduced)).toEqual(facts(whole))
  expect(reduced.symmetry?.sorts).toEqual([{ sort: 'output partition', members: 3 }])
  const { take } = stepper(kafka, config)
  for (const { trace } of reduced.properties) {
    if (trace === undefined) continue
    let state: Plain = trace.states[0]!
    for (const step of trace.steps) state = take(state, step).next
    expect(state).toEqual(trace.states.at(-1))
  }
  return { reduced: reduced.states.distinct, whole: whole.states.distinct }
}

describe('with three output partitions', () => {
  test('nothing fails: a quarter of the states, with the verdicts and depths of the whole search', async () => {
    const config = { instances: 1, outputPartitions: 3 }
    expect(await compare(config)).toEqual({ reduced: 944, whole: 3635 })
  })

  test('a guarantee that falls does so at the same depth, in a story that is real', async () => {
    // An administrator aborts what the coordinator then commits.
    const config = {
      preset: 'kafka-2.5',
      instances: 1,
      inputs: 1,
      outputPartitions: 3,
      adminAborts: 1,
    }
    const { reduced, whole } = await compare(config)
    expect({ reduced, whole }).toEqual({ reduced: 639, whole: 2359 })
  })

  test.each(['kafka-4.4', 'kafka-3.6', 'kafka-1.1'])(
    '%s: no rule tells them apart, whatever fails',
    async (preset) => {
      const faults = Object.fromEntries(faultNames.map((name) => [name, 1]))
      const lossless = { leaderChanges: 0, uncleanElections: 0 }
      const config = { preset, inputs: 1, outputPartitions: 3, ...faults, ...lossless, faults: 1 }
      const { symmetry } = await check(kafka, config, { continueAfterViolation: true, maxStates: 2500 })
      expect(symmetry?.tests).toBeGreaterThan(1000)
    },
  )
})

test('where batches are remembered by names that hold the number of a partition, nothing is renamed', async () => {
  const config = { instances: 1, inputs: 1, outputPartitions: 3, leaderChanges: 1 }
  expect((await check(kafka, config, { maxStates: 100 })).symmetry).toBeUndefined()
})

test('with fewer of them it is not worth while, and every state counts', async () => {
  const { symmetry, states } = await check(kafka, { instances: 1, outputPartitions: 2 })
  expect(symmetry).toBeUndefined()
  expect(states.distinct).toBe(651)
})
