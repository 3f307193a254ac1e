/** What a configuration must be able to do, or it proves nothing. */
import { type Property, reachable } from '../../checker/model.ts'
import { namesMember } from '../protocol/offset-commit.ts'
import type { Protocol } from '../protocol/protocol.ts'
import type { KafkaState, Partition } from '../state.ts'
import { isStill } from './still.ts'

export function witnesses(protocol: Protocol): Property<KafkaState>[] {
  const { config } = protocol
  const all: { when: boolean; property: Property<KafkaState> }[] = [
    {
      when: true,
      property: reachable(
        'all inputs are processed',
        ({ group, instance }: KafkaState) =>
          config.application === 'produce'
            ? instance.some(({ status }) => status === 'finished')
            : group.committed >= config.inputs,
        {
          summary: 'The work can be done to its end.',
          sources: ['KafkaProducer.sendOffsetsToTransaction', 'KIP-98'],
        },
      ),
    },
    {
      when: config.producer === 'transactional',
      property: reachable(
        'a transaction is committed',
        (state: KafkaState) => Object.values(state.ghost.decisions).includes('commit'),
        { summary: 'A commit can be decided.', sources: ['KafkaProducer.commitTransaction', 'KIP-98'] },
      ),
    },
    {
      when: config.producer === 'transactional' && config.faults > 0 && mayAbort(protocol),
      property: reachable(
        'a transaction is aborted',
        (state: KafkaState) => Object.values(state.ghost.decisions).includes('abort'),
        { summary: 'An abort can be decided.', sources: ['KafkaProducer.abortTransaction', 'KIP-98'] },
      ),
    },
    {
      when: config.faults > 0 && config.pauses > 0 && config.instances > 1 && isShared(config),
      property: reachable('a session is fenced', ({ ghost }: KafkaState) => ghost.fenced, {
        summary: 'A session that was replaced learns of it.',
        sources: ['KIP-98', 'TransactionCoordinator.handleInitProducerId'],
      }),
    },
    {
      when: config.faults > 0 && config.coordinatorFailovers > 0,
      property: reachable(
        'a successor completes a transaction',
        ({ coordinator }: KafkaState) =>
          coordinator.some(
            ({ coordinatorEpoch, entry }) => coordinatorEpoch > 0 && entry?.state === 'CompleteCommit',
          ),
        {
          summary: 'A new coordinator can carry a decision to its end.',
          sources: ['TransactionCoordinator.onElection'],
        },
      ),
    },
    {
      when: config.producer === 'plain' && config.faults > 0 && config.lostReplies + config.lateRequests > 0,
      property: reachable('a record is in a log twice', ({ partition }) => partition.some(isRepeated), {
        summary: 'Without sequence numbers a batch that is sent again is appended again.',
        sources: ['enable.idempotence', 'KIP-98'],
      }),
    },
    {
      when: config.acks === '0' && config.faults > 0 && config.lostRequests > 0,
      property: reachable(
        'a record is lost and nobody notices',
        (state) =>
          isStill(state) &&
          state.instance.some(({ status }) => status === 'finished') &&
          state.partition.slice(0, config.outputPartitions).some(({ log }) => log.length < expected(config)),
        {
          summary: 'Without acknowledgements a producer finishes although a batch never arrived.',
          sources: ['acks'],
        },
      ),
    },
  ]
  return all.filter(({ when }) => when).map(({ property }) => property)
}

const expected = ({ inputs, recordsPerOutput }: Protocol['config']) => inputs * recordsPerOutput

/** Two records of a log were made from the same input. */
function isRepeated({ log }: Partition): boolean {
  const made = log.flatMap((record) => (record.kind === 'data' ? [`${record.input} ${record.part}`] : []))
  return new Set(made).size < made.length
}

const isShared = ({ transactionalIds }: Protocol['config']) => transactionalIds === 'shared'

const mayAbort = (protocol: Protocol): boolean => {
  const { transactionTimeouts, applicationAborts, deliveryTimeouts } = protocol.config
  return isReplaced(protocol) || transactionTimeouts + applicationAborts + deliveryTimeouts > 0
}

/** Whether a session can be replaced and its transaction aborted: by one of its transactional.id, or by a new owner. */
function isReplaced(protocol: Protocol): boolean {
  const { crashes, pauses, restarts, instances, transactionalIds } = protocol.config
  if (isShared(protocol.config)) return crashes + pauses > 0 && (restarts > 0 || instances > 1)
  const sameId = transactionalIds === 'own' && crashes > 0 && restarts > 0
  return sameId || (pauses > 0 && instances > 1 && namesMember(protocol, 'TxnOffsetCommit'))
}
