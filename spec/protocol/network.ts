/**
 * Connections: requests in order, one worked on at a time, replies, and requests that outlive their connection.
 *
 * A broker reads no further request of a connection before it has answered the last one (SocketServer.Processor
 * mutes the channel). A client that loses a connection repeats its unanswered requests on a new one, while bytes that were
 * already sent are still read and executed (Selector). TCP duplicates nothing: a copy is an original that came late.
 */
import {
  type Connection,
  type ErrorName,
  type Identity,
  type ProduceRequest,
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

/**
 * The request of that name that the broker is working on, if its connection still exists. After a reconnection this
 * may be a second copy: which of two equal copies is answered and which is late makes no difference.
 */
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

/** The client repeats its unanswered requests on a new connection. */
export function reconnect(connection: Connection): void {
  const unanswered = [...connection.replies.map(({ request }) => request), ...connection.requests]
  connection.requests = unanswered.map((request) => ({ ...request, executing: false }))
  connection.replies = []
}

/** The client is gone. Of what it sent, what `survives` may still be executed, and is answered to nobody. */
export function abandon(connection: Connection, survives: (request: Request) => boolean): void {
  leaveBehind(connection, onTheWire(connection).filter(survives))
  connection.requests = []
  connection.replies = []
  connection.unsent = []
}

/** A connection is closed: what was sent on it comes late, in order. */
export function leaveBehind(connection: Connection, requests: Request[]): void {
  if (requests.length > 0) connection.late.push(requests)
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

/** Hands batches that wait in the client to the connection, as far as the limit of batches in flight allows. */
export function sendUnsent(connection: Connection, maxInFlight: number): void {
  while (
    connection.unsent.length > 0 &&
    connection.requests.length + connection.replies.length < maxInFlight
  ) {
    connection.requests.push(connection.unsent.shift() as ProduceRequest)
  }
}
