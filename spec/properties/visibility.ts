/** What read_committed readers may see. */

import type { Property } from '../../checker/model.ts'
import { always } from '../../checker/model.ts'
import { readCommitted } from '../protocol/consumer.ts'
import { transactionsOf } from '../protocol/partition-leader.ts'
import type { Protocol } from '../protocol/protocol.ts'
import type { KafkaState, LogRecord, MarkerRecord, Partition } from '../state.ts'

/** The marker that closes each record's transaction in this log, if it is closed. */
function markerOf(log: readonly LogRecord[], offset: number): MarkerRecord | undefined {
  const closed = transactionsOf(log).find(
    ({ producerId, firstOffset, markerOffset }) =>
      producerId === log[offset]?.producerId && firstOffset <= offset && offset < markerOffset,
  )
  return closed === undefined ? undefined : (log[closed.markerOffset] as MarkerRecord)
}

/**
 * A visible record belongs to a transaction that was committed: it is closed by the COMMIT marker of its own
 * transaction, not by that of another one into which it slipped.
 */
export function onlyCommittedVisible(protocol: Protocol): Property<KafkaState> {
  return always(
    'aborted and open records stay invisible',
    (state: KafkaState, claim) => {
      for (const partition of outputs(protocol, state)) {
        for (const { offset, record } of readCommitted(protocol, partition)) {
          if (!record.transactional) continue
          const marker = markerOf(partition.log, offset)
          const values = {
            offset,
            transaction: record.transaction,
            closedBy: marker?.transaction ?? 'nothing',
          }
          claim.that('its transaction is closed', marker !== undefined, values)
          claim.that('it was closed by a commit', marker?.result === 'commit', values)
          claim.that(
            'it was closed as part of its own transaction',
            marker?.transaction === record.transaction,
            values,
          )
        }
      }
    },
    {
      summary: 'A read_committed reader never returns a record of an open or aborted transaction.',
      sources: ['KIP-98', 'Kafka documentation, Design: Using Transactions'],
    },
  )
}

const outputs = ({ config }: Protocol, state: KafkaState): Partition[] =>
  state.partition.slice(0, config.outputPartitions)
