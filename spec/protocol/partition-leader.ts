/** A partition leader: its rules by theme. */
export { type Append, type GuardHeld, validateBatch } from './partition-leader/batches.ts'
export { emptyPartition, entryOf, guardOf, withEntry } from './partition-leader/entries.ts'
export { fromSnapshot, producersOf, retained, underNewLeader } from './partition-leader/leader-change.ts'
export { validateMarker } from './partition-leader/markers.ts'
export { duplicateOf } from './partition-leader/sequences.ts'
export { type LoggedTransaction, lastStableOffset, transactionsOf } from './partition-leader/stable-offset.ts'
export {
  guardFor,
  guardSurvives,
  refusalOf,
  repetitionOf,
  startVerification,
} from './partition-leader/verification.ts'
