/** When all work is done, to see what it took. */
import { type Property, reachable } from '../../../checker/model.ts'
import { lastStableOffset } from '../../protocol/partition-leader.ts'
import type { Protocol } from '../../protocol/protocol.ts'
import { partitionAt } from '../../protocol/topology.ts'
import type { KafkaState } from '../../state.ts'
import { isData } from '../logs.ts'

export const costQuestions = (protocol: Protocol): Property<KafkaState>[] => [
  reachable('all work is done', isDone, {
    summary: 'The application has come to its end, and all its transactions are completed and closed.',
    sources: ['KIP-98'],
  }),
  reachable(
    'all work is done, and a whole transaction was thrown away',
    (state: KafkaState) => {
      const { inputs, inputsPerTransaction } = protocol.config
      const written = partitionAt(state, 0).log.filter(isData).length
      return isDone(state) && written === inputs + inputsPerTransaction
    },
    {
      summary: 'As many records as a transaction has were written and aborted, and written again.',
      sources: ['KafkaProducer.abortTransaction'],
    },
  ),
]

export const isDone = ({ instance, partition, transactionLog }: KafkaState): boolean =>
  instance.every(({ status }) => status === 'finished') &&
  transactionLog.every(({ committed, tail }) => tail === null && committed?.state === 'CompleteCommit') &&
  partition.every((one) => lastStableOffset(one) === one.log.length)
