/** Names of transactions and batches as their clients know them: bookkeeping for properties and readers, never for rules. */

import type { Copy } from './protocol/network.ts'
import type { Protocol } from './protocol/protocol.ts'
import type { ErrorName, InitProducerIdRequest, KafkaState, Reply } from './state.ts'

/** The `number`-th transaction of a session: 's1.2'. */
export const transactionName = (session: number, number: number): string =>
  number === 0 ? '' : `s${session}.${number}`

/** The number of a transaction within its session: 2 of 's1.2'. */
export const ordinal = (transaction: string): number =>
  Number(transaction.slice(transaction.indexOf('.') + 1))

const sessionOf = (transaction: string): number => Number(transaction.slice(1, transaction.indexOf('.')))

/** What an open transaction is called when a request of transaction `claimed` adds to it: the session's later one. */
export function nameAfterAdd(open: string, claimed: string): string {
  if (open === '' || claimed === '') return open === '' ? claimed : open
  return sessionOf(open) === sessionOf(claimed) && ordinal(claimed) > ordinal(open) ? claimed : open
}

interface Batch {
  readonly session: number
  readonly transaction: string
  readonly input: number
  readonly part: number
}

/** What a batch is called, in a request as in a log. */
export const batchName = ({ session, transaction, input, part }: Batch, partition: number): string =>
  `${transaction === '' ? `s${session}` : transaction} ${input}.${part} to ${partition}`

/**
 * Whether acknowledgements are remembered: where records can be lost, or no end of a transaction tells what must be
 * there. Elsewhere `reported outcomes are what readers see` says it of all batches that anybody relies on.
 */
export const remembersBatches = ({ config }: Protocol): boolean =>
  config.producer !== 'transactional' || config.leaderChanges + config.uncleanElections > 0

/** The producer of a batch has been told that it is in the log. */
export function noteAcknowledged(
  protocol: Protocol,
  { ghost }: KafkaState,
  batch: Batch,
  partition: number,
): void {
  if (remembersBatches(protocol)) ghost.acknowledged[batchName(batch, partition)] = partition
}

/**
 * A late copy of an InitProducerId that names no identity claims the transactional.id for nobody: its sender has got an
 * epoch by another copy, or is gone. To the coordinator it is another session like any.
 */
export function noteClaim({ ghost }: KafkaState, { expectedEpoch }: InitProducerIdRequest, copy: Copy): void {
  if (copy === 'late' && expectedEpoch < 0) ghost.claimedForNobody = true
}

const fencing: readonly ErrorName[] = [
  'PRODUCER_FENCED',
  'INVALID_PRODUCER_EPOCH',
  'INVALID_PRODUCER_ID_MAPPING',
]

/**
 * A producer is told that it was fenced, or that nobody knows it: is there anyone or anything that did it? The answer to a
 * batch that it has given up is none that it listens to.
 */
export function noteFenced(
  { config }: Protocol,
  { ghost, budget }: KafkaState,
  { request, error }: Reply,
): void {
  if (!fencing.includes(error) || (request.kind === 'Produce' && request.givenUp === true)) return
  const alone =
    config.transactionalIds === 'fresh' ||
    ghost.sessions === 1 ||
    (config.transactionalIds === 'own' && budget.restarts === config.restarts)
  const undisturbed =
    budget.transactionTimeouts === config.transactionTimeouts && budget.idExpirations === config.idExpirations
  if (alone && undisturbed && !ghost.claimedForNobody) ghost.fencedWithoutRival = true
}
