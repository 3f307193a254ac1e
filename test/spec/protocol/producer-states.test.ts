import { parse } from 'valibot'
import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../spec/config.ts'
import {
  becomeAborting,
  completionOf,
  failBatch,
  initProducerIdRequest,
  isWorkDone,
  newInstance,
  producerStateOf,
  stop,
} from '../../../spec/protocol/producer.ts'
import { noIdentity } from '../../../spec/protocol/transaction-coordinator/decision.ts'
import type { Instance } from '../../../spec/state.ts'
import { instance } from './producer-notation.ts'
import { combinations, expectOnlyGuardedCasesDiffer, presets, rulesOf } from './rules.ts'

describe('the state of the client', () => {
  const rows: readonly {
    readonly when: Partial<Instance>
    readonly state: string
    readonly flushed?: string
  }[] = [
    { when: { phase: 'none', producerEpoch: -1 }, state: 'UNINITIALIZED' },
    { when: { phase: 'joining', producerEpoch: -1 }, state: 'UNINITIALIZED' },
    { when: { phase: 'fetching', producerEpoch: -1 }, state: 'UNINITIALIZED' },
    { when: { phase: 'initialising', producerEpoch: -1 }, state: 'INITIALIZING' },
    { when: { phase: 'raising the epoch' }, state: 'INITIALIZING' },
    { when: { phase: 'joining' }, state: 'READY' },
    { when: { phase: 'fetching' }, state: 'READY' },
    { when: { phase: 'committing offsets' }, state: 'READY' },
    { when: { phase: 'adding partitions' }, state: 'IN_TRANSACTION' },
    { when: { phase: 'adding partitions', result: 'abort' }, state: 'ABORTING' },
    { when: { offsetsPending: true }, state: 'IN_TRANSACTION' },
    { when: { offsetsPending: false }, state: 'COMMITTING', flushed: 'IN_TRANSACTION' },
    { when: { offsetsPending: true, result: 'abort' }, state: 'ABORTABLE_ERROR' },
    { when: { offsetsPending: false, result: 'abort' }, state: 'ABORTING' },
    { when: { phase: 'prepared' }, state: 'PREPARED_TRANSACTION' },
    { when: { phase: 'ending' }, state: 'COMMITTING' },
    { when: { phase: 'ending', result: 'abort' }, state: 'ABORTING' },
  ]
  it.each(rows)('is $state with $when', ({ when, state, flushed = state }) => {
    const flushing = rulesOf('kafka-3.9', { config: { flushBeforeCommit: true } })
    expect(producerStateOf(rulesOf('kafka-3.9'), instance(when))).toBe(state)
    expect(producerStateOf(flushing, instance(when))).toBe(flushed)
    // prepareTransaction flushes too.
    const preparing = rulesOf('kafka-4.4', { config: { twoPhaseCommit: true } })
    expect(producerStateOf(preparing, instance(when))).toBe(flushed)
  })
})

describe('an error that aborts the transaction', () => {
  const cases = combinations({
    phase: ['adding partitions', 'sending', 'ending'] as const,
    result: ['commit', 'abort'] as const,
    offsetsPending: [true, false],
  })
  type Case = (typeof cases)[number]
  const bumped = (rules: ReturnType<typeof rulesOf>) => (one: Case) => {
    const client = instance(one)
    failBatch(rules, client)
    expect(client.result).toBe('abort')
    return client.epochBumpRequired
  }
  /** commitTransaction or abortTransaction is called as soon as the offsets are acknowledged. */
  const guarded = ({ phase, result, offsetsPending }: Case) =>
    (phase === 'adding partitions' && result === 'commit') || (phase === 'sending' && offsetsPending)

  it('kafka-3.9: asks for a new epoch, unless the transaction is being completed already', () => {
    expect(cases.filter(bumped(rulesOf('kafka-3.9')))).toEqual(cases.filter(guarded))
    const off = bumped(rulesOf('kafka-3.9', { without: ['epoch bump after an error'] }))
    expectOnlyGuardedCasesDiffer({ cases, on: bumped(rulesOf('kafka-3.9')), off, guarded })
  })

  it('kafka-3.9: asks for it up to the end where the application flushes before it calls commitTransaction', () => {
    const flushed = rulesOf('kafka-3.9', { config: { flushBeforeCommit: true } })
    const guardedByFlush = (one: Case) => guarded(one) || (one.phase === 'sending' && one.result === 'commit')
    expect(cases.filter(bumped(flushed))).toEqual(cases.filter(guardedByFlush))
  })

  it.each(presets)(
    '%s: a version that raises the epoch with every end, or never, does not ask for it',
    (preset) => {
      const asks = ['kafka-2.5', 'kafka-3.6', 'kafka-3.9', 'kafka-4.4-tv1'].includes(preset)
      expect(cases.some(bumped(rulesOf(preset)))).toBe(asks)
    },
  )

  it('keeps what an earlier error asked for', () => {
    const client = instance({ epochBumpRequired: true, result: 'abort' })
    becomeAborting(client)
    failBatch(rulesOf('kafka-3.9'), client)
    expect(client.epochBumpRequired).toBe(true)
  })

  it('is no failed batch where the coordinators refuse, or the application gives up', () => {
    const client = instance()
    becomeAborting(client)
    expect(client).toEqual(instance({ result: 'abort' }))
  })
})

describe('a prepared transaction', () => {
  const prepared = { producerId: 3, producerEpoch: 5 }
  const rows = [
    { when: 'the one that was prepared', kept: prepared, result: 'commit' },
    { when: 'an earlier one of the producer', kept: { ...prepared, producerEpoch: 4 }, result: 'abort' },
    { when: 'a later one of the producer', kept: { ...prepared, producerEpoch: 6 }, result: 'abort' },
    { when: 'one of another producer', kept: { ...prepared, producerId: 2 }, result: 'abort' },
    { when: 'none', kept: noIdentity, result: 'abort' },
  ]
  it.each(rows)('is ended by $result when the store has kept $when', ({ kept, result }) => {
    expect(completionOf(kept, prepared)).toBe(result)
  })

  it('is asked for in every request for an identity: no timeout, and at the start to keep what is prepared', () => {
    const { enable2Pc, keepPreparedTxn } = initProducerIdRequest(
      rulesOf('kafka-4.4', { config: { twoPhaseCommit: true } }),
      instance(),
      { keepPrepared: true },
    )
    expect([enable2Pc, keepPreparedTxn]).toEqual([true, true])
    expect(initProducerIdRequest(rulesOf('kafka-4.4'), instance())).not.toHaveProperty('enable2Pc')
  })

  it('names the identity that is to be replaced, or nothing', () => {
    const known = { ...instance(), producerId: 3, producerEpoch: 2 }
    const asked = (config: object) => initProducerIdRequest(rulesOf('kafka-3.9', { config }), known)
    expect(asked({})).toMatchObject({ expectedProducerId: 3, expectedEpoch: 2 })
    expect(asked({ nextEpoch: 'names nothing' })).toMatchObject({ expectedProducerId: -1, expectedEpoch: -1 })
  })

  it.each(presets)('%s: is refused where the version does not know it', (preset) => {
    const parses = () => parse(configSchema, { preset, twoPhaseCommit: true })
    if (preset.startsWith('kafka-4')) expect(parses()).toMatchObject({ twoPhaseCommit: true })
    else expect(parses).toThrow('does not know it (KIP-939)')
  })

  it('takes a transactional producer', () => {
    const config = { application: 'produce', producer: 'idempotent', twoPhaseCommit: true }
    expect(() => parse(configSchema, config)).toThrow('not transactional')
  })
})

describe('the work of a transaction', () => {
  const rows = [
    { unacknowledged: [0, 0], offsetsPending: false, done: true },
    { unacknowledged: [0, 1], offsetsPending: false, done: false },
    { unacknowledged: [0, 0], offsetsPending: true, done: false },
  ]
  it.each(rows)(
    '$unacknowledged batches and offsets pending $offsetsPending: done $done',
    ({ done, ...changes }) => {
      expect(isWorkDone(instance(changes))).toBe(done)
    },
  )
})

describe('a producer that is gone', () => {
  it('knows nothing any more', () => {
    const client = instance({
      nextSequence: [5, 0],
      epochBumpRequired: true,
      bumpTooLate: true,
      mappingLost: true,
    })
    stop(client, 'crashed')
    expect(client).toEqual({ ...newInstance(2), status: 'crashed' })
  })
})
