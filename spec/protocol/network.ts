/**
 * Connections: requests in order, one worked on at a time, replies, and requests that outlive their
 * connection.
 *
 * A broker reads no further request of a connection before it has answered the last one
 * (SocketServer.Processor mutes the channel). A client that loses a connection repeats its unanswered
 * requests on a new one, while bytes that were already sent are still read and executed (Selector). TCP
 * duplicates nothing: a copy is an original that came late.
 */
import {
  type Connection,
  type ErrorName,
  type Identity,
  type Reply,
  type Request,
  requestName,
} from '../state.ts'

export const newConnection = (): Connection => ({ requests: [], replies: [], late: [], unsent: [] })

/** Which copy of a request a broker takes up: the first of the live connection, or one that is late. */
export const copies = ['live', 'late'] as const
export type Copy = (typeof copies)[number]

/** The request that the broker may begin with. */
export function nextRequest(connection: Connection): Request | undefined {
  const first = connection.requests[0]
  return first === undefined || first.executing ? undefined : first
}

/** The request of that name that the broker is working on, if its connection still exists. */
export function executing(connection: Connection, name: string): Request | undefined {
  const first = connection.requests[0]
  return first?.executing === true && requestName(first) === name ? first : undefined
}

/** Puts the reply to the first request on its way. */
export function answer(connection: Connection, error: ErrorName, identity: Identity): void {
  const request = connection.requests.shift()
  if (request !== undefined)
    connection.replies.push({ request: { ...request, executing: false }, error, ...identity })
}

/** Takes the reply off the connection. */
export function takeReply(connection: Connection): Reply | undefined {
  return connection.replies.shift()
}

/**
 * The connection is closed, and with it all that was sent on it. Of the requests that no broker has begun
 * with, the first `surviving` are still executed, in order, and wait for the one that is being verified;
 * their replies go nowhere. Returns what was not answered.
 */
export function closeConnection(connection: Connection, surviving: number, verifying: boolean): Request[] {
  const { requests, replies } = connection
  const survivors = onTheWire(connection).slice(0, surviving)
  const working = verifying && survivors.length > 0 ? requests.slice(0, 1) : []
  const late = [...working, ...survivors].map(asSent)
  if (late.length > 0) connection.late.push(late)
  const unanswered = [...replies.map(({ request }) => request), ...requests]
  connection.requests = []
  connection.replies = []
  return unanswered.map((request) => ({ ...request, executing: false }))
}

/** What of a request is on the wire: not what its client notes about it. */
function asSent(request: Request): Request {
  if (request.kind !== 'Produce') return { ...request }
  const { retried: _retried, givenUp: _givenUp, reset: _reset, ...sent } = request
  return sent
}

/**
 * The broker begins with the first request of a closed connection: those behind it wait until it has
 * finished.
 */
export function beginLate(connection: Connection, index: number): void {
  const [first, ...others] = connection.late[index] as Request[]
  if (others.length === 0) connection.late.splice(index, 1)
  else (first as Request).executing = true
}

/** A request of a closed connection has been executed: the next one may begin. */
export function finishLate(connection: Connection, name: string): void {
  const isDone = ([first]: Request[]) => first?.executing === true && requestName(first) === name
  const index = connection.late.findIndex(isDone)
  if (index >= 0) discardLate(connection, index)
}

/** The first request of a closed connection has been executed. */
export function discardLate(connection: Connection, index: number): void {
  const requests = connection.late[index] as Request[]
  requests.shift()
  if (requests.length === 0) connection.late.splice(index, 1)
}

/** Requests that no broker has begun to work on. */
export const onTheWire = ({ requests }: Connection): Request[] =>
  requests.filter(({ executing }) => !executing)
