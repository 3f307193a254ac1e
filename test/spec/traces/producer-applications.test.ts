/** Applications that only produce, and transactions with several inputs. */
import { describe, expect, it } from 'vitest'
import type { KafkaConfig } from '../../../spec/config.ts'
import type { PresetName } from '../../../spec/presets.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  addFirst,
  advance,
  begin,
  commitOffsets,
  complete,
  decide,
  getEpoch,
  handleOffsets,
  handleProduce,
  late,
  live,
  mark,
  offsets,
  output,
  produceFirst,
  replicateLog,
  replyLost,
} from './steps.ts'

const start: NamedStep = ['Start', { client: 0 }]
const initialise: NamedStep = ['HandleInitProducerId', live()]
const lateProduce: NamedStep = ['HandleProduce', { client: 0, partition: output, copy: 'late' }]
const refuse: NamedStep = ['RefuseBatch', { client: 0, partition: output }]

function producing(producer: KafkaConfig['producer'], config: Partial<KafkaConfig> = {}): Behaviour {
  const run = new Behaviour({ preset: 'kafka-4.4', application: 'produce', producer, ...config }).take(start)
  return producer === 'idempotent' ? run.take(initialise) : run
}
const inputs = (run: Behaviour) =>
  run.state.partition[output]!.log.map((record) => (record.kind === 'data' ? record.input : record.kind))

describe('a reply that is lost', () => {
  const repeated = (producer: KafkaConfig['producer']) =>
    producing(producer, { lostReplies: 1 }).take(handleProduce(), replyLost(advance(output)), handleProduce())

  it('has a plain producer write its record twice', () => {
    expect(inputs(repeated('plain'))).toEqual([0, 0])
  })

  it('is nothing to an idempotent one', () => {
    const run = repeated('idempotent')
    expect([inputs(run), run.leader(output)]).toEqual([[0], 'epoch 0 [0] closed coordinator -1'])
    expect(run.take(handleProduce(), advance(output)).client()).toBe('finished')
  })
})

describe('a batch that is refused while the next one is in flight', () => {
  const refused = (run: Behaviour) => run.take(refuse, handleProduce())
  const config = { refusedBatches: 1, maxInFlight: 2 }

  it('is overtaken by it from a plain producer', () => {
    const run = refused(producing('plain', config)).take(advance(output), handleProduce())
    expect(inputs(run)).toEqual([1, 0])
  })

  it('is not from an idempotent one: the next one is out of order, and repeated after it', () => {
    const known = producing('idempotent', { ...config, inputs: 3 }).take(handleProduce(), advance(output))
    const run = refused(known)
    expect([run.reply({ partition: output }), inputs(run)]).toEqual(['OUT_OF_ORDER_SEQUENCE_NUMBER', [0]])
    run.take(handleProduce(), advance(output), handleProduce(), advance(output))
    expect([inputs(run), run.client()]).toEqual([[0, 1, 2], 'finished'])
  })

  it('is shut out by it where the partition does not know the producer, which accepts any sequence', () => {
    const run = refused(producing('idempotent', config)).take(advance(output), handleProduce())
    expect([run.reply({ partition: output }), inputs(run)]).toEqual(['OUT_OF_ORDER_SEQUENCE_NUMBER', [1]])
    expect(run.state.instance[0]).toMatchObject({ unacknowledged: [1], lastAcknowledged: [1] })
  })
})

describe('acknowledgements', () => {
  it('acks=1: when the leader has the record', () => {
    const run = producing('plain', { acks: '1', inputs: 1 }).take(handleProduce())
    expect([run.reply({ partition: output }), run.client()]).toEqual(['NONE', 'finished'])
    expect(run.state.partition[output]!.highWatermark).toBe(0)
  })

  it('acks=all: when it is replicated', () => {
    const run = producing('plain', { inputs: 1 }).take(handleProduce())
    expect(run.client()).toBe('running, sending, epoch -1')
    expect(run.take(advance(output)).client()).toBe('finished')
  })

  it('acks=0: when it is sent, whatever becomes of it', () => {
    const run = producing('plain', { acks: '0', lostRequests: 1 })
    expect(run.client()).toBe('finished')
    run.take(['LoseRequest', { client: 0, broker: output }])
    expect([run.possible, run.state.partition[output]!.log]).toEqual([[], []])
  })
})

describe('an idempotent producer whose batch was given up', () => {
  const give = (surviving: number): NamedStep => [
    'ExpireBatch',
    { client: 0, partition: output },
    { 'its connection': 'is closed', 'how many of the requests on the wire still arrive': surviving },
  ]
  /** The first of three records is acknowledged, and the second given up while the third is on the wire, too. */
  const givenUp = (surviving: number, config: Partial<KafkaConfig> = {}) => {
    const run = producing('idempotent', { deliveryTimeouts: 1, maxInFlight: 2, inputs: 3, ...config })
    return run.take(handleProduce(), advance(output), give(surviving))
  }

  it('raises its epoch by itself, and numbers from 0 what is in flight (KIP-360)', () => {
    const run = givenUp(1).take(handleProduce())
    expect([run.reply({ partition: output }), run.client()]).toEqual([
      'OUT_OF_ORDER_SEQUENCE_NUMBER',
      'running, sending, epoch 1',
    ])
    run.take(handleProduce(), advance(output))
    expect([run.log(output), run.client()]).toEqual([['#0(0)', '#0(1)'], 'finished'])
    expect(run.take(lateProduce).log(output)).toEqual(['#0(0)', '#0(1)'])
  })

  it('writes a record twice if the first copies of both come before that', () => {
    const run = givenUp(2).take(handleProduce(), lateProduce, lateProduce, handleProduce())
    expect([run.log(output), inputs(run)]).toEqual([
      ['#0(0)', '#1(0)', '#2(0)', '#0(1)'],
      [0, 1, 2, 2],
    ])
  })

  it('goes on at its epoch if the given up batch is in the log, as the next one shows', () => {
    const run = givenUp(1).take(lateProduce, handleProduce(), advance(output))
    expect([run.log(output), run.client()]).toEqual([['#0(0)', '#1(0)', '#2(0)'], 'finished'])
  })

  it('asks for another producer id where no epoch is left', () => {
    const run = givenUp(1, { maxEpoch: 2, deliveryTimeouts: 3, recordsPerOutput: 2 }).take(handleProduce())
    run.take(give(1), handleProduce())
    expect(run.client()).toBe('running, sending, epoch 2')
    run.take(give(1), handleProduce())
    expect(run.client()).toBe('running, initialising, epoch -1')
    expect(run.state.connection[0]!.partition[output]!.requests).toEqual([])
    run.take(initialise, handleProduce(), advance(output))
    expect([run.client(), run.log(output)]).toEqual(['running, sending, epoch 1:0', ['#0(0)', '#0(1:0)']])
  })

  it('kafka-1.1: gives up the next one too, and asks for another producer id', () => {
    const run = givenUp(1, { preset: 'kafka-1.1', inputs: 4, attempts: 4 }).take(handleProduce())
    expect(run.client()).toBe('running, initialising, epoch -1')
    run.take(initialise, handleProduce(), advance(output))
    expect([run.log(output), inputs(run), run.client()]).toEqual([['#0(0)', '#0(1:0)'], [0, 3], 'finished'])
  })
})

describe('two inputs in one transaction', () => {
  const config = { inputsPerTransaction: 2 } as const
  const halfWay = (preset: PresetName, changes: Partial<KafkaConfig> = {}) => {
    const run = new Behaviour({ preset, ...config, ...changes }).take(...getEpoch(), ...begin())
    return run.take(...addFirst(preset), ...produceFirst(preset))
  }
  /** The group's partition takes part already: its leader does not ask again. */
  const commitAgain = (preset: PresetName): readonly NamedStep[] => [
    ...(preset === 'kafka-3.9' ? [['HandleAddPartitions', live()] as NamedStep] : []),
    handleOffsets(),
    advance(offsets),
  ]

  describe.each(['kafka-3.9', 'kafka-4.4'] as const)('%s', (preset) => {
    it('commits the second offset after the first was answered, and ends once', () => {
      const run = halfWay(preset).take(...commitOffsets(preset))
      expect(run.state.instance[0]).toMatchObject({ position: 1, processed: 1, offsetsPending: true })
      run.take(handleProduce(), advance(output), ...commitAgain(preset), ...decide(), ...complete)
      expect([run.group, run.client()]).toEqual(['generation 1, committed 2', 'finished'])
    })

    it('goes back behind the first offset if the first one comes late, after the second', () => {
      const run = halfWay(preset, { lateRequests: 1 })
      if (preset === 'kafka-3.9') run.take(...addFirst(preset))
      run.take(['DelayRequest', { client: 0, broker: offsets }])
      const first = commitOffsets(preset).slice(preset === 'kafka-3.9' ? 2 : 0)
      run.take(...first, handleProduce(), advance(output), ...commitAgain(preset))
      expect(run.group).toBe('generation 1, committed 0, pending 2')
      run.take(['HandleOffsetCommit', late()], advance(offsets), ...decide(), ...complete)
      expect([run.group, run.client()]).toEqual(['generation 1, committed 1', 'finished'])
      expect(inputs(run)).toEqual([0, 1, 'marker'])
    })
  })
})

describe('a transaction without offsets', () => {
  it.each(['kafka-3.9', 'kafka-4.4'] as const)(
    '%s: is committed when its batches are acknowledged',
    (preset) => {
      const run = producing('transactional', { preset, inputs: 1 }).take(initialise, replicateLog)
      run.take(...addFirst(preset), ...produceFirst(preset), ...decide(), ...mark(output), replicateLog)
      expect([inputs(run), run.client(), run.state.ghost.told]).toEqual([
        [0, 'marker'],
        'finished',
        { 's1.1': 'commit' },
      ])
    },
  )
})
