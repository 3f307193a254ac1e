/** How a session ends: the producer is closed, the process crashes, or all is done. */
import { type Broker, brokers, connectionTo, cut, laneOf } from '../actions/connections.ts'
import { appLane } from '../lanes.ts'
import { onTheWire } from '../protocol/network.ts'
import { stop } from '../protocol/producer.ts'
import { requestName } from '../state.ts'
import type { Worker } from './worker.ts'

/** A fatal error: the producer can only be closed. What it sent may still be executed. */
export function close(worker: Worker): void {
  worker.step.emit({ kind: 'note', lane: appLane(worker.client), text: 'the producer is closed' })
  leave(worker, 'closed')
}

/**
 * All is done. With acks=0 the requests may still be on the wire, and arrive: the connections are closed in
 * order.
 */
export function finish(worker: Worker): void {
  if (worker.protocol.config.acks === '0') stop(worker.instance, 'finished')
  else leave(worker, 'finished')
}

/** The process is gone, with all that it knew; some of what it sent may still arrive. */
export function leave(worker: Worker, status: 'crashed' | 'closed' | 'finished'): void {
  const { protocol, state, step, client, instance } = worker
  const sent = brokers(protocol).map((broker) => namesSent(worker, broker))
  const names = sent.flat()
  const choices = subsets(names, protocol.config.survivors).filter((survivors) =>
    sent.every((onConnection) => isPrefix(survivors, onConnection)),
  )
  const survivors = names.length === 0 ? [] : step.choose('requests that still arrive', choices)
  for (const [index, broker] of brokers(protocol).entries()) {
    const surviving = (sent[index] as string[]).filter((name) => survivors.includes(name)).length
    const connection = connectionTo(state, client, broker)
    connection.unsent = []
    cut(worker, broker, surviving)
  }
  stop(instance, status)
}

const namesSent = ({ protocol, state, client }: Worker, broker: Broker): string[] =>
  onTheWire(connectionTo(state, client, broker)).map(
    (request) => `${requestName(request)} to ${laneOf(protocol, broker)}`,
  )

/** Of what was sent on one connection, the tail is lost. */
const isPrefix = (survivors: readonly string[], sent: readonly string[]): boolean =>
  sent.every(
    (name, index) =>
      index === 0 || !survivors.includes(name) || survivors.includes(sent[index - 1] as string),
  )

/** All subsets of at most `size` elements, the empty one first. */
function subsets(names: readonly string[], size: number): string[][] {
  const [first, ...rest] = names
  if (first === undefined || size === 0) return [[]]
  return [...subsets(rest, size), ...subsets(rest, size - 1).map((subset) => [first, ...subset])]
}
