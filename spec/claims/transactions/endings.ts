/** How transactions end: everywhere or nowhere, once, and who hears of it. */
import { closedAsDecided, toldTruth, whole } from '../../guarantees.ts'
import type { Claim } from '../claim.ts'
import { model, one, produce } from './produce.ts'

const final = 'a durable decision never changes'
const carriedOut = 'a durable commit is carried out'
const neverSent = 'a transaction whose commit was never sent is not committed'
const getPast = 'readers get past every transaction'
const partly = 'a committed transaction is visible in one partition and not yet in another'
const startsAfter = 'a session starts when the transactions before it are finished'
const outcomesKnown = 'a client knows the outcome of all its transactions'
const unknownCommit = 'a fenced client does not know that its transaction was committed'
const unknownAbort = 'a fenced client does not know that its transaction was aborted'
const abortedForNobody = 'a transaction is aborted when nobody is left to end it'
const successorFinishes = 'a successor writes a marker and completes the transaction'
const _lost = 'no input is lost'

export const endingClaims: readonly Claim[] = [
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
]
