/** Transactional.ids that expire. */
import { describe, expect, it } from 'vitest'
import { presets, presetsWith } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import { begin, crash, failOver, getEpoch, handleProduce, live, output, replicateLog } from './steps.ts'

const expire: NamedStep = ['ExpireTransactionalId', { id: 0 }]

describe.each(presets)('%s: a transactional.id that expires', (preset) => {
  it('is forgotten once its tombstone is durable, and begins anew with a producer id of its own', () => {
    const run = new Behaviour({ preset, idExpirations: 1, crashes: 1, restarts: 1 }).take(...getEpoch())
    run.take(expire)
    expect([run.coordinator, run.record]).toEqual(['Empty(0){} last -1 -> Dead', 'Empty(0){}'])
    run.take(replicateLog)
    expect([run.coordinator, run.record]).toEqual(['unknown', 'none'])
    run.take(crash(), ...getEpoch())
    expect([run.record, run.reply()]).toEqual(['Empty(1:0){}', 'NONE (1:0)'])
  })

  it('lets every request wait until then', () => {
    const run = new Behaviour({ preset, idExpirations: 1, crashes: 1, restarts: 1 }).take(...getEpoch())
    run.take(crash(), expire, ['Start', { client: 0 }])
    expect(run.blockedBy(['HandleInitProducerId', live()])).toBe('no transition is pending')
  })

  it('is there again if the tombstone is lost with its coordinator', () => {
    const moved = (fate: 'kept' | 'lost') =>
      new Behaviour({ preset, idExpirations: 1, coordinatorFailovers: 1 }).take(
        ...getEpoch(),
        expire,
        failOver(fate),
      )
    expect(moved('lost').coordinator).toBe('Empty(0){} last -1')
    expect([moved('kept').coordinator, moved('kept').record]).toEqual(['unknown', 'none'])
  })

  it('is one without a transaction', () => {
    const run = new Behaviour({ preset, idExpirations: 1 })
    expect(run.blockedBy(expire)).toBe('nothing is open or pending')
    run.take(['Start', { client: 0 }], ['HandleInitProducerId', live()])
    expect(run.blockedBy(expire)).toBe('nothing is open or pending')
  })
})

describe('a session whose transactional.id has expired', () => {
  it.each(presetsWith(({ clientVersion }) => clientVersion === 1))('%s: cannot add partitions', (preset) => {
    const run = new Behaviour({ preset, idExpirations: 1 }).take(...getEpoch(), expire, replicateLog)
    run.take(...begin(), ['HandleAddPartitions', live()])
    expect(run.reply()).toBe('INVALID_PRODUCER_ID_MAPPING')
  })

  it.each(presetsWith(({ clientVersion }) => clientVersion === 2))('%s: cannot send', (preset) => {
    const run = new Behaviour({ preset, idExpirations: 1 }).take(...getEpoch(), expire, replicateLog)
    run.take(...begin(), handleProduce(), ['VerifyPartition', { partition: output }])
    expect([run.reply({ partition: output }), run.client()]).toEqual([
      'INVALID_PRODUCER_ID_MAPPING',
      'closed',
    ])
  })
})
