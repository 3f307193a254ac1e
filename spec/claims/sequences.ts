/** What is said of sequence numbers, and of clients that are told that one is out of order. */
import { inOrder } from '../guarantees.ts'
import { kafka } from '../model.ts'
import { anyModel, type Claim, type ClaimCase } from './claim.ts'

const model = anyModel(kafka)
const twice = 'no output is there twice'

const produce = { application: 'produce', instances: 1, inputs: 1, outputPartitions: 1 }
const reload = { leaderChanges: 1, snapshotReloads: 1 }

/** What a client does when it is told OUT_OF_ORDER_SEQUENCE_NUMBER of a batch that it cannot just send again. */
const policies = {
  'batch fails': { preset: 'kafka-1.1', config: { producer: 'idempotent' } },
  'epoch raised, batches numbered anew': {
    preset: 'kafka-4.4',
    config: { producer: 'idempotent' },
  },
  'transaction aborted': { preset: 'kafka-3.9', config: { producer: 'transactional' } },
} as const
type Policy = keyof typeof policies

export const sequenceClaims: readonly Claim[] = [
  {
    id: 'claim-I4',
    claim:
      'as many batches in flight as a partition remembers are neither repeated nor reordered; with more, or after a leader has read one per producer from its snapshot, a client that raises its own epoch writes them again',
    stands: 'holds within limits',
    sources: ['max.in.flight.requests.per.connection', 'ProducerStateEntry', 'KIP-360', 'KAFKA-5494'],
    table: { rows: 'batches', columns: 'told that one is out of order' },
    cases: (Object.keys(policies) as Policy[]).flatMap((policy) =>
      [
        [1, 1],
        [2, 1],
        [2, 2],
        [3, 2],
        [3, 3],
      ].flatMap(([inFlight, remembered]) =>
        [false, true].map((reloads) => cell(policy, inFlight as number, remembered as number, reloads)),
      ),
    ),
  },
]

/** A reply is lost, and all that was in flight is sent again. */
function cell(policy: Policy, inFlight: number, remembered: number, reloads: boolean): ClaimCase {
  const { preset, config } = policies[policy]
  const repeats = policy.startsWith('epoch') && inFlight > (reloads ? 1 : remembered)
  const byReload = reloads && inFlight <= remembered
  const refused = [...(byReload ? ['ReloadFromSnapshot'] : []), 'OUT_OF_ORDER_SEQUENCE_NUMBER']
  const shows = ['data offset=0', ...refused, 'producerEpoch=1', 'data offset=']
  const row = `${inFlight} in flight, ${remembered} remembered${reloads ? ', reload from a snapshot' : ''}`
  return {
    name: `${row}: ${policy}`,
    cell: { row, column: policy },
    model,
    preset,
    config: {
      ...produce,
      ...config,
      recordsPerOutput: Math.max(2, inFlight),
      maxInFlight: inFlight,
      rememberedBatches: remembered,
      lostReplies: 1,
      ...(reloads ? reload : {}),
    },
    expected: {
      [twice]: repeats ? 'violated' : 'proved',
      [inOrder]: repeats ? 'violated' : 'proved',
    },
    ...(repeats ? { shows: { [twice]: shows, [inOrder]: shows } } : {}),
  }
}
