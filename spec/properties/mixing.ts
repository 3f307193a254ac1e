/** Transactions of a producer keep apart, in a partition and by their identity. */
import { alwaysForEach, type Property } from '../../checker/model.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { partitionAt, partitionsOf } from '../protocol/topology.ts'
import type { KafkaState, MarkerRecord } from '../state.ts'
import { isWritten, recordsByTransaction } from './logs.ts'

export const transactionsDoNotMix = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'transactions do not mix',
    partitionsOf(protocol),
    (state: KafkaState, partition, claim) => {
      const { log } = partitionAt(state, partition)
      const closedAt = new Map<string, number>()
      for (const { transaction, records } of recordsByTransaction(log)) {
        const { transaction: first } = records[0]?.record ?? { transaction: '' }
        for (const { offset, record } of records) {
          const values = { partition, offset, transaction: record.transaction }
          claim.that(
            'from the first record to the marker all are of one transaction',
            record.transaction === first,
            { ...values, first },
          )
          const marker = closedAt.get(record.transaction)
          claim.that('no record follows the marker of its transaction', marker === undefined, {
            ...values,
            marker: marker ?? -1,
          })
        }
        if (transaction.markerOffset < 0) continue
        const closing = log[transaction.markerOffset] as MarkerRecord
        closedAt.set(closing.transaction === '' ? first : closing.transaction, transaction.markerOffset)
      }
    },
    {
      summary:
        'What a producer writes to a partition from its first record to the marker is of one transaction, and nothing of it follows.',
      sources: ['KIP-890', 'ProducerAppendInfo.appendDataBatch'],
    },
  )

/** Only transaction.version 2 promises it: before, all transactions of a session share an epoch. */
export function oneTransactionPerEpoch(protocol: Protocol): Property<KafkaState> {
  const all = partitionsOf(protocol)
  const pairs = all.flatMap((one) => all.filter((other) => other > one).map((other) => [one, other]))
  return alwaysForEach(
    'an epoch is of one transaction',
    pairs,
    (state: KafkaState, pair, claim) => {
      const owners = new Map<string, string>()
      for (const partition of pair) {
        for (const record of partitionAt(state, partition).log) {
          if (!isWritten(record) || !record.transactional) continue
          const { producerId, producerEpoch, transaction } = record
          const identity = `${producerId} ${producerEpoch}`
          const owner = owners.get(identity) ?? transaction
          owners.set(identity, owner)
          const values = { partition, producerId, producerEpoch, transaction, owner }
          claim.that('no two transactions have records of one epoch', owner === transaction, values)
        }
      }
    },
    {
      summary:
        'With transaction.version 2 no two transactions have records with the same producer id and epoch.',
      sources: ['KIP-890', 'TransactionMetadata.prepareAbortOrCommit'],
    },
  )
}
