/**
 * The read-process-write loop without transactions: the offset is committed by itself, before the output or after it
 * (KafkaConsumer.commitSync).
 */
import { sendInput } from './batches.ts'
import { sendOffsetCommit, type Worker } from './worker.ts'

/** Whether an input counts as done before its output is there: at most once. */
export const commitsFirst = ({ protocol }: Worker): boolean =>
  protocol.config.offsetCommits === 'before the output'

/** Begins with the input at the current position. */
export const processOne = (worker: Worker): void =>
  commitsFirst(worker) ? commitOffset(worker) : writeOutput(worker)

/** commitSync: nothing else is done before it is answered; a commit that is refused ends the session. */
export function commitOffset(worker: Worker): void {
  worker.instance.phase = 'committing offsets'
  sendOffsetCommit(worker, 'OffsetCommit')
}

export function writeOutput(worker: Worker): void {
  worker.instance.phase = 'sending'
  sendInput(worker, worker.instance.position)
}

/** A send that fails ends the session: the next one begins at the committed offset. */
export const stopsOnFailure = ({ protocol }: Worker): boolean =>
  protocol.config.application === 'read-process-write' && protocol.config.producer !== 'transactional'
