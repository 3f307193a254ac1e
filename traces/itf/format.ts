/** Names that the writer and the reader of trace files agree on. */

/** Version of what stands under `#meta.fencepost` and in the `#meta` of each state. */
export const traceFormat = 'fencepost-trace/1'
export const description = 'Created by fencepost'

/** Variables that tools of the Quint family show: the action that led to a state, and what was chosen in it. */
export const actionVariable = 'mbt::actionTaken'
export const picksVariable = 'mbt::nondetPicks'
/** What `mbt::actionTaken` says of the first state. */
export const initialAction = 'init'
