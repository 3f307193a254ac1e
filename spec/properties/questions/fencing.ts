/** Sessions that follow each other under one transactional.id: who is refused, by whom, and who hears what of it. */
import { always, leadsTo, type Property, reachable, transition } from '../../../checker/model.ts'
import { readCommitted } from '../../protocol/consumer.ts'
import type { Protocol } from '../../protocol/protocol.ts'
import { outputsOf } from '../../protocol/topology.ts'
import { canTimeOut } from '../../protocol/transaction-coordinator/fence.ts'
import type { ErrorName, Instance, KafkaState, Partition, Reply } from '../../state.ts'
import { endRequestIn } from '../fencing.ts'
import { isWritten } from '../logs.ts'

/** @param steps the names of the actions that are no faults */
export const fencingQuestions = (protocol: Protocol, steps: readonly string[]): Property<KafkaState>[] => [
  nothingAppended,
  noFurtherEpoch,
  partitionLearnsNothing,
  sameProducerId,
  unknownProducer,
  ...epochErrors,
  goesOnAfterTimeout,
  endsBeforeTheEpoch,
  duelWithoutOutput(protocol),
  ...(protocol.config.application === 'produce' ? [] : [waitsForTimeout, decidedOffsets(steps)]),
]

const nothingAppended: Property<KafkaState> = always(
  'replaced sessions append nothing',
  ({ partition }: KafkaState, claim) => {
    for (const [index, { log }] of partition.entries()) {
      const offset = log.findIndex((record) => isWritten(record) && record.fenced)
      claim.that('none of its records is of a session that was replaced', offset < 0, {
        partition: index,
        offset,
      })
    }
  },
  {
    summary:
      'After a session got its epoch no earlier one of the transactional.id appends anything, visible or not.',
    sources: ['KIP-98', 'KIP-890'],
  },
)

const noFurtherEpoch: Property<KafkaState> = transition(
  'a session that was replaced gets no other epoch',
  (before: KafkaState, after: KafkaState, claim) => {
    for (const [id, session] of after.ghost.newestSession.entries()) {
      const newest = before.ghost.newestSession[id] as number
      // Of two that start at the same time the one that is served last is the newer one.
      const had = before.instance.some((one) => one.session === session && one.producerEpoch >= 0)
      claim.that('its successor stays the newest', session >= newest || !had, { id, newest, session })
    }
  },
  {
    summary: 'A session that had an epoch and whose successor has one is never given another one.',
    sources: ['KIP-360', 'TransactionCoordinator.prepareInitProducerIdTransit'],
  },
)

const partitionLearnsNothing: Property<KafkaState> = reachable(
  'a partition has heard of no epoch above that of a session that was replaced',
  ({ coordinator, partition, instance, ghost }: KafkaState) =>
    instance.some(({ session, transactionalId, producerId, producerEpoch }) => {
      const newest = ghost.newestSession[transactionalId] ?? 0
      const isRivalAtWork = instance.some(
        (one) => one.session === newest && one.producerEpoch > producerEpoch,
      )
      return (
        producerEpoch >= 0 &&
        session < newest &&
        isRivalAtWork &&
        coordinator[transactionalId]?.entry?.producerId === producerId &&
        partition.some(({ producers }) =>
          producers.every((one) => one.producerId !== producerId || one.producerEpoch <= producerEpoch),
        )
      )
    }),
  {
    summary: 'Markers carry an epoch to the partitions of a transaction, and nothing carries it to others.',
    sources: ['ProducerAppendInfo.appendEndTxnMarker', 'KIP-890'],
  },
)

const sameProducerId: Property<KafkaState> = always(
  'a transactional.id keeps its producer id',
  ({ instance, transactionLog }: KafkaState, claim) => {
    for (const { transactionalId: id, session, producerId } of instance) {
      const written = transactionLog[id]?.committed?.producerId
      if (producerId < 0 || written === undefined) continue
      claim.that('its last record names that of its sessions', written === producerId, {
        id,
        session,
        producerId,
        written,
      })
    }
  },
  {
    summary:
      'What the transaction log names as the producer of a transactional.id is what its sessions were given.',
    sources: ['TransactionMetadata.prepareProducerIdRotation', 'transactional.id.expiration.ms'],
  },
)

/** Replies that a client has not taken up, as it was paused. */
const waiting = ({ connection }: KafkaState): Reply[] =>
  connection.flatMap(({ coordinator, partition }) =>
    [coordinator, ...partition].flatMap(({ replies }) => replies),
  )

const isReplaced = ({ ghost }: KafkaState, { request }: Reply): boolean =>
  request.session !== ghost.newestSession[request.transactionalId]

const unknownProducer: Property<KafkaState> = reachable(
  'a replaced producer is told that its id is unknown',
  (state: KafkaState) =>
    waiting(state).some((reply) => {
      const entry = state.coordinator[reply.request.transactionalId]?.entry ?? null
      const isUnknown = reply.error === 'INVALID_PRODUCER_ID_MAPPING'
      return isUnknown && isReplaced(state, reply) && entry !== null && entry.producerEpoch >= 0
    }),
  {
    summary: 'The transactional.id has expired, and its next session has another producer id.',
    sources: ['transactional.id.expiration.ms', 'InvalidPidMappingException'],
  },
)

const epochError: readonly ErrorName[] = ['PRODUCER_FENCED', 'INVALID_PRODUCER_EPOCH']

const epochErrors = ([true, false] as const).map(
  (bySuccessor): Property<KafkaState> =>
    reachable(
      `an error of the epoch means ${bySuccessor ? 'a successor' : "the producer's own timeout"}`,
      (state: KafkaState) =>
        waiting(state).some(
          (reply) => epochError.includes(reply.error) && isReplaced(state, reply) === bySuccessor,
        ),
      {
        summary: 'A producer is told that its epoch is old, and cannot see from that why.',
        sources: ['ProducerFencedException', 'InvalidProducerEpochException', 'KIP-588'],
      },
    ),
)

const goesOnAfterTimeout: Property<KafkaState> = reachable(
  'a producer goes on after its transaction has timed out',
  ({ ghost }: KafkaState) =>
    ghost.sessions === 1 && ghost.decisions['s1.1'] === 'abort' && ghost.told['s1.2'] === 'commit',
  {
    summary: 'The same producer, not a new one, commits its next transaction.',
    sources: ['KIP-588', 'KIP-890', 'KAFKA-19367'],
  },
)

/** It is at work and has not asked for an identity. */
const isConnected = ({ status, phase, producerEpoch }: Instance): boolean =>
  status === 'running' && (phase === 'joining' || phase === 'fetching') && producerEpoch < 0

const endsBeforeTheEpoch: Property<KafkaState> = transition(
  'no transaction is ended by a session whose successor is connected',
  (before: KafkaState, after: KafkaState, claim, taken) => {
    if (taken.action !== 'HandleEndTxn') return
    const request = endRequestIn(before, taken)
    if (request === undefined) return
    const id = request.transactionalId
    const isLater = (one: Instance) => one.transactionalId === id && one.session > request.session
    const connected = before.instance.some((one) => isLater(one) && isConnected(one))
    const moved = before.coordinator[id]?.entry?.pendingState !== after.coordinator[id]?.entry?.pendingState
    claim.that('the coordinator does not take it up', !connected || !moved, { session: request.session })
  },
  {
    summary:
      'Once an instance has connected, no earlier one of its transactional.id ends a transaction, whether the new one has asked for an epoch or not.',
    sources: ['KafkaProducer.initTransactions', 'KafkaJS documentation: Transactions'],
  },
)

const duelWithoutOutput = (protocol: Protocol): Property<KafkaState> =>
  reachable(
    'every session but the last was fenced, all restarts are used up, and there is no output',
    ({ budget, ghost, instance, partition }: KafkaState) =>
      budget.restarts === 0 &&
      ghost.fenced &&
      instance.every(({ status, session }) => status === 'closed' || session === ghost.sessions) &&
      instance.some(({ status, producerEpoch }) => status === 'running' && producerEpoch > 0) &&
      !Object.values(ghost.decisions).includes('commit') &&
      outputsOf(protocol).every(
        (output) => readCommitted(protocol, partition[output] as Partition).length === 0,
      ),
    {
      summary: 'Two instances have closed each other as often as they could start, and nothing can be read.',
      sources: ['ProducerFencedException', 'KafkaProducer.initTransactions'],
    },
  )

const waitsForTimeout: Property<KafkaState> = reachable(
  'a session waits for the timeout of what a dead one left open',
  ({ instance, coordinator, group }: KafkaState) =>
    instance.some(({ status, phase, transactionalId }) => {
      if (status !== 'running' || phase !== 'fetching') return false
      return coordinator.some(
        ({ entry }, id) =>
          id !== transactionalId &&
          canTimeOut(entry) &&
          group.pending.some(({ producerId }) => producerId === entry.producerId) &&
          instance.every((one) => one.transactionalId !== id),
      )
    }),
  {
    summary:
      'The committed offset is not stable as long as the open transaction has another one, and nobody else ends it.',
    sources: ['KIP-447', 'transaction.timeout.ms'],
  },
)

const decidedOffsets = (steps: readonly string[]): Property<KafkaState> =>
  leadsTo(
    'offsets in a transaction are decided at last',
    ({ group }: KafkaState) => group.pending.length > 0,
    ({ group }: KafkaState) => group.pending.length === 0,
    {
      summary: 'The group does not answer UNSTABLE_OFFSET_COMMIT for ever.',
      sources: ['KIP-447', 'KAFKA-15449', 'OffsetMetadataManager.replayEndTransactionMarker'],
      fairness: { weak: steps, mayStop: true },
    },
  )
