/** Transactions: how they end, who hears of it, and what can be seen on the way. */
import { always, leadsTo, type Property, reachable, transition } from '../../../checker/model.ts'
import { transactionName } from '../../ghost.ts'
import { readBy } from '../../protocol/consumer.ts'
import { lastStableOffset } from '../../protocol/partition-leader.ts'
import type { Protocol } from '../../protocol/protocol.ts'
import { outputsOf, partitionAt } from '../../protocol/topology.ts'
import type { Instance, KafkaState, LogRecord, Request, TransactionRecord } from '../../state.ts'
import { isSettled } from '../atomicity.ts'
import { isData } from '../logs.ts'

/** @param steps the names of the actions that are no faults */
export const transactionQuestions = (
  protocol: Protocol,
  steps: readonly string[],
): Property<KafkaState>[] => [
  partlyVisible(protocol),
  neverSent,
  carriedOut(steps),
  readersGetPast(protocol, steps),
  startsAfterTheOld(protocol),
  outcomesAreKnown,
  abortedForNobody,
  successorFinishes,
  ...(['commit', 'abort'] as const).map(unknownOutcome),
  ...(protocol.config.application === 'produce' ? [] : ofOffsets(protocol)),
  nothingWritten(protocol),
]

const visibleOf = (protocol: Protocol, state: KafkaState, partition: number, transaction: string): boolean =>
  readBy(protocol, partitionAt(state, partition)).some(({ record }) => record.transaction === transaction)

const partlyVisible = (protocol: Protocol): Property<KafkaState> =>
  reachable(
    'a committed transaction is visible in one partition and not yet in another',
    (state: KafkaState) => {
      const outputs = outputsOf(protocol)
      return Object.entries(state.ghost.decisions).some(([transaction, decision]) => {
        if (decision !== 'commit') return false
        const visible = outputs.filter((partition) => visibleOf(protocol, state, partition, transaction))
        return visible.length > 0 && visible.length < outputs.length
      })
    },
    {
      summary: 'Markers are written one partition at a time.',
      sources: ['KIP-98', 'TransactionMarkerChannelManager'],
    },
  )

const requestsOf = ({ connection }: KafkaState): Request[] =>
  connection.flatMap(({ coordinator }) => [
    ...coordinator.requests,
    ...coordinator.late.flat(),
    ...coordinator.replies.map(({ request }) => request),
  ])

/** The records, in memory or in the log, by which a transaction would be committed. */
function commits({ coordinator, transactionLog }: KafkaState, transaction: string): boolean {
  const isCommit = (record: TransactionRecord | null | undefined) =>
    record?.transaction === transaction &&
    (record.state === 'PrepareCommit' || record.state === 'CompleteCommit')
  return (
    coordinator.some(({ entry, former }) => isCommit(entry) || isCommit(former?.entry)) ||
    transactionLog.some((log) => [log.committed, log.reportedFailed, log.tail].some(isCommit))
  )
}

/** Transactions of sessions that are gone, that nobody has asked to commit and that are not being committed. */
function orphans(state: KafkaState): string[] {
  const atWork = new Set(state.instance.map(({ session }) => session))
  const known = state.coordinator.flatMap(({ entry }) => entry?.transaction ?? [])
  return known.filter(
    (transaction) =>
      !atWork.has(Number(transaction.slice(1).split('.')[0])) &&
      state.ghost.decisions[transaction] === undefined &&
      !commits(state, transaction) &&
      !requestsOf(state).some(
        (request) =>
          request.kind === 'EndTxn' && request.result === 'commit' && request.transaction === transaction,
      ),
  )
}

const neverSent: Property<KafkaState> = transition(
  'a transaction whose commit was never sent is not committed',
  (before: KafkaState, after: KafkaState, claim) => {
    const [...left] = orphans(before)
    claim.given('a producer is gone before it has sent its commit', left.length > 0)
    for (const transaction of left)
      claim.that('it is not committed', !commits(after, transaction), { transaction })
  },
  {
    summary:
      'When a producer is gone before it has sent its commit, nothing commits its transaction any more.',
    sources: ['KIP-98', 'TransactionCoordinator.endTransaction'],
  },
)

const carriedOut = (steps: readonly string[]): Property<KafkaState> => {
  const isPrepared = ({ transactionLog }: KafkaState) =>
    transactionLog.some(({ committed }) => committed?.state === 'PrepareCommit')
  return leadsTo(
    'a durable commit is carried out',
    isPrepared,
    (state: KafkaState) => !isPrepared(state) && state.partition.every(isClosed),
    {
      summary:
        'When PrepareCommit is replicated, CompleteCommit follows, and the transaction is closed in every partition.',
      sources: ['KIP-98', 'TransactionCoordinator.onElection'],
      fairness: { weak: steps, mayStop: true },
    },
  )
}

const isClosed = (partition: KafkaState['partition'][number]) =>
  lastStableOffset(partition) === partition.log.length

const readersGetPast = ({ config }: Protocol, steps: readonly string[]): Property<KafkaState> =>
  leadsTo(
    'readers get past every transaction',
    ({ partition }: KafkaState) => !partition.every(isClosed),
    ({ partition }: KafkaState) => partition.every(isClosed),
    {
      summary: 'The last stable offset of every partition reaches the end of the log in the end.',
      sources: ['KIP-98', 'transaction.timeout.ms', 'TransactionCoordinator.abortTimedOutTransactions'],
      fairness: {
        weak: [
          ...steps,
          ...(config.transactionTimeouts > 0 && config.faults > 0 ? ['AbortTimedOutTransaction'] : []),
        ],
        mayStop: true,
      },
    },
  )

/** initTransactions has returned: the session has an epoch of its own. */
const hasStarted = ({ status, phase, producerEpoch }: Instance): boolean =>
  (status === 'running' || status === 'paused') && producerEpoch >= 0 && phase !== 'initialising'

const startsAfterTheOld = (protocol: Protocol): Property<KafkaState> =>
  always(
    'a session starts when the transactions before it are finished',
    (state: KafkaState, claim) => {
      for (const instance of state.instance) {
        if (!hasStarted(instance) || instance.session !== state.ghost.newestSession[instance.transactionalId])
          continue
        claim.given('it is not the first one', instance.session > 1)
        for (const { partition, record } of openRecords(protocol, state)) {
          const isOlder = record.session < instance.session
          const values = { session: instance.session, partition, transaction: record.transaction }
          claim.that('no earlier transaction is open in a partition', !isOlder, values)
        }
      }
    },
    {
      summary:
        'When initTransactions returns, every transaction that an earlier session of the transactional.id had open is committed or aborted, in all partitions.',
      sources: ['KIP-98', 'TransactionCoordinator.handleInitProducerId', 'KafkaProducer.initTransactions'],
    },
  )

function openRecords({ offsetsPartition }: Protocol, state: KafkaState) {
  const partitions = Array.from({ length: offsetsPartition + 1 }, (_, partition) => partition)
  return partitions.flatMap((partition) => {
    const { producers, log } = partitionAt(state, partition)
    return producers.flatMap(({ openOffset }) => {
      const record: LogRecord | undefined = log[openOffset]
      return record === undefined || record.kind === 'marker' ? [] : [{ partition, record }]
    })
  })
}

const outcomesAreKnown: Property<KafkaState> = always(
  'a client knows the outcome of all its transactions',
  ({ instance, ghost }: KafkaState, claim) => {
    claim.given(
      'it has come to its end',
      instance.every(({ status }) => status === 'finished'),
    )
    for (const [transaction, decision] of Object.entries(ghost.decisions)) {
      const told = ghost.told[transaction] ?? 'nothing'
      claim.that('it was told what was decided', told === decision, { transaction, decision, told })
    }
  },
  {
    summary: 'Clients that come to their end were told of each transaction what was decided.',
    sources: ['KafkaProducer.commitTransaction', 'TransactionCoordinator.endTransaction'],
  },
)

const outcome = { commit: 'committed', abort: 'aborted' } as const

const unknownOutcome = (decided: 'commit' | 'abort'): Property<KafkaState> =>
  reachable(
    `a fenced client does not know that its transaction was ${outcome[decided]}`,
    ({ ghost, instance }: KafkaState) => {
      const open = instance.map(({ session, transaction }) => transactionName(session, transaction))
      return (
        ghost.fenced &&
        Object.entries(ghost.decisions).some(
          ([transaction, decision]) =>
            decision === decided && ghost.told[transaction] === undefined && !open.includes(transaction),
        )
      )
    },
    {
      summary: 'A client that is fenced when it ends its transaction does not learn what became of it.',
      sources: ['KafkaProducer.commitTransaction', 'ProducerFencedException'],
    },
  )

const abortedForNobody: Property<KafkaState> = reachable(
  'a transaction is aborted when nobody is left to end it',
  ({ ghost, instance }: KafkaState) =>
    Object.values(ghost.decisions).includes('abort') && instance.every(({ status }) => status === 'crashed'),
  {
    summary: 'The coordinator aborts what a dead producer has left open.',
    sources: ['TransactionCoordinator.abortTimedOutTransactions'],
  },
)

const successorFinishes: Property<KafkaState> = reachable(
  'a successor writes a marker and completes the transaction',
  ({ coordinator, partition }: KafkaState) =>
    coordinator.some(({ entry }) => entry?.state === 'CompleteCommit') &&
    partition.some(({ log }) =>
      log.some((record) => record.kind === 'marker' && record.coordinatorEpoch > 0),
    ),
  {
    summary: 'A new coordinator goes on with the markers of a decision that it reads in the log.',
    sources: ['TransactionCoordinator.onElection', 'TransactionStateManager.loadTransactionMetadata'],
  },
)

const ofOffsets = (protocol: Protocol): Property<KafkaState>[] => [
  reachable(
    'an output is visible before its offset is committed',
    (state: KafkaState) => furthestVisible(protocol, state) > state.group.committed,
    { summary: 'The marker of an output partition may be the first.', sources: ['KIP-98'] },
  ),
  reachable(
    'an offset is committed before its output is visible',
    (state: KafkaState) => {
      const { committed } = state.group
      return committed > 0 && furthestVisible(protocol, state) < committed
    },
    { summary: "The marker of the group's partition may be the first.", sources: ['KIP-98'] },
  ),
  reachable(
    'some inputs of a batch are done and others are not, and nobody is at work',
    (state: KafkaState) =>
      isSettled(state) &&
      state.group.committed > 0 &&
      state.group.committed < protocol.config.inputs &&
      state.instance.every(({ status }) => status === 'crashed'),
    { summary: 'Each transaction is atomic, several of them are not.', sources: ['KIP-98'] },
  ),
]

/** The number of inputs up to the last one that has a visible output. */
function furthestVisible(protocol: Protocol, state: KafkaState): number {
  const inputs = outputsOf(protocol).flatMap((partition) =>
    readBy(protocol, partitionAt(state, partition)).flatMap(({ record }) =>
      record.kind === 'data' ? [record.input + 1] : [],
    ),
  )
  return Math.max(0, ...inputs)
}

const nothingWritten = (protocol: Protocol): Property<KafkaState> =>
  always(
    'nothing is written',
    (state: KafkaState, claim) => {
      for (const partition of outputsOf(protocol)) {
        const records = partitionAt(state, partition).log.filter(isData).length
        claim.that('the partition has no record', records === 0, { partition, records })
      }
      const durable = state.transactionLog.some(({ committed, tail }) => committed !== null || tail !== null)
      claim.that('the coordinator has written nothing', !durable)
    },
    {
      summary: 'Neither a partition nor the log of the coordinator gets a record.',
      sources: ['TransactionCoordinator.handleInitProducerId'],
    },
  )
