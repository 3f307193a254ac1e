/** The states of the client in everything that small configurations can do. */
import { describe, expect, it } from 'vitest'
import { check } from '../../../checker/index.ts'
import { type Model, transition } from '../../../checker/model.ts'
import type { KafkaConfig } from '../../../spec/config.ts'
import { kafka } from '../../../spec/model.ts'
import { type ProducerState, producerStateOf } from '../../../spec/protocol/producer/states.ts'
import { protocolOf } from '../../../spec/protocol/protocol.ts'
import type { Instance, KafkaState } from '../../../spec/state.ts'

/** TransactionManager.State.isTransitionValid: the states that each state may be entered from. FATAL_ERROR closes the producer. */
const enteredFrom: { readonly [State in ProducerState]: readonly ProducerState[] } = {
  UNINITIALIZED: ['READY', 'ABORTABLE_ERROR'],
  INITIALIZING: ['UNINITIALIZED', 'COMMITTING', 'ABORTING'],
  READY: ['INITIALIZING', 'COMMITTING', 'ABORTING'],
  IN_TRANSACTION: ['READY'],
  PREPARED_TRANSACTION: ['IN_TRANSACTION', 'INITIALIZING'],
  COMMITTING: ['IN_TRANSACTION', 'PREPARED_TRANSACTION'],
  ABORTING: ['IN_TRANSACTION', 'PREPARED_TRANSACTION', 'ABORTABLE_ERROR'],
  ABORTABLE_ERROR: ['IN_TRANSACTION', 'COMMITTING', 'INITIALIZING', 'ABORTABLE_ERROR'],
}

/** What the client passes through in one step of the model, as its application calls the next method at once. */
const merged: readonly (readonly ProducerState[])[] = [
  ['INITIALIZING', 'READY', 'IN_TRANSACTION'],
  ['COMMITTING', 'READY', 'IN_TRANSACTION'],
  ['IN_TRANSACTION', 'ABORTABLE_ERROR', 'ABORTING'],
  ['COMMITTING', 'ABORTABLE_ERROR', 'ABORTING'],
  // No EndTxn is sent for a producer id that is not known any more.
  ['IN_TRANSACTION', 'ABORTABLE_ERROR', 'ABORTING', 'INITIALIZING'],
  // Without offsets nothing comes between the last send and the commit.
  ['INITIALIZING', 'READY', 'IN_TRANSACTION', 'COMMITTING'],
  ['ABORTING', 'READY', 'IN_TRANSACTION', 'COMMITTING'],
  // Nor where a transaction is prepared after the last send.
  ['ABORTING', 'READY', 'IN_TRANSACTION'],
]

const isValid = (from: ProducerState, to: ProducerState) => enteredFrom[to].includes(from)

const isAlive = ({ status }: Instance) => status === 'running' || status === 'paused'

/** All pairs of states that a client goes through in the steps of a configuration. */
async function transitionsOf(config: Partial<KafkaConfig>): Promise<string[]> {
  const seen = new Set<string>()
  const watched: Model<KafkaConfig, KafkaState> = {
    ...kafka,
    build: (complete, context) => {
      const protocol = protocolOf(complete, context.defences)
      const watch = transition<KafkaState>('states', (before, after) => {
        const [from, to] = [before.instance[0]!, after.instance[0]!]
        if (!isAlive(from) || !isAlive(to) || from.session !== to.session) return
        const pair = [from, to].map((one) => producerStateOf(protocol, one))
        if (pair[0] !== pair[1]) seen.add(pair.join(' -> '))
      })
      return { ...kafka.build(complete, context), properties: [watch] }
    },
  }
  const { verdict } = await check(watched, { instances: 1, outputPartitions: 1, ...config })
  expect(verdict).toBe('proved')
  return [...seen].sort()
}

describe('the states that a client goes through in one step', () => {
  it('are reached by valid transitions', () => {
    for (const path of merged)
      for (const [index, to] of path.slice(1).entries())
        expect(isValid(path[index]!, to), path.join(' -> ')).toBe(true)
  })

  const faults = { inputs: 1, attempts: 2, deliveryTimeouts: 1, transactionTimeouts: 1, faults: 1 } as const
  const configurations: readonly Partial<KafkaConfig>[] = [
    { preset: 'kafka-1.1', ...faults },
    { preset: 'kafka-2.5', ...faults },
    { preset: 'kafka-3.9', ...faults },
    { preset: 'kafka-3.9', ...faults, flushBeforeCommit: true },
    { preset: 'kafka-3.9', idExpirations: 1 },
    { preset: 'kafka-4.1', ...faults },
    { preset: 'kafka-4.4', ...faults },
    { preset: 'kafka-4.4', inputsPerTransaction: 2, fetchOffsets: 'before init' },
    { preset: 'kafka-4.4-tv1', ...faults },
    { preset: 'kafka-4.4', application: 'produce', deliveryTimeouts: 1 },
    { preset: 'kafka-4.4', ...faults, transactionTimeouts: 0, twoPhaseCommit: true },
    { preset: 'kafka-4.4-tv1', ...faults, transactionTimeouts: 0, twoPhaseCommit: true },
    { preset: 'kafka-4.4', inputs: 1, attempts: 2, application: 'produce', twoPhaseCommit: true },
  ]
  it.each(configurations)('are valid transitions in %j', async (config) => {
    const valid = Object.keys(enteredFrom).flatMap((to) =>
      enteredFrom[to as ProducerState].map((from) => `${from} -> ${to}`),
    )
    const expected = new Set([...valid, ...merged.map((path) => `${path[0]} -> ${path.at(-1)}`)])
    const seen = await transitionsOf(config)
    expect(seen.filter((pair) => !expected.has(pair))).toEqual([])
    expect(seen.length).toBeGreaterThan(2)
  })
})
