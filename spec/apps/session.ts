/**
 * The life of a session with its producer: identity, transactions and their ends, whatever the application
 * does in them.
 */
import { transactionName } from '../ghost.ts'
import { appLane } from '../lanes.ts'
import {
  addRequest,
  adopt,
  endRequest,
  initProducerIdRequest,
  isWorkDone,
  producerStateOf,
} from '../protocol/producer.ts'
import { outputsOf } from '../protocol/topology.ts'
import type { Identity } from '../state.ts'
import { initialise, renewBatches } from './batches.ts'
import { close, finish } from './leaving.ts'
import { commitOffset, commitsFirst, processOne, writeOutput } from './plain-offsets.ts'
import { prepare } from './prepared.ts'
import { sendAll, sendTransaction } from './produce.ts'
import { commitsOffsets, mayRejoin, processInput, rejoin } from './read-process-write.ts'
import { sendToCoordinator, type Worker } from './worker.ts'

const produces = ({ protocol }: Worker) => protocol.config.application === 'produce'
const isTransactional = ({ protocol }: Worker) => protocol.config.producer === 'transactional'

/**
 * Opens a session: joins the group first or initialises first, as configured; a plain producer just sends.
 */
export function open(worker: Worker): void {
  const { protocol, instance } = worker
  const { fetchOffsets, producer } = protocol.config
  if (produces(worker)) startAt(worker)
  else if (fetchOffsets === 'before init' || producer === 'plain') {
    instance.phase = 'joining'
    return
  }
  if (producer === 'plain') return produceAll(worker)
  initialise(worker)
}

/** Without a group nothing is known of earlier sessions but what was taken from one to the next. */
function startAt({ instance }: Worker): void {
  instance.position = instance.goesOnAt ?? 0
  delete instance.goesOnAt
}

/** The producer has an identity: its first one, or a new one. */
export function onInitialised(worker: Worker, identity: Identity): void {
  const { protocol, instance } = worker
  if (!isTransactional(worker)) return onIdentified(worker, identity)
  adopt(instance, identity)
  if (instance.mappingLost) told(worker)
  instance.mappingLost = false
  if (instance.phase === 'raising the epoch') return rewind(worker)
  if (produces(worker) || protocol.config.fetchOffsets === 'before init') return beginOrFinish(worker)
  instance.phase = 'joining'
}

/** With acks=0 all is done when it is sent. */
function produceAll(worker: Worker): void {
  sendAll(worker)
  endWhenDone(worker)
}

/** An idempotent producer begins to send, or goes on with what its last producer id left. */
function onIdentified(worker: Worker, { producerId, producerEpoch }: Identity): void {
  const { instance } = worker
  Object.assign(instance, { producerId, producerEpoch })
  if (isWorkDone(instance)) return identified(worker)
  instance.phase = 'sending'
  renewBatches(worker, instance)
}

/** It has sent nothing yet. */
function identified(worker: Worker): void {
  const { protocol, instance } = worker
  if (produces(worker)) return produceAll(worker)
  if (protocol.config.fetchOffsets === 'before init') return beginOrFinish(worker)
  instance.phase = 'joining'
}

/** Begins the transaction of the input at the current position, or ends when there is none left. */
export function beginOrFinish(worker: Worker): void {
  const { protocol, instance } = worker
  if (instance.position >= protocol.config.inputs) return finish(worker)
  if (!isTransactional(worker)) return processOne(worker)
  if (instance.transaction >= protocol.config.attempts) return close(worker)
  instance.transaction += 1
  instance.result = 'commit'
  instance.processed = 0
  if (protocol.flags.clientVersion === 2) return work(worker)
  instance.phase = 'adding partitions'
  const outputs = outputsOf(protocol)
  const added = protocol.config.addedPartitions === 'all' ? outputs : outputs.slice(0, -1)
  sendToCoordinator(worker, addRequest('AddPartitionsToTxn', instance, added))
}

/** What the transaction is for. */
export const work = (worker: Worker): void =>
  produces(worker) ? sendTransaction(worker) : processInput(worker)

/** Ends the transaction when all that it sent is answered, or prepares it for an external store to decide. */
export function endWhenDone(worker: Worker): void {
  const { protocol, instance } = worker
  if (!mayEnd(worker)) return
  if (!isTransactional(worker)) return produces(worker) ? finish(worker) : onWritten(worker)
  if (instance.mappingLost) return raiseEpoch(worker)
  if (protocol.config.twoPhaseCommit && instance.result === 'commit') return prepare(worker)
  end(worker)
}

/** commitTransaction, abortTransaction or completeTransaction. */
export function end(worker: Worker): void {
  const { instance } = worker
  instance.phase = 'ending'
  sendToCoordinator(worker, endRequest(instance))
}

/** Whether all that has to be answered before the end is answered, and the end is still to come. */
function mayEnd({ protocol, instance }: Worker): boolean {
  if (protocol.protects('batches answered before the end')) return isWorkDone(instance)
  const { phase, offsetsPending, mappingLost } = instance
  return !offsetsPending && (phase === 'sending' || phase === 'adding partitions' || mappingLost)
}

/** Ghost: what the application hears of its transaction. */
function told({ state, instance }: Worker): void {
  state.ghost.told[transactionName(instance.session, instance.transaction)] = instance.result
}

/** EndTxn has succeeded. */
export function onEnded(worker: Worker, { producerId, producerEpoch }: Identity): void {
  const { instance } = worker
  told(worker)
  if (producerEpoch >= 0) adopt(instance, { producerId, producerEpoch })
  if (instance.result === 'commit') afterCommit(worker)
  else afterAbort(worker)
}

/**
 * The coordinator has added nothing and knows of no transaction: the client aborts without asking it
 * (TransactionManager.nextRequest, transactionStarted).
 */
export function abortUnknown(worker: Worker): void {
  told(worker)
  afterAbort(worker)
}

/** Without transactions all outputs of an input are acknowledged. */
function onWritten(worker: Worker): void {
  if (commitsFirst(worker)) goOn(worker)
  else commitOffset(worker)
}

/** The offset is committed outside of a transaction. */
export function onOffsetCommitted(worker: Worker): void {
  if (!isTransactional(worker) && commitsFirst(worker)) writeOutput(worker)
  else goOn(worker)
}

function goOn(worker: Worker): void {
  worker.instance.position += 1
  beginOrFinish(worker)
}

/** The transaction is committed: go on with the next input. */
function afterCommit(worker: Worker): void {
  const { instance } = worker
  if (!produces(worker) && !commitsOffsets(worker) && instance.phase === 'ending') {
    return commitOffset(worker)
  }
  goOn(worker)
}

/**
 * The transaction is aborted: raise the epoch if an error asked for it, then go back to the committed offset.
 */
function afterAbort(worker: Worker): void {
  const { instance, step, client } = worker
  if (instance.bumpTooLate) {
    const text = 'INITIALIZING, but nothing initialises it: beginTransaction throws IllegalStateException'
    step.emit({ kind: 'note', lane: appLane(client), text })
    return close(worker)
  }
  if (instance.revoked && !mayRejoin(worker)) return close(worker)
  if (instance.epochBumpRequired) return raiseEpoch(worker)
  rewind(worker)
}

/**
 * The same producer goes on with the next epoch, or with another producer id if the coordinator knows its own
 * no more.
 */
function raiseEpoch(worker: Worker): void {
  const { protocol, instance } = worker
  instance.phase = 'raising the epoch'
  instance.epochBumpRequired = false
  sendToCoordinator(worker, initProducerIdRequest(protocol, instance))
}

function rewind(worker: Worker): void {
  const { protocol, instance } = worker
  if (instance.revoked) return rejoin(worker)
  if (!protocol.protects('rewind after abort')) instance.position += 1
  else if (protocol.config.afterAbort === 'same inputs') instance.position -= instance.processed
  else if (!produces(worker)) {
    instance.phase = 'fetching'
    return
  }
  beginOrFinish(worker)
}

/** A call of initTransactions, commitTransaction or abortTransaction has not returned yet. */
export function isCalling({ protocol, instance }: Pick<Worker, 'protocol' | 'instance'>): boolean {
  const state = producerStateOf(protocol, instance)
  return (
    instance.transactionalId >= 0 &&
    (state === 'INITIALIZING' || state === 'COMMITTING' || state === 'ABORTING')
  )
}
