/** Clients that send to one partition each, or to one that their transaction does not have. */
import { describe, expect, it } from 'vitest'
import type { KafkaConfig } from '../../../spec/config.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import { advance, live, replicateLog, replyLost } from './steps.ts'

const start: NamedStep = ['Start', { client: 0 }]
const initialise: NamedStep = ['HandleInitProducerId', live()]
const handleProduce = (partition: number): NamedStep => ['HandleProduce', { ...live(), partition }]
const outputs = (run: Behaviour) =>
  [0, 1].map((at) =>
    run.state.partition[at]!.log.map((record) => (record.kind === 'data' ? record.input : '')),
  )

function producing(config: Partial<KafkaConfig>): Behaviour {
  const run = new Behaviour({ application: 'produce', outputPartitions: 2, ...config }).take(start)
  return config.producer === 'idempotent' ? run.take(initialise) : run
}

describe('outputs of one partition each', () => {
  it('go to the next partition for each input', () => {
    const run = producing({ producer: 'plain', partitioning: 'one partition' })
    expect(outputs(run.take(handleProduce(0), advance(0), handleProduce(1), advance(1)))).toEqual([[0], [1]])
    expect(run.client()).toBe('finished')
  })

  it.each(['plain', 'idempotent'] as const)('go to another one at each retry: %s', (producer) => {
    const run = producing({
      producer,
      inputs: 1,
      lostReplies: 1,
      partitioning: 'another partition at each retry',
    })
    run.take(handleProduce(0), replyLost(advance(0)), handleProduce(1), advance(1))
    expect([outputs(run), run.client()]).toEqual([[[0], [0]], 'finished'])
  })

  const refused: Record<string, Partial<KafkaConfig>> = {
    'only for the application': { partitioning: 'one partition', producer: 'transactional' },
    'more than one batch in flight': {
      partitioning: 'another partition at each retry',
      producer: 'plain',
      maxInFlight: 2,
    },
  }
  it.each(Object.entries(refused))('are not asked for with %s', (says, config) => {
    expect(() => producing(config)).toThrow(says)
  })
})

describe('a client that does not add its last partition', () => {
  it('has a coordinator that does not know it', () => {
    const run = producing({ preset: 'kafka-2.5', addedPartitions: 'all but the last' })
    run.take(initialise, replicateLog, ['HandleAddPartitions', live()])
    expect(run.state.coordinator[0]?.entry?.pendingState).toBe('Ongoing')
    expect(run.state.transactionLog[0]?.tail?.partitions).toEqual([0])
  })

  it('is one of version 1', () => {
    const says = 'clients of transaction.version 2, for which the leaders add them'
    expect(() => producing({ addedPartitions: 'all but the last' })).toThrow(says)
  })
})
