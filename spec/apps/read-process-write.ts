/**
 * The transactional read-process-write loop: inputs, their outputs and the next offset in one transaction
 * (KafkaProducer, "Using Transactions" in Kafka's design documentation).
 */
import { spend } from '../actions/step.ts'
import { isReplaced, ownerOf } from '../protocol/group-coordinator.ts'
import { addRequest } from '../protocol/producer.ts'
import { sendInput } from './batches.ts'
import { close } from './leaving.ts'
import { nextInput, sendTransaction } from './produce.ts'
import { sendOffsetCommit, sendToCoordinator, type Worker } from './worker.ts'

export const commitsOffsets = ({ protocol }: Worker): boolean =>
  protocol.protects('offsets inside the transaction')

/** Sends the outputs and the offset; before transaction.version 2 the offsets' partition is added first. */
export function processInput(worker: Worker): void {
  const { protocol, instance } = worker
  if (!commitsOffsets(worker)) return sendTransaction(worker)
  instance.phase = 'sending'
  sendInput(worker, instance.position)
  instance.offsetsPending = true
  if (protocol.flags.clientVersion === 2) return sendOffsets(worker)
  sendToCoordinator(worker, addRequest('AddOffsetsToTxn', instance, [protocol.offsetsPartition]))
}

export const sendOffsets = (worker: Worker): void => sendOffsetCommit(worker, 'TxnOffsetCommit')

/** sendOffsetsToTransaction has returned: the next input of the transaction, if there is one. */
export function onOffsetsAnswered(worker: Worker): void {
  const { protocol, instance } = worker
  const { inputs, inputsPerTransaction } = protocol.config
  instance.offsetsPending = false
  const more = instance.processed + 1 < inputsPerTransaction && instance.position + 1 < inputs
  if (instance.result === 'abort' || !more) return
  nextInput(worker)
  processInput(worker)
}

/** Whether joining the group again takes the input partition from nobody. */
function isFree({ state, instance }: Worker): boolean {
  const owner = ownerOf(state.group)
  return owner === -1 || owner === instance.memberId
}

/** A static member that was replaced may not: its consumer ends with FencedInstanceIdException. */
export function mayRejoin(worker: Worker): boolean {
  const { state, instance } = worker
  if (instance.memberId >= 0 && isReplaced(state.group, instance.memberId)) return false
  return isFree(worker) || (state.budget.rebalances > 0 && state.budget.total > 0)
}

/** It has lost its input partition and takes it back, or is closed. */
export function rejoin(worker: Worker): void {
  const { state, step, instance } = worker
  if (!mayRejoin(worker)) return close(worker)
  if (!isFree(worker)) spend(state, step, 'rebalances')
  instance.revoked = false
  instance.phase = 'joining'
}
