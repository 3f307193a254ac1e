import { describe, expect, it } from 'vitest'
import {
  becomeAborting,
  failBatch,
  isWorkDone,
  newInstance,
  producerStateOf,
  stop,
} from '../../../spec/protocol/producer.ts'
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
    { when: { phase: 'ending' }, state: 'COMMITTING' },
    { when: { phase: 'ending', result: 'abort' }, state: 'ABORTING' },
  ]
  it.each(rows)('is $state with $when', ({ when, state, flushed = state }) => {
    const flushing = rulesOf('kafka-3.9', { config: { flushBeforeCommit: true } })
    expect(producerStateOf(rulesOf('kafka-3.9'), instance(when))).toBe(state)
    expect(producerStateOf(flushing, instance(when))).toBe(flushed)
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
