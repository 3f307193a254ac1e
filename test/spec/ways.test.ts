import { describe, expect, it } from 'vitest'
import { check, type Plain, stepper } from '../../checker/index.ts'
import { faultNames, type KafkaConfig } from '../../spec/config.ts'
import { kafka, scenarios } from '../../spec/index.ts'
import type { KafkaState } from '../../spec/state.ts'

const configurationOf = (name: string) => scenarios.find((scenario) => scenario.name === name)?.config

describe('faults of the Kafka model', () => {
  it('are the steps that take from the budget of all faults, by the name of their own', () => {
    const budgets = Object.fromEntries(faultNames.map((name) => [name, 2]))
    const config = {
      ...configurationOf('read-process-write'),
      ...budgets,
      preset: 'kafka-4.4',
    } as Partial<KafkaConfig>
    const model = stepper(kafka, config)
    const seen = new Set<string>()
    let state = model.initialStates[0] as Plain
    for (let turn = 0; turn < 60; turn++) {
      const { enabled } = model.successors(state)
      for (const { next, faults = [], action } of enabled) {
        const before = (state as unknown as KafkaState).budget
        const after = (next as unknown as KafkaState).budget
        const spent = faultNames.filter((name) => name !== 'restarts' && after[name] < before[name])
        expect({ action, faults: [...faults].sort() }).toEqual({ action, faults: spent.sort() })
        for (const fault of faults) seen.add(fault)
      }
      const chosen = enabled[(turn * 7) % enabled.length]
      if (chosen === undefined) break
      state = chosen.next
    }
    expect(seen.size).toBeGreaterThan(8)
  })

  it('tell by which faults a batch can be written twice without its checks', async () => {
    const others = { lateRequests: 1, lostRequests: 1, leaderChanges: 1, faults: 2 }
    const config = { ...configurationOf('lost-reply'), ...others }
    const { properties } = await check(kafka, config, {
      properties: ['batches are in order, none twice'],
      defencesOff: ['duplicate check', 'sequence check'],
      counterexamples: 9,
    })
    const { found, complete } = properties[0]?.ways ?? { found: [], complete: false }
    expect(found.map(({ faults, trace }) => [faults, trace.steps.length])).toEqual([
      [['lostReplies'], 11],
      [['lateRequests'], 11],
      [['leaderChanges'], 11],
    ])
    expect(complete).toBe(true)
  })
})
