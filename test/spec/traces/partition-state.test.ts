/** A partition loses what it remembers of a producer, or records that were replicated. */
import { describe, expect, it } from 'vitest'
import type { KafkaConfig } from '../../../spec/config.ts'
import type { PresetName } from '../../../spec/presets.ts'
import { presets, presetsWith } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  addFirst,
  begin,
  clientAdds,
  commitOffsets,
  complete,
  decide,
  getEpoch,
  handleProduce,
  offsets,
  output,
  produceFirst,
  question,
  workOfFirstTransaction,
} from './steps.ts'

const end = 'the log of the new leader ends at'
const lateProduce: NamedStep = ['HandleProduce', { client: 0, partition: output, copy: 'late' }]
const reload: NamedStep = ['ReloadFromSnapshot', { partition: output }]
const expire = (partition: number): NamedStep => ['ExpireProducer', { partition }]
const deleteRecords: NamedStep = ['DeleteRecords', { partition: output }]
const elect = (last: number): NamedStep => ['ElectUncleanly', { partition: output }, { [end]: last }]

/** The first transaction is committed and complete. */
const committed = (preset: PresetName, changes: Partial<KafkaConfig>) =>
  new Behaviour({ preset, ...changes }).take(...workOfFirstTransaction(preset), ...decide(), ...complete)

describe.each(presets)('%s: a replica that read a snapshot', (preset) => {
  /** The client has two batches in the log and does not read the answers: it sends both again when the leader changes. */
  const unread = (fault: 'leaderChanges' | 'snapshotReloads') => {
    const run = new Behaviour({ preset, recordsPerOutput: 2, maxInFlight: 2, pauses: 1, [fault]: 2 })
    run.take(...getEpoch(), ...begin(), ...addFirst(preset), ['Pause', { client: 0 }])
    return run.take(...produceFirst(preset), handleProduce())
  }

  it('remembers the last batch of each producer, and the open transaction', () => {
    const run = unread('snapshotReloads')
    expect(run.leader(output)).toBe('epoch 0 [0,1] open 0 coordinator -1')
    expect(run.take(reload).leader(output)).toBe('epoch 0 [1] open 0 coordinator -1')
  })

  it('takes an older batch that comes again for one out of order, and does not append it', () => {
    const run = unread('snapshotReloads').take(reload, handleProduce())
    expect(run.reply({ partition: output })).toBe('OUT_OF_ORDER_SEQUENCE_NUMBER')
    expect(run.log(output)).toEqual(['#0(0)', '#1(0)'])
  })

  it('differs in that from a replica that remembers all it may', () => {
    const run = unread('leaderChanges').take(
      ['ChangeLeader', { partition: output }, { [end]: 2 }],
      handleProduce(),
    )
    expect(run.reply({ partition: output })).toBe('NONE')
  })
})

describe.each(presets)('%s: a producer that a partition forgets', (preset) => {
  it('is one without an open transaction', () => {
    const open = new Behaviour({ preset, producerExpirations: 1 }).take(...workOfFirstTransaction(preset))
    expect(open.blockedBy(expire(output))).toBe('an idle producer is known')
  })

  it('is unknown from then on, and only in that partition', () => {
    const run = committed(preset, { producerExpirations: 1 }).take(expire(output))
    expect(run.leader(output)).toBe('unknown')
    expect(run.leader(offsets)).toMatch(/^epoch \d \[\] closed/)
    expect(run.state.budget.producerExpirations).toBe(0)
  })
})

describe.each(presetsWith(({ verification }) => verification !== 'off'))('%s: an idle producer', (preset) => {
  it('has no request in verification; a guard that a refused one has left goes with it', () => {
    const run = committed(preset, { producerExpirations: 1, refusedBatches: 1 })
    run.take(...addFirst(preset), handleProduce())
    expect(run.blockedBy(expire(output))).toBe('an idle producer is known')
    run.take(...question(preset, output), ['RefuseVerifiedBatch', { partition: output }])
    expect(run.state.partition[output]!.guards).toHaveLength(1)
    run.take(expire(output))
    expect([run.leader(output), run.state.partition[output]!.guards]).toEqual(['unknown', []])
  })
})

/** The first batch is delayed and sent again, its transaction is committed, and the partition forgets the producer. */
function expiredWithLateBatch(preset: PresetName) {
  const run = new Behaviour({ preset, lateRequests: 1, producerExpirations: 1 })
  run.take(...getEpoch(), ...begin(), ...addFirst(preset), ['DelayRequest', { client: 0, broker: output }])
  run.take(...produceFirst(preset), ...commitOffsets(preset), ...decide(), ...complete)
  return run.take(expire(output), lateProduce)
}

describe('a late batch of a producer that the partition has forgotten', () => {
  it.each(presetsWith(({ verification }) => verification === 'off'))(
    '%s: is appended a second time, and hangs',
    (preset) => {
      const run = expiredWithLateBatch(preset)
      expect(run.log(output)).toEqual(['#0(0)', 'commit(0) by 0', '#0(0)'])
      expect([run.leader(output), run.record]).toEqual([
        'epoch 0 [0] open 2 coordinator -1',
        'CompleteCommit(0){}',
      ])
    },
  )

  it.each(presetsWith(({ verification }) => verification !== 'off'))(
    '%s: is appended only if the coordinator knows the transaction',
    (preset) => {
      const run = expiredWithLateBatch(preset)
      expect(run.state.verification[output]).toMatchObject([{ phase: 'to be verified', late: true }])
      const log = run.log(output)
      run.take(['VerifyPartition', { partition: output }])
      expect([run.log(output), run.state.verification[output]]).toEqual([log, []])
    },
  )
})

describe.each(presets)('%s: deleted records', (preset) => {
  const forgets = presetsWith(({ stateDiesWithRecords }) => stateDiesWithRecords).includes(preset)

  it('are the stable ones', () => {
    const run = new Behaviour({ preset, deletedRecords: 1 }).take(...workOfFirstTransaction(preset))
    expect(run.blockedBy(deleteRecords)).toBe('stable records are left')
  })

  it(`${forgets ? 'take' : 'do not take'} the state of their producer with them`, () => {
    const run = committed(preset, { deletedRecords: 1 })
    const before = run.leader(output)
    run.take(deleteRecords)
    expect(run.state.partition[output]!.logStart).toBe(2)
    expect(run.leader(output)).toBe(forgets ? 'unknown' : before)
  })
})

describe.each(presets)('%s: an unclean election', (preset) => {
  const epoch = clientAdds(preset) ? 0 : 1

  it('loses any number of replicated records', () => {
    const run = committed(preset, { uncleanElections: 1 })
    expect(run.options(['ElectUncleanly', { partition: output }])).toEqual({ [end]: [0, 1] })
    expect(run.take(elect(0)).log(output)).toEqual([])
    expect([run.leader(output), run.state.partition[output]!.highWatermark]).toEqual(['unknown', 0])
  })

  it('that loses a marker leaves a transaction open that no coordinator knows', () => {
    const run = committed(preset, { uncleanElections: 1 }).take(elect(1))
    expect([run.leader(output), run.record]).toEqual([
      'epoch 0 [0] open 0 coordinator -1',
      `CompleteCommit(${epoch}){}`,
    ])
    expect(run.state.markers[output]).toEqual([])
  })

  it('needs a record that is replicated', () => {
    const run = new Behaviour({ preset, uncleanElections: 1 }).take(...getEpoch())
    expect(run.blockedBy(['ElectUncleanly', { partition: output }])).toBe(
      'a replica may lack a replicated record',
    )
  })
})
