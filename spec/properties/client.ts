/** A producer asks one thing at a time. */
import { alwaysForEach, type Property } from '../../checker/model.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { clientsOf } from '../protocol/topology.ts'
import type { Connection, KafkaState } from '../state.ts'

const waiting = ({ requests, replies }: Connection, kinds: (kind: string) => boolean): number =>
  [...requests, ...replies.map(({ request }) => request)].filter(({ kind }) => kinds(kind)).length

export const oneRequestAtATime = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'one transactional request at a time',
    clientsOf(protocol),
    (state: KafkaState, client, claim) => {
      const { coordinator, partition } = state.connection[client] as KafkaState['connection'][number]
      const group = partition[protocol.offsetsPartition] as Connection
      const inFlight = waiting(coordinator, () => true) + waiting(group, (kind) => kind === 'TxnOffsetCommit')
      claim.that('at most one is in flight', inFlight <= 1, { client, inFlight })
    },
    {
      summary: 'A producer has at most one request to its coordinators in flight, EndTxn included.',
      sources: ['Sender.maybeSendAndPollTransactionalRequest', 'TransactionManager.nextRequest'],
    },
  )
