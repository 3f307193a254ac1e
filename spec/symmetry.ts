/**
 * Which participants differ by their names alone: the output partitions. Every transaction writes to all of them alike,
 * and no rule compares their numbers.
 *
 * Instances are not: the first session is that of instance 0 (`startable`), and sessions, transactions and producer ids
 * are numbered in the order in which they come.
 */
import type { Symmetry } from '../checker/model.ts'
import { remembersBatches } from './ghost.ts'
import type { Protocol } from './protocol/protocol.ts'

const member = 'output partition'

/** Participants of a transaction, wherever a list of them is kept: in ascending order. */
const participants = [
  'coordinator[].entry',
  'coordinator[].former',
  'coordinator[].former.entry',
  'transactionLog[].committed',
  'transactionLog[].reportedFailed',
  'transactionLog[].tail',
  'connection[].coordinator.requests[]',
  'connection[].coordinator.replies[].request',
  'connection[].coordinator.late[][]',
]

/** With fewer of them, testing that nothing tells them apart costs more than is saved (docs/engine.md). */
const worthwhile = 3

export function symmetryOf(protocol: Protocol): Symmetry[] {
  const { config } = protocol
  // The batches that are remembered have the numbers of their partitions inside of their names.
  if (config.outputPartitions < worthwhile || remembersBatches(protocol)) return []
  return [
    {
      sort: member,
      members: Array.from({ length: config.outputPartitions }, (_, partition) => partition),
      keys: [
        `partition[${member}]`,
        `markers[${member}]`,
        `verification[${member}]`,
        `connection[].partition[${member}]`,
        `instance[].nextSequence[${member}]`,
        `instance[].lastAcknowledged[${member}]`,
        `instance[].unacknowledged[${member}]`,
        `instance[].unresolved[${member}]`,
      ],
      values: ['coordinator[].answer.partition'],
      sets: participants.map((holder) => `${holder}.partitions`),
      arguments: ['partition', 'broker'],
    },
  ]
}
