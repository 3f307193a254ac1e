/** A session that has been replaced changes nothing any more. */
import { always, alwaysForEach, type Property, type Taken, transition } from '../../checker/model.ts'
import { readBy } from '../protocol/consumer.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { partitionAt, partitionsOf } from '../protocol/topology.ts'
import type { KafkaState } from '../state.ts'

export const fencedWritesInvisible = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'fenced sessions write nothing visible',
    partitionsOf(protocol),
    (state: KafkaState, partition, claim) => {
      for (const { offset, record } of readBy(protocol, partitionAt(state, partition))) {
        const values = { offset, session: record.session, transaction: record.transaction }
        claim.that('it was not appended after a later session had its epoch', !record.fenced, values)
      }
    },
    {
      summary:
        'After a session got its epoch, nothing that an earlier session of the same transactional.id appends becomes visible.',
      sources: ['KIP-98', 'KafkaProducer.initTransactions'],
    },
  )

export const fencedEndsIneffective: Property<KafkaState> = transition(
  'fenced sessions end no transaction',
  (before: KafkaState, after: KafkaState, claim, taken) => {
    if (taken.action !== 'HandleEndTxn') return
    const request = endRequestIn(before, taken)
    if (request === undefined) return
    const id = request.transactionalId
    const newestSession = before.ghost.newestSession[id] as number
    if (request.session === newestSession) return
    const from = before.coordinator[id]?.entry
    const to = after.coordinator[id]?.entry
    claim.that(
      'the coordinator does not change',
      from?.pendingState === to?.pendingState && from?.state === to?.state,
      {
        session: request.session,
        newestSession,
        before: from?.state ?? 'none',
        after: to?.pendingState ?? 'none',
      },
    )
  },
  {
    summary:
      'After a session got its epoch, no EndTxn of an earlier session changes the state of the coordinator.',
    sources: ['KIP-98'],
  },
)

/** The EndTxn that the transition takes up. */
export function endRequestIn(state: KafkaState, { args, choices }: Taken) {
  const connection = state.connection[args.client as number]?.coordinator
  if (args.copy === 'live') return connection?.requests[0]
  const chosen = choices.find(({ name }) => name === 'late request')?.value
  if (chosen !== undefined) return connection?.late[chosen as number]?.[0]
  return connection?.late.find(([first]) => first?.kind === 'EndTxn')?.[0]
}

/**
 * A late InitProducerId that names no identity counts as a rival, even one of the session itself: the coordinator cannot
 * tell it from another session that starts, and fences whoever has the epoch.
 */
export const noSelfFencing: Property<KafkaState> = always(
  'no session is fenced without a rival',
  ({ ghost }: KafkaState, claim) => {
    claim.that('nobody was told so for nothing', !ghost.fencedWithoutRival)
  },
  {
    summary:
      'Without another session, a timeout or an expiry, a producer never hears PRODUCER_FENCED, INVALID_PRODUCER_EPOCH or INVALID_PRODUCER_ID_MAPPING.',
    sources: ['KAFKA-18464', 'KAFKA-18660', 'KIP-360'],
  },
)
