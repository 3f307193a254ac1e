/** Short notations for what a producer knows and what it has in flight. */
import { newConnection } from '../../../spec/protocol/network.ts'
import { newInstance } from '../../../spec/protocol/producer.ts'
import type { Connection, ErrorName, Instance, ProduceRequest } from '../../../spec/state.ts'
import { produce } from './leader-notation.ts'

/** In its second transaction, sending. */
export const instance = (changes: Partial<Instance> = {}): Instance => ({
  ...newInstance(2),
  status: 'running',
  phase: 'sending',
  session: 3,
  transactionalId: 0,
  transaction: 2,
  producerId: 0,
  producerEpoch: 4,
  generation: 1,
  position: 1,
  ...changes,
})

/** A batch of that producer; sequence -1 before its first attempt. */
export const batch = (sequence: number, changes: Partial<ProduceRequest> = {}): ProduceRequest => ({
  ...produce(4, sequence),
  ...changes,
})

type Batches = readonly (number | ProduceRequest)[]
const batchesOf = (batches: Batches) => batches.map((one) => (typeof one === 'number' ? batch(one) : one))

interface Traffic {
  readonly requests?: Batches
  readonly replies?: Batches
  readonly unsent?: Batches
  /** The broker works on the first request. */
  readonly working?: boolean
}

/** A connection with batches, by their sequences. */
export function connectionWith({
  requests = [],
  replies = [],
  unsent = [],
  working = false,
}: Traffic): Connection {
  const executing = (index: number) => working && index === 0
  return {
    ...newConnection(),
    requests: batchesOf(requests).map((one, index) => ({ ...one, executing: executing(index) })),
    replies: batchesOf(replies).map((request) => ({
      request,
      error: 'NONE' as ErrorName,
      producerId: -1,
      producerEpoch: -1,
    })),
    unsent: batchesOf(unsent),
  }
}

export const sequences = (requests: readonly unknown[]): number[] =>
  requests.map((request) => (request as ProduceRequest).sequence)
