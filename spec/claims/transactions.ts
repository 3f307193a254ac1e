/** What is said of transactions. */
import { atomic, closedAsDecided, hanging, toldTruth, visible, whole } from '../guarantees.ts'
import { kafka } from '../model.ts'
import { type PresetName, presetNames } from '../presets.ts'
import { anyModel, type Claim, type ClaimCase } from './claim.ts'
import { allOfIt, inOffsetOrder, onlyCommitted, sharedLog } from './models/shared-log.ts'

const model = anyModel(kafka)

const final = 'a durable decision never changes'
const carriedOut = 'a durable commit is carried out'
const neverSent = 'a transaction whose commit was never sent is not committed'
const getPast = 'readers get past every transaction'
const partly = 'a committed transaction is visible in one partition and not yet in another'
const startsAfter = 'a session starts when the transactions before it are finished'
const outcomesKnown = 'a client knows the outcome of all its transactions'
const unknownCommit = 'a fenced client does not know that its transaction was committed'
const unknownAbort = 'a fenced client does not know that its transaction was aborted'
const outputFirst = 'an output is visible before its offset is committed'
const offsetFirst = 'an offset is committed before its output is visible'
const partOfBatch = 'some inputs of a batch are done and others are not, and nobody is at work'
const abortedForNobody = 'a transaction is aborted when nobody is left to end it'
const successorFinishes = 'a successor writes a marker and completes the transaction'
const nothingWritten = 'nothing is written'
const lost = 'no input is lost'
const twice = 'no output is there twice'
const picture = 'a log holds two records, COMMIT, two records, ABORT'
const pictureRead =
  'of two records, COMMIT, two records, ABORT read_uncommitted gets 0, 1, 3, 4 and read_committed 0, 1'

const one = { instances: 1, inputs: 1, outputPartitions: 1 }
const produce = { ...one, application: 'produce' }

export const transactionClaims: readonly Claim[] = [
  {
    id: 'claim-T1',
    claim:
      'the records of a transaction to several partitions become visible all or none, whatever crashes; while its markers are being written one partition may be ahead',
    stands: 'holds',
    sources: ['KIP-98', 'KafkaProducer'],
    cases: [
      {
        name: 'the client crashes',
        model,
        config: { ...produce, outputPartitions: 2, crashes: 1, restarts: 1 },
        expected: { [whole]: 'proved', [partly]: 'witnessed' },
        shows: { [partly]: ['PrepareCommit', 'marker commit', 'high watermark 2'] },
      },
      {
        name: 'the coordinator fails',
        model,
        config: { ...produce, outputPartitions: 2, coordinatorFailovers: 1 },
        expected: { [whole]: 'proved' },
      },
      {
        name: 'a partition changes its leader',
        model,
        config: { ...produce, outputPartitions: 2, leaderChanges: 1 },
        expected: { [whole]: 'proved' },
      },
    ],
  },
  {
    id: 'claim-T2',
    claim:
      'once PrepareCommit is replicated every continuation ends in the commit; a producer that dies before it has sent its commit ends in an abort',
    stands: 'holds',
    sources: ['KIP-98', 'TransactionCoordinator.endTransaction', 'TransactionState.validPreviousStates'],
    cases: [
      {
        name: 'the client crashes',
        model,
        config: { ...produce, attempts: 1, crashes: 1, transactionTimeouts: 1 },
        expected: {
          [final]: 'proved',
          [carriedOut]: 'proved',
          [neverSent]: 'proved',
          [getPast]: 'proved',
        },
      },
      {
        name: 'the client crashes and starts again',
        model,
        config: { ...produce, crashes: 1, restarts: 1 },
        expected: { [final]: 'proved', [carriedOut]: 'proved', [neverSent]: 'proved' },
      },
      {
        name: 'the coordinator fails',
        model,
        config: { ...produce, crashes: 1, coordinatorFailovers: 1 },
        expected: { [final]: 'proved', [carriedOut]: 'proved', [neverSent]: 'proved' },
      },
    ],
  },
  {
    id: 'claim-T3',
    claim:
      'the transaction of a producer that dies and never returns is aborted after its timeout, and the last stable offset moves on',
    stands: 'holds',
    sources: ['transaction.timeout.ms', 'TransactionCoordinator.abortTimedOutTransactions'],
    cases: [
      {
        name: 'it times out',
        model,
        config: { ...produce, attempts: 1, crashes: 1, transactionTimeouts: 1 },
        expected: { [getPast]: 'proved', [abortedForNobody]: 'witnessed' },
        shows: { [abortedForNobody]: ['Crash(client: 0)', 'timed out', 'PrepareAbort'] },
      },
      {
        name: 'it does not',
        model,
        config: { ...produce, crashes: 1 },
        expected: { [getPast]: 'violated' },
        shows: { [getPast]: ['data offset=0', 'Crash(client: 0)'] },
        because: 'nothing but the timeout ends a transaction whose producer is gone',
      },
    ],
  },
  {
    id: 'claim-T4',
    claim:
      'a new instance with the transactional.id starts only when the open transaction of the one before it is finished: aborted, or committed if its commit had been accepted',
    stands: 'holds',
    sources: ['KIP-98', 'KafkaProducer.initTransactions'],
    cases: [
      {
        name: 'the client crashes and starts again',
        model,
        config: { ...one, crashes: 1, restarts: 1 },
        expected: { [startsAfter]: 'proved', [final]: 'proved' },
      },
      {
        name: 'a zombie is replaced',
        model,
        config: { ...produce, instances: 2, pauses: 1 },
        expected: { [startsAfter]: 'proved', [final]: 'proved' },
      },
      {
        name: 'the coordinator fails as well',
        model,
        config: { ...one, crashes: 1, restarts: 1, coordinatorFailovers: 1, faults: 3 },
        expected: { [startsAfter]: 'proved', [final]: 'proved' },
      },
    ],
  },
  {
    id: 'claim-T5',
    claim:
      'when the coordinator fails between its decision and the last marker, its successor completes the transaction with the same outcome',
    stands: 'holds',
    sources: ['TransactionCoordinator.onElection', 'TransactionStateManager.loadTransactionMetadata'],
    cases: [
      {
        name: 'one move',
        model,
        config: { ...produce, outputPartitions: 2, applicationAborts: 1, coordinatorFailovers: 1 },
        expected: {
          [final]: 'proved',
          [closedAsDecided]: 'proved',
          [carriedOut]: 'proved',
          [successorFinishes]: 'witnessed',
        },
        shows: { [successorFinishes]: ['PrepareCommit', 'FailOver', 'marker commit', 'CompleteCommit'] },
      },
    ],
  },
  {
    id: 'claim-T6',
    claim:
      'when the reply to EndTxn is lost the client asks again and is told the one outcome; if another has initialised the id meanwhile, it is told that it is fenced, and does not know the outcome',
    stands: 'holds',
    sources: ['KIP-98', 'TransactionCoordinator.endTransaction', 'ProducerFencedException'],
    cases: [
      {
        name: 'no competitor',
        model,
        config: { ...produce, inputs: 2, lostReplies: 1, applicationAborts: 1 },
        expected: { [final]: 'proved', [toldTruth]: 'proved', [outcomesKnown]: 'proved' },
      },
      {
        name: 'another has initialised the id',
        model,
        config: { ...produce, instances: 2, attempts: 1, pauses: 1, lostReplies: 1 },
        expected: { [toldTruth]: 'proved', [unknownCommit]: 'witnessed', [unknownAbort]: 'witnessed' },
        shows: {
          [unknownCommit]: [
            'PrepareCommit',
            'EndTxn reply (lost)',
            'InitProducerId',
            'EndTxn reply error=PRODUCER_FENCED',
          ],
          [unknownAbort]: ['InitProducerId', 'PrepareAbort', 'the producer is closed'],
        },
      },
    ],
  },
  {
    id: 'claim-T7',
    claim:
      'markers take offsets: of two records, a commit, two records and an abort the records are at 0, 1, 3 and 4, and the markers at 2 and 5, which no reader gets',
    stands: 'holds',
    sources: ['KIP-98', 'ControlBatch'],
    cases: [
      {
        name: 'a commit and an abort',
        model,
        config: { ...produce, inputs: 2, recordsPerOutput: 2, applicationAborts: 1 },
        expected: { [picture]: 'witnessed', [pictureRead]: 'proved' },
        shows: {
          [picture]: [
            'data offset=0',
            'data offset=1',
            'marker commit offset=2',
            'data offset=3',
            'data offset=4',
            'marker abort offset=5',
          ],
        },
      },
    ],
  },
  {
    id: 'claim-T8',
    claim:
      'of two records, a commit, two records and an abort read_uncommitted returns offsets 0, 1, 3 and 4, read_committed 0 and 1',
    stands: 'holds',
    sources: ['isolation.level', 'CompletedFetch.nextFetchedRecord'],
    cases: [
      {
        name: 'both readers',
        model,
        config: { ...produce, inputs: 2, recordsPerOutput: 2, applicationAborts: 1 },
        expected: { [pictureRead]: 'proved' },
      },
      {
        name: 'a reader that does not filter',
        model,
        config: { ...produce, inputs: 2, recordsPerOutput: 2, applicationAborts: 1 },
        without: ['aborted records filter'],
        expected: { [pictureRead]: 'violated' },
        shows: { [pictureRead]: ['marker commit offset=2', 'marker abort offset=5', 'high watermark 6'] },
        because: 'the aborted records are in the log: it is the reader that leaves them out',
      },
    ],
  },
  {
    id: 'claim-T9',
    claim:
      'of interleaved transactions, one that commits and one that aborts, around plain records, read_committed returns the plain records and those of the committed one, those only after its marker, and never an aborted one',
    stands: 'holds',
    sources: ['KIP-98', 'CompletedFetch.nextFetchedRecord', 'TransactionIndex.collectAbortedTxns'],
    cases: [
      {
        name: 'two records of each',
        model: anyModel(sharedLog),
        config: {},
        expected: { [onlyCommitted]: 'proved', [inOffsetOrder]: 'proved', [allOfIt]: 'witnessed' },
        shows: { [allOfIt]: ['record of A', 'record of B', 'record of plain', 'of A', 'of B'] },
      },
    ],
  },
  {
    id: 'claim-T10',
    claim:
      'a batch that arrives after the marker of its transaction, which its client aborted, opens the partition for nobody, and readers stand still: until KIP-890; after an abort by timeout never',
    stands: 'holds within limits',
    sources: ['KIP-890', 'KIP-664', 'KAFKA-14402'],
    cases: [
      ...presetNames.map((preset): ClaimCase => {
        const hangs = preset === 'kafka-1.1' || preset === 'kafka-2.5'
        return {
          name: `aborted by its client, ${preset}`,
          model,
          preset,
          config: { ...produce, attempts: 1, deliveryTimeouts: 1, transactionTimeouts: 1 },
          expected: hangs
            ? { [hanging]: 'violated', [getPast]: 'violated' }
            : { [hanging]: 'proved', [getPast]: 'proved' },
          ...(hangs
            ? {
                shows: {
                  [hanging]: ['ExpireBatch', 'marker abort', 'late, sent by session 1', 'data offset='],
                  [getPast]: ['ExpireBatch', 'marker abort', 'late, sent by session 1', 'data offset='],
                },
              }
            : {}),
        }
      }),
      ...presetNames.map(
        (preset): ClaimCase => ({
          name: `aborted by its timeout, ${preset}`,
          model,
          preset,
          config: { ...produce, crashes: 1, survivors: 2, transactionTimeouts: 1 },
          expected: { [hanging]: 'proved' },
        }),
      ),
    ],
  },
  {
    id: 'claim-T11',
    claim: 'an aborted record is never visible to a read_committed reader',
    stands: 'refuted',
    sources: ['KIP-98', 'KIP-360', 'KIP-890'],
    cases: presetNames.flatMap((preset) => lateBatches(preset)),
  },
  {
    id: 'claim-T12',
    claim: 'output and offset of a transaction become visible at the same moment',
    stands: 'refuted',
    sources: ['KIP-98', 'TransactionMarkerChannelManager'],
    cases: [
      {
        name: 'two markers',
        model,
        config: { ...one, crashes: 1, restarts: 1 },
        expected: { [outputFirst]: 'witnessed', [offsetFirst]: 'witnessed', [atomic]: 'proved' },
        shows: {
          [outputFirst]: ['PrepareCommit', 'AppendMarker(partition: 0)', 'marker commit'],
          [offsetFirst]: ['PrepareCommit', 'AppendMarker(partition: 1)', 'marker commit'],
        },
        because:
          'the partitions write their markers one after the other, in any order; then both are visible',
      },
    ],
  },
  {
    id: 'claim-T13',
    claim:
      'a large batch that is processed in several transactions is processed exactly once, input by input, but not as a whole',
    stands: 'holds',
    sources: ['KIP-98', 'KafkaProducer'],
    cases: [
      {
        name: 'one transaction for each of two inputs',
        model,
        config: { instances: 1, inputs: 2, outputPartitions: 1, crashes: 1 },
        expected: { [atomic]: 'proved', [twice]: 'proved', [lost]: 'proved', [partOfBatch]: 'witnessed' },
        shows: { [partOfBatch]: ['CompleteCommit', 'Crash(client: 0)'] },
      },
      {
        name: 'one transaction for both inputs',
        model,
        config: { instances: 1, inputs: 2, inputsPerTransaction: 2, outputPartitions: 1, crashes: 1 },
        expected: { [atomic]: 'proved', [partOfBatch]: 'unwitnessed' },
      },
    ],
  },
  {
    id: 'claim-T14',
    claim:
      "a transaction timeout above the brokers' maximum is refused when the producer initialises, and nothing is written",
    stands: 'holds',
    sources: ['transaction.max.timeout.ms', 'TransactionCoordinator.handleInitProducerId'],
    cases: [
      {
        name: 'above the maximum',
        model,
        config: { ...one, transactionTimeout: 'above the maximum', crashes: 1, restarts: 1 },
        expected: { [nothingWritten]: 'proved', 'all inputs are processed': 'unwitnessed' },
      },
      {
        name: 'allowed',
        model,
        config: { ...one, crashes: 1, restarts: 1 },
        expected: { 'all inputs are processed': 'witnessed' },
        shows: { 'all inputs are processed': ['InitProducerId reply error=NONE', 'marker commit'] },
      },
    ],
  },
]

/** A batch that its client has given up comes after the marker; the client goes on to its next transaction. */
function lateBatches(preset: PresetName): ClaimCase[] {
  const clients = {
    're-initialises after an abort': { flushBeforeCommit: true, flags: { clientEpochBump: true } },
    'does not': { flushBeforeCommit: true, flags: { clientEpochBump: false } },
    'has called commitTransaction by then': { flushBeforeCommit: false },
  }
  const raisesByItself = preset !== 'kafka-4.1' && preset !== 'kafka-4.4'
  return Object.entries(clients).map(([client, config]): ClaimCase => {
    const seen =
      preset === 'kafka-1.1' || preset === 'kafka-2.5' || client !== 're-initialises after an abort'
    return {
      name: `${preset}, the client ${client}`,
      model,
      preset,
      config: { ...produce, deliveryTimeouts: 1, ...config },
      expected: { [visible]: seen && raisesByItself ? 'violated' : 'proved' },
      ...(seen && raisesByItself
        ? {
            shows: {
              [visible]: ['ExpireBatch', 'marker abort', 'data offset=', 'PrepareCommit', 'marker commit'],
            },
          }
        : {}),
    }
  })
}
