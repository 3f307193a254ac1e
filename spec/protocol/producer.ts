/** The producer client: its rules by theme. */
export {
  acknowledge,
  closeGap,
  complete,
  currentOf,
  discardUndrained,
  drainBatches,
  forgetSequences,
  incomplete,
  inFlight,
  isNextExpected,
  isSameIdentity,
  isSequenceLost,
  reenqueue,
  startAtBeginning,
} from './producer/batches.ts'
export { isNoOwner, isOwnEpochRaised, outcomeOf, severityOf } from './producer/errors.ts'
export { adopt, isWorkDone, newInstance, stop } from './producer/instance.ts'
export {
  addRequest,
  endRequest,
  initProducerIdRequest,
  offsetCommitRequest,
  produceRequest,
} from './producer/requests.ts'
export { becomeAborting, failBatch, isCompleting, producerStateOf, raisesEpoch } from './producer/states.ts'
export { completionOf } from './producer/two-phase-commit.ts'
