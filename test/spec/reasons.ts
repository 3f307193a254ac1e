/**
 * For each defence: how a trace shows that it was missing. A reason holds of a step in which the very thing
 * happened that the defence exists to prevent; with the defence in place it holds of no step. What a reader is shown is
 * no part of a state: there the reason is in the failed part of the property.
 */
import type { DefenceName } from '../../spec/defences.ts'
import { epochReasons } from './reasons/epochs.ts'
import type { Moment } from './reasons/moments.ts'
import { leaderReasons } from './reasons/partition-leader.ts'
import { readerReasons } from './reasons/readers-and-group.ts'
import { coordinatorReasons } from './reasons/transaction-coordinator.ts'
import { verificationReasons } from './reasons/verification.ts'

export const reasons: Record<DefenceName, (moment: Moment) => boolean> = {
  ...leaderReasons,
  ...verificationReasons,
  ...coordinatorReasons,
  ...epochReasons,
  ...readerReasons,
}
