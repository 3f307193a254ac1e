/** What a transaction is not: one moment, a whole batch, of any length. */
import { atomic } from '../../guarantees.ts'
import type { Claim } from '../claim.ts'
import { model, one } from './produce.ts'

const outputFirst = 'an output is visible before its offset is committed'
const offsetFirst = 'an offset is committed before its output is visible'
const partOfBatch = 'some inputs of a batch are done and others are not, and nobody is at work'
const closed = 'a producer is closed by an error'
const nothingWritten = 'nothing is written'
const lost = 'no input is lost'
const twice = 'no output is there twice'

export const limitClaims: readonly Claim[] = [
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
        expected: {
          [nothingWritten]: 'proved',
          'all inputs are processed': 'unwitnessed',
          [closed]: 'witnessed',
        },
        shows: { [closed]: ['InitProducerId', 'INVALID_TRANSACTION_TIMEOUT'] },
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
