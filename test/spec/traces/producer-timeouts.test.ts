/** Batches and calls that are given up: what the client does then, and what it cannot know. */
import { describe, expect, it } from 'vitest'
import type { KafkaConfig } from '../../../spec/config.ts'
import type { PresetName } from '../../../spec/presets.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  addFirst,
  advance,
  appendVerified,
  begin,
  commitOffsets,
  complete,
  decide,
  getEpoch,
  handleProduce,
  live,
  mark,
  offsets,
  output,
  replicateLog,
  verified,
  workOfFirstTransaction,
} from './steps.ts'

const expire = (connection: 'is closed' | 'stays open' = 'is closed'): NamedStep => [
  'ExpireBatch',
  { client: 0, partition: output },
  { 'its connection': connection },
]
const abandon: NamedStep = ['AbandonTransaction', { client: 0 }]
const lateProduce: NamedStep = ['HandleProduce', { client: 0, partition: output, copy: 'late' }]

/** The offsets are acknowledged, and batches are on the wire: commitTransaction waits for them. */
function committing(preset: PresetName, config: Partial<KafkaConfig> = {}): Behaviour {
  const run = new Behaviour({ preset, deliveryTimeouts: 1, ...config }).take(...getEpoch(), ...begin())
  return run.take(...addFirst(preset), ...commitOffsets(preset))
}

describe('a batch that was sent again and is given up while the transaction is being committed', () => {
  const raising: readonly PresetName[] = ['kafka-2.5', 'kafka-3.6', 'kafka-3.9', 'kafka-4.4-tv1']

  it.each(raising)('%s: has the epoch raised although commitTransaction was called', (preset) => {
    const run = committing(preset).take(expire())
    expect(run.state.instance[0]).toMatchObject({
      phase: 'ending',
      result: 'abort',
      epochBumpRequired: true,
      bumpTooLate: false,
    })
    run.take(...decide(), ...complete)
    expect(run.client()).toBe('running, raising the epoch, epoch 0')
  })

  it.each(['kafka-4.1', 'kafka-4.4'] as const)(
    '%s: leaves the epoch to the end of the transaction',
    (preset) => {
      const run = committing(preset).take(expire(), ...decide(), ...mark(offsets), replicateLog)
      expect(run.client()).toBe('running, fetching, epoch 1')
    },
  )

  it('kafka-1.1: is fatal, as no sequence can be accounted for', () => {
    expect(committing('kafka-1.1').take(expire()).client()).toBe('closed')
  })

  it.each(raising)('%s: has it raised on a connection that stays too', (preset) => {
    const run = committing(preset, { lostRequests: 1 })
    run.take(['LoseRequest', { client: 0, broker: output }], expire('stays open'))
    expect(run.state.instance[0]).toMatchObject({ epochBumpRequired: true, bumpTooLate: false })
  })

  it('kafka-3.9: does not have it raised if it was sent once, on a connection that stays', () => {
    const run = committing('kafka-3.9').take(expire('stays open'), ...decide(), ...complete)
    expect(run.client()).toBe('running, fetching, epoch 0')
  })
})

describe('a batch that was sent again and is given up while the transaction is being aborted', () => {
  const aborting = (preset: PresetName) =>
    committing(preset, { applicationAborts: 1 }).take(abandon, expire())

  it.each(['kafka-2.5', 'kafka-3.9', 'kafka-4.4-tv1'] as const)(
    '%s: leads to a dead end: the abort succeeds, but the next transaction cannot begin',
    (preset) => {
      const run = aborting(preset)
      expect(run.state.instance[0]).toMatchObject({ epochBumpRequired: true, bumpTooLate: true })
      run.take(...decide())
      expect([run.reply(), run.client(), run.state.ghost.told]).toEqual([
        'NONE',
        'closed',
        { 's1.1': 'abort' },
      ])
    },
  )

  it('kafka-4.4: is forgotten with the epoch', () => {
    const run = aborting('kafka-4.4').take(...decide(), ...mark(offsets), replicateLog)
    expect(run.client()).toBe('running, fetching, epoch 1')
  })
})

describe('the first of two batches in flight is given up on a connection that is closed', () => {
  const survivors = (count: number) => ({ 'how many of the requests on the wire still arrive': count })
  const expireFirst = (count: number): NamedStep => {
    const [action, args, choices] = expire()
    return [action, args, { ...choices, ...survivors(count) }]
  }
  const two = { recordsPerOutput: 2, maxInFlight: 2 }
  const expired = (count: number) => committing('kafka-3.9', two).take(expireFirst(count))

  it('the other one is sent again, and the first ones sent come late, in order', () => {
    const run = expired(2)
    expect(run.state.connection[0]!.partition[output]).toMatchObject({
      requests: [{ sequence: 1, retried: true }],
      late: [[{ sequence: 0 }, { sequence: 1 }]],
    })
    expect(run.state.instance[0]).toMatchObject({ unacknowledged: [1], unresolved: [true], result: 'abort' })
  })

  it('the tail may be lost', () => {
    expect(expired(1).state.connection[0]!.partition[output]!.late).toMatchObject([[{ sequence: 0 }]])
  })

  it('is accounted for when the other one is acknowledged: it must be in the log', () => {
    const run = expired(1).take(lateProduce, ...verified(output), appendVerified(output), handleProduce())
    run.take(advance(output))
    expect(run.log(output)).toEqual(['#0(0)', '#1(0)'])
    expect(run.state.instance[0]).toMatchObject({
      phase: 'ending',
      unresolved: [false],
      lastAcknowledged: [1],
      epochBumpRequired: false,
    })
  })

  it('is not when the other one is refused: the epoch is to be raised too late, after the abort was called', () => {
    const run = committing('kafka-3.9', { recordsPerOutput: 3, maxInFlight: 3 })
    run.take(handleProduce(), ...verified(output), appendVerified(output), advance(output), expireFirst(1))
    run.take(handleProduce())
    expect([run.reply({ partition: output }), run.log(output)]).toEqual([
      'OUT_OF_ORDER_SEQUENCE_NUMBER',
      ['#0(0)'],
    ])
    expect(run.state.instance[0]).toMatchObject({ phase: 'ending', unresolved: [false], bumpTooLate: true })
    expect(run.take(...decide()).client()).toBe('closed')
  })
})

describe('a call that times out', () => {
  const close: NamedStep = ['TimeOutCall', { client: 0 }]
  const surviving = (name: string): NamedStep =>
    [...close.slice(0, 2), { 'requests that still arrive': [name] }] as never

  it.each(['kafka-3.9', 'kafka-4.4'] as const)('%s: commits although the producer is closed', (preset) => {
    const run = new Behaviour({ preset, callTimeouts: 1 }).take(...workOfFirstTransaction(preset))
    run.take(surviving('EndTxn of s1.1 to coordinator'))
    expect([run.client(), run.state.ghost.told]).toEqual(['closed', {}])
    run.take(['HandleEndTxn', { client: 0, copy: 'late' }], replicateLog, ...complete)
    expect([run.group, run.state.ghost.decisions]).toEqual([
      'generation 1, committed 1',
      { 's1.1': 'commit' },
    ])
  })

  it('is one of initTransactions, commitTransaction or abortTransaction', () => {
    const run = new Behaviour({ preset: 'kafka-3.9', callTimeouts: 1 }).take(['Start', { client: 0 }])
    const waits = 'a call waits for initTransactions, commitTransaction or abortTransaction'
    expect(run.blockedBy(close)).toBeUndefined()
    run.take(['HandleInitProducerId', live()], replicateLog, ...begin(), ...addFirst('kafka-3.9'))
    expect(run.blockedBy(close)).toBe(waits)
    run.take(...commitOffsets('kafka-3.9'))
    expect(run.blockedBy(close)).toBeUndefined()
  })
})

describe('a producer id that the coordinator does not know any more', () => {
  const expired = (preset: PresetName) => {
    const run = new Behaviour({ preset, idExpirations: 1 }).take(
      ...workOfFirstTransaction(preset),
      ...decide(),
    )
    run.take(...complete, ['HandleAddPartitions', live()], replicateLog)
    return run
  }
  const idExpires: NamedStep = ['ExpireTransactionalId', { id: 0 }]
  const refused = (preset: PresetName) => {
    const run = new Behaviour({ preset, idExpirations: 1 }).take(
      ...workOfFirstTransaction(preset),
      ...decide(),
    )
    return run.take(...complete, idExpires, replicateLog, ['HandleAddPartitions', live()])
  }

  it('is not that of an open transaction', () => {
    expect(expired('kafka-3.9').blockedBy(idExpires)).toBeDefined()
  })

  it.each(['kafka-2.5', 'kafka-3.9'] as const)('%s: is replaced without an EndTxn (KIP-360)', (preset) => {
    const run = refused(preset)
    expect([run.reply(), run.client()]).toEqual([
      'INVALID_PRODUCER_ID_MAPPING',
      'running, raising the epoch, epoch 0',
    ])
    run.take(['HandleInitProducerId', live()], replicateLog)
    expect([run.reply(), run.client()]).toEqual(['NONE (1:0)', 'running, fetching, epoch 1:0'])
  })

  it.each(['kafka-1.1', 'kafka-4.4-tv1'] as const)('%s: closes the producer', (preset) => {
    expect(refused(preset).client()).toBe('closed')
  })
})
