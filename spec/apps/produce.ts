/**
 * An application that sends its inputs as records: each in transactions of their own, or without any
 * (KafkaProducer.send).
 */
import { sendInput } from './batches.ts'
import type { Worker } from './worker.ts'

/** Sends the inputs of one transaction, and commits at once: EndTxn waits until they are acknowledged. */
export function sendTransaction(worker: Worker): void {
  const { protocol, instance } = worker
  const { inputs, inputsPerTransaction } = protocol.config
  const count = Math.min(inputsPerTransaction, inputs - instance.position)
  instance.phase = 'sending'
  for (let more = 0; more < count; more += 1) {
    if (more > 0) nextInput(worker)
    sendInput(worker, instance.position)
  }
}

/** The next input of the same transaction. */
export function nextInput({ instance }: Worker): void {
  instance.position += 1
  instance.processed += 1
}

/** Sends all inputs, one after the other. */
export function sendAll(worker: Worker): void {
  const { protocol, instance } = worker
  instance.phase = 'sending'
  for (let input = 0; input < protocol.config.inputs; input += 1) sendInput(worker, input)
}
