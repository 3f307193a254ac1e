/** Steps that are said to leave a partition alone do so, in behaviours with faults of every kind. */
import { describe, expect, it } from 'vitest'
import { type Plain, stepper } from '../../../checker/index.ts'
import { faultNames, type KafkaConfig } from '../../../spec/config.ts'
import { kafka } from '../../../spec/index.ts'
import { touchedPartitions } from '../../../spec/properties/touched.ts'
import type { KafkaState } from '../../../spec/state.ts'
import { presets, rulesOf } from '../protocol/rules.ts'

const walks = 3
const stepsMax = 80
const faults = Object.fromEntries(faultNames.map((name) => [name, 1])) as Partial<KafkaConfig>
const config: Partial<KafkaConfig> = { ...faults, faults: 4, survivors: 1, outputPartitions: 1 }

/** A sequence of numbers that looks random and is always the same. */
function sequence(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const changedIn = (before: KafkaState, after: KafkaState): number[] =>
  before.partition.flatMap((partition, index) =>
    JSON.stringify(partition) === JSON.stringify(after.partition[index]) ? [] : [index],
  )

describe.each(presets)('%s', (preset) => {
  const protocol = rulesOf(preset, { config })
  const { initialStates, successors } = stepper(kafka, { ...config, preset })

  it.each(Array.from({ length: walks }, (_, index) => index + 1))('behaviour %i', (seed) => {
    const pick = sequence(seed)
    let state: Plain = initialStates[0]!
    const written = new Set<string>()
    for (let count = 0; count < stepsMax; count += 1) {
      const { enabled } = successors(state)
      for (const { action, args, choices, next } of enabled) {
        const changed = changedIn(state as unknown as KafkaState, next as unknown as KafkaState)
        const touched = touchedPartitions(protocol, { action, args, choices })
        expect(touched, action).toEqual(expect.arrayContaining(changed))
        if (changed.length > 0) written.add(action)
      }
      if (enabled.length === 0) break
      state = enabled[pick(enabled.length)]!.next
    }
    expect(written.size).toBeGreaterThan(2)
  })
})
