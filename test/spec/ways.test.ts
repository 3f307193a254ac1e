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

  it.each([
    {
      scenario: 'lost-reply',
      others: { lateRequests: 1, lostRequests: 1, leaderChanges: 1, faults: 2 },
      preset: 'kafka-4.4',
      property: 'batches are in order, none twice',
      defencesOff: ['duplicate check', 'sequence check'],
      expected: ['lostReplies: 11', 'lateRequests: 11', 'leaderChanges: 11'],
    },
    {
      scenario: 'stale-coordinator',
      others: {},
      preset: 'kafka-3.9',
      property: 'no session is fenced without a rival',
      defencesOff: [],
      expected: ['coordinatorFailovers+staleCoordinators: 10', 'coordinatorFailovers+deliveryTimeouts: 20'],
    },
  ])('tell all ways to break $property in $scenario, as budgets of nothing do', async (asked) => {
    const config: Record<string, unknown> = {
      ...configurationOf(asked.scenario),
      ...asked.others,
      preset: asked.preset,
    }
    const options = { properties: [asked.property], defencesOff: asked.defencesOff }
    const { properties } = await check(kafka, config, { ...options, counterexamples: 9 })
    const ways = properties[0]?.ways
    const told = ways?.found.map(({ faults, trace }) => `${faults.join('+')}: ${trace.steps.length}`)
    expect({ told, complete: ways?.complete }).toEqual({ told: asked.expected, complete: true })

    const kinds = faultNames.filter((name) => Number(config[name] ?? 0) > 0)
    const breaking: string[][] = []
    for (const kept of subsets(kinds)) {
      if (breaking.some((set) => set.every((kind) => kept.includes(kind)))) continue
      const without = Object.fromEntries(kinds.map((name) => [name, kept.includes(name) ? config[name] : 0]))
      const { verdict } = await check(kafka, { ...config, ...without }, options)
      if (verdict === 'violated') breaking.push(kept.toSorted())
    }
    const sets = asked.expected.map((text) => text.replace(/:.*/, ''))
    expect(breaking.map((set) => set.join('+')).sort()).toEqual(sets.sort())
  })
})

/** Smaller ones first. */
const subsets = (names: readonly string[]): string[][] =>
  Array.from({ length: 2 ** names.length }, (_, bits) => {
    return names.filter((__, index) => (bits >> index) % 2 === 1)
  }).toSorted((one, other) => one.length - other.length)
