/** Small helpers that actions share. */
import type { Step } from '../../checker/model.ts'
import { appLane, coordinatorLane, keyFields } from '../lanes.ts'
import { type Copy, nextRequest } from '../protocol/network.ts'
import type { Connection, KafkaState, Request, TransactionRecord } from '../state.ts'

/** A guard that a value is there; returns it. */
export function present<Value>(step: Step, guard: string, value: Value | undefined | null): Value {
  step.when(guard, value !== undefined && value !== null)
  return value as Value
}

/** One of these, as a choice only if there are several. */
export const oneOf = <Option>(step: Step, name: string, options: readonly Option[]): Option =>
  options.length === 1 ? (options[0] as Option) : step.choose(name, options)

/** The request that a broker takes up: the first of the live connection or one of the late ones. */
export function takeUp<Kind extends Request['kind']>(
  step: Step,
  connection: Connection,
  copy: Copy,
  kinds: readonly Kind[],
): { request: Extract<Request, { kind: Kind }>; index: number } {
  const matches = (request: Request | undefined) =>
    request !== undefined && kinds.includes(request.kind as Kind)
  if (copy === 'live') {
    const first = nextRequest(connection)
    step.when('a request of this kind has arrived', matches(first))
    return { request: first as Extract<Request, { kind: Kind }>, index: 0 }
  }
  const arrived = connection.late.flatMap(([first], index) =>
    matches(first) && !first?.executing ? [index] : [],
  )
  step.when('a late request of this kind is under way', arrived.length > 0)
  const index = oneOf(step, 'late request', arrived)
  return { request: connection.late[index]?.[0] as Extract<Request, { kind: Kind }>, index }
}

/** Its connection is closed, or its client has given it up. */
const isDelayed = (request: Request, copy: Copy): boolean =>
  copy === 'late' || (request.kind === 'Produce' && request.givenUp === true)

/** Describes that a request of a client is taken up by a broker. */
export function emitDelivered(step: Step, client: number, lane: string, request: Request, copy: Copy): void {
  step.emit({
    kind: 'delivered',
    lane,
    peer: appLane(client),
    message: request.kind,
    fields: keyFields(request),
    ...(isDelayed(request, copy) ? { late: true } : {}),
    ...(copy === 'late' ? { text: `late, sent by session ${request.session}` } : {}),
  })
}

/** Describes a request of a client. */
export function emitSent(step: Step, client: number, lane: string, request: Request): void {
  step.emit({
    kind: 'sent',
    lane: appLane(client),
    peer: lane,
    message: request.kind,
    fields: keyFields(request),
  })
}

/** Describes a record of the transaction log. */
export function emitRecord(step: Step, record: TransactionRecord, text: string): void {
  const { state, producerEpoch, partitions } = record
  step.emit({
    kind: 'appended',
    lane: coordinatorLane,
    message: state,
    fields: { producerEpoch, partitions },
    text,
  })
}

/**
 * Takes one fault from its budget and from the budget of all faults. Faults ask for that before anything
 * else, and for the common budget first: it is used up in most states, and what the first component of an
 * action rules out costs the checker nothing.
 */
export function spend(state: KafkaState, step: Step, fault: keyof KafkaState['budget']): void {
  step.when('budget of faults is left', state.budget.total > 0)
  step.when(`budget of ${fault} is left`, state.budget[fault] > 0)
  step.fault(fault)
  state.budget[fault] -= 1
  state.budget.total -= 1
}
