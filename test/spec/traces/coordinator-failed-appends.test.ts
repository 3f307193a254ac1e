/** Appends to the transaction log that are reported as failed. */
import { describe, expect, it } from 'vitest'
import { type PresetName, presetFlags } from '../../../spec/presets.ts'
import { presets, presetsWith } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  abortTimedOut,
  begin,
  complete,
  decide,
  failOver,
  getEpoch,
  handleProduce,
  live,
  mark,
  offsets,
  output,
  replicateLog,
  timeOut,
  workOfFirstTransaction,
} from './steps.ts'

const fail = (error: string): NamedStep => ['FailAppend', { id: 0 }, { 'the log answers': error }]
const rejected = fail('NOT_ENOUGH_REPLICAS')
const appendedAllTheSame = fail('REQUEST_TIMED_OUT')
const tooLarge = fail('MESSAGE_TOO_LARGE')

const endTxn: NamedStep = ['HandleEndTxn', live()]
const atEnd = (preset: PresetName, config = {}) =>
  new Behaviour({ preset, failedAppends: 1, ...config }).take(...workOfFirstTransaction(preset))

describe.each(presets)('%s: an append that fails', (preset) => {
  it.each(['NOT_ENOUGH_REPLICAS', 'REQUEST_TIMED_OUT'])(
    '%s: leaves the memory as it was, and the request waits',
    (error) => {
      const run = atEnd(preset).take(endTxn)
      const [before] = run.coordinator.split(' -> ')
      run.take(fail(error))
      expect([run.coordinator, run.reply(), run.record]).toEqual([before, 'none', 'Ongoing(0){0,1}'])
      expect(run.state.coordinator[0]!.entry!.failedEpochFence).toBe(false)
      run.take(...decide())
      expect(run.reply()).toMatch(/^NONE/)
      expect(run.take(...complete).record).toMatch(/^CompleteCommit/)
    },
  )

  it('of a new transactional.id leaves it in memory only', () => {
    const run = new Behaviour({ preset, failedAppends: 1 })
    run.take(['Start', { client: 0 }], ['HandleInitProducerId', live()], rejected)
    expect([run.coordinator, run.record, run.reply()]).toEqual(['Empty(-1){} last -1', 'none', 'none'])
    run.take(['HandleInitProducerId', live()], replicateLog)
    expect([run.record, run.reply()]).toEqual(['Empty(0){}', 'NONE (0)'])
  })

  it('is not possible for a last word: its append is repeated until it succeeds', () => {
    const run = atEnd(preset).take(...decide(), ...mark(output), ...mark(offsets))
    expect(run.blockedBy(['FailAppend', { id: 0 }])).toBe('its failure is reported')
    expect(run.take(replicateLog).record).toMatch(/^CompleteCommit/)
  })

  it('is not possible when nothing waits', () => {
    expect(atEnd(preset).blockedBy(['FailAppend', { id: 0 }])).toBe('an append waits for its replication')
  })
})

describe.each(presets)(
  '%s: a decision that is in the log although its append was reported as failed',
  (preset) => {
    const reported = () =>
      atEnd(preset, { coordinatorFailovers: 1, transactionTimeouts: 1 }).take(endTxn, appendedAllTheSame)

    it('is carried out by the next coordinator if it survives', () => {
      const run = reported().take(failOver('kept'))
      expect(run.coordinator).toMatch(/^PrepareCommit.* -> CompleteCommit$/)
      run.take(...complete, endTxn)
      expect(run.reply()).toMatch(/^NONE/)
    })

    it('is as if it had never been if it does not', () => {
      const run = reported().take(failOver('lost'))
      expect(run.coordinator).toBe('Ongoing(0){0,1} last -1')
    })

    it('is superseded by what is written later', () => {
      const run = reported().take(...timeOut)
      expect(run.record).toMatch(/^PrepareAbort/)
      expect(run.state.transactionLog[0]!.reportedFailed).toBeNull()
      run.take(failOver())
      expect(run.coordinator).toMatch(/^PrepareAbort/)
    })

    it('may survive without what was written after it', () => {
      const run = reported().take(abortTimedOut)
      const fate = 'the record not yet replicated is'
      expect(run.options(failOver())).toEqual({ [fate]: ['lost', 'kept', 'kept up to the failed one'] })
      run.take(['FailOver', { id: 0 }, { [fate]: 'kept up to the failed one' }])
      expect(run.coordinator).toMatch(/^PrepareCommit/)
      expect(run.take(...complete).record).toMatch(/^CompleteCommit/)
    })
  },
)

describe('an append that fails without the rule that ends its transition', () => {
  const stuck = (config: object, ...steps: NamedStep[]) =>
    new Behaviour({ failedAppends: 1, ...config }, ['failed append ends its transition']).take(...steps)

  it('leaves the request waiting for the end of a transition that is not under way (KAFKA-5351)', () => {
    const initialise: NamedStep = ['HandleInitProducerId', live()]
    const run = stuck({}, ['Start', { client: 0 }], initialise, rejected)
    expect([run.coordinator, run.record]).toEqual(['Empty(-1){} last -1 -> Empty', 'none'])
    expect(run.blockedBy(initialise)).toBe('no transition is pending')
    expect(run.blockedBy(replicateLog)).toBe('a record of the transaction log is not yet replicated')
  })

  it('keeps a transactional.id that was to expire from whoever wants it (KAFKA-7519)', () => {
    const run = stuck(
      { idExpirations: 1, application: 'produce' },
      ...getEpoch(),
      ['ExpireTransactionalId', { id: 0 }],
      rejected,
    )
    expect(run.coordinator).toBe('Empty(0){} last -1 -> Dead')
  })

  it('is healed by the next coordinator, which reads the log', () => {
    const initialise: NamedStep = ['HandleInitProducerId', live()]
    const run = stuck({ coordinatorFailovers: 1 }, ['Start', { client: 0 }], initialise, rejected)
    run.take(failOver(), initialise, replicateLog)
    expect([run.record, run.reply()]).toEqual(['Empty(1:0){}', 'NONE (1:0)'])
  })
})

describe('a record that is too large', () => {
  it.each(presetsWith(({ clientVersion }) => clientVersion === 1))('%s: is told to the client', (preset) => {
    const run = new Behaviour({ preset, failedAppends: 1 }).take(...getEpoch(), ...begin())
    run.take(['HandleAddPartitions', live()], tooLarge)
    expect(run.reply()).toBe('UNKNOWN_SERVER_ERROR')
    expect(run.coordinator).toBe('Empty(0){} last -1')
  })

  it.each(presetsWith(({ clientVersion }) => clientVersion === 1))(
    '%s: ends a transaction of which the coordinator knows nothing without EndTxn, and the next one begins',
    (preset) => {
      const run = new Behaviour({ preset, failedAppends: 1 }).take(...getEpoch(), ...begin())
      run.take(['HandleAddPartitions', live()], tooLarge)
      expect([run.client(), run.state.ghost.told]).toEqual([
        'running, fetching, epoch 0',
        { 's1.1': 'abort' },
      ])
      run.take(['FetchOffsets', { client: 0 }], ['HandleAddPartitions', live()], replicateLog)
      expect([run.record, run.client()]).toEqual(['Ongoing(0){0}', 'running, sending, epoch 0'])
    },
  )

  it.each(presetsWith(({ clientVersion }) => clientVersion === 2))(
    '%s: is told to the partition that asked',
    (preset) => {
      const run = new Behaviour({ preset, failedAppends: 1 }).take(...getEpoch(), ...begin())
      run.take(handleProduce(), ['VerifyPartition', { partition: output }], tooLarge)
      expect(run.reply({ partition: output })).toBe('UNKNOWN_SERVER_ERROR')
      expect(run.state.verification[output]).toEqual([])
    },
  )
})

describe('the abort of a timed out transaction whose append fails', () => {
  /** What the coordinator remembers, what the old client gets, and what the next attempt writes. */
  const rows = {
    early: {
      memory: 'Ongoing(1){0,1} last -1',
      failed: true,
      endTxn: 'PRODUCER_FENCED',
      next: 'PrepareAbort(1){0,1}',
    },
    double: {
      memory: 'Ongoing(1){0,1} last -1',
      failed: true,
      endTxn: 'PRODUCER_FENCED',
      next: 'PrepareAbort(2){0,1}',
    },
    single: {
      memory: 'Ongoing(0){0,1} last -1',
      failed: false,
      endTxn: 'NONE (1)',
      next: 'PrepareAbort(1){0,1}',
    },
  }
  it.each(presets)('%s: keeps the raised epoch only where memory was raised before', (preset) => {
    const run = atEnd(preset, { transactionTimeouts: 2 }).take(abortTimedOut, rejected)
    const row = rows[presetFlags[preset].fenceBump]
    expect(run.coordinator).toBe(row.memory)
    expect(run.state.coordinator[0]!.entry!.failedEpochFence).toBe(row.failed)
    expect(run.record).toBe('Ongoing(0){0,1}')
    const again = atEnd(preset, { transactionTimeouts: 2 }).take(abortTimedOut, rejected, ...timeOut)
    expect(again.record).toBe(row.next)
    run.take(endTxn, ...(row.failed ? [] : [replicateLog]))
    expect(run.reply()).toBe(row.endTxn)
  })
})
