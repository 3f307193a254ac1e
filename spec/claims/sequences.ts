/** What is said of sequence numbers, and of clients that are told that one is out of order. */
import { gaps, inOrder } from '../guarantees.ts'
import { kafka } from '../model.ts'
import { type PresetName, presetFlags, presetNames } from '../presets.ts'
import { anyModel, type Claim, type ClaimCase } from './claim.ts'
import { onceInTheLog, recognisedByRange, sequenceRanges } from './models/sequence-ranges.ts'

const model = anyModel(kafka)
const twice = 'no output is there twice'
const nothingSkips = 'nothing is written that skips a sequence of a producer that is known'
const beginsAtZero = 'a producer that is not known begins with sequence 0'
const recognised = 'a batch at or below the last sequence is recognised'
const resent = 'a batch is sent again after an earlier one'
const closed = 'a producer is closed by an error'
const outOfOrder = 'OUT_OF_ORDER_SEQUENCE_NUMBER'

const produce = { application: 'produce', instances: 1, inputs: 1, outputPartitions: 1 }
const idempotent = { ...produce, producer: 'idempotent' }
const pipelined = { ...idempotent, recordsPerOutput: 2, maxInFlight: 2 }
/** A leader that has read its snapshot, and beside it a change of leaders where that leaves few states. */
const reload = (inFlight: number) => ({ leaderChanges: inFlight > 3 ? 0 : 1, snapshotReloads: 1 })

/** What a client does when it is told OUT_OF_ORDER_SEQUENCE_NUMBER of a batch that it cannot just send again. */
const policies = {
  'producer closed': {
    preset: 'kafka-4.4',
    config: { producer: 'idempotent', sequenceErrors: 'the producer is closed' },
  },
  'batch fails': { preset: 'kafka-1.1', config: { producer: 'idempotent' } },
  'epoch raised, batches numbered anew': {
    preset: 'kafka-4.4',
    config: { producer: 'idempotent' },
  },
  'transaction aborted': { preset: 'kafka-3.9', config: { producer: 'transactional' } },
} as const
type Policy = keyof typeof policies
const policyNames = Object.keys(policies) as Policy[]

/** Batches in flight, and remembered. */
const sizes = [
  [1, 1],
  [2, 1],
  [2, 2],
  [3, 2],
  [3, 3],
  [5, 4],
  [5, 5],
  [6, 5],
] as const

export const sequenceClaims: readonly Claim[] = [
  {
    id: 'claim-I3',
    claim:
      'a batch that skips a sequence of a known producer is refused with OUT_OF_ORDER_SEQUENCE_NUMBER and nothing is written; an unknown producer may begin anywhere in transactions of version 1 and only at 0 in those of version 2',
    stands: 'holds within limits',
    sources: ['ProducerAppendInfo.checkSequence', 'KIP-360', 'KAFKA-14920', 'KAFKA-18654'],
    cases: [
      ...presetNames.map(skipped),
      {
        name: 'a known producer skips a sequence, and nobody checks it',
        model,
        config: { ...pipelined, inputs: 2, refusedBatches: 1 },
        without: ['sequence check'],
        expected: { [nothingSkips]: 'violated', [gaps]: 'violated' },
        shows: {
          [nothingSkips]: ['data offset=0', 'NOT_ENOUGH_REPLICAS', 'sequence=2', 'data offset=1'],
          [gaps]: ['NOT_ENOUGH_REPLICAS', 'data offset='],
        },
      },
      ...presetNames.map((preset) => forgotten('idempotent', preset)),
      ...presetNames.map((preset) => forgotten('transactional', preset)),
      ...presetNames.map(overtaken),
      {
        name: 'a client of version 2 begins at 1, and neither rule refuses it',
        model,
        config: { ...produce, recordsPerOutput: 2, maxInFlight: 2, refusedBatches: 1 },
        without: ['sequence zero rule', 'lowest sequence of a guard'],
        expected: { [beginsAtZero]: 'violated' },
        shows: { [beginsAtZero]: ['NOT_ENOUGH_REPLICAS', 'sequence=1', 'data offset=0'] },
      },
    ],
  },
  {
    id: 'claim-I4',
    claim:
      'as many batches in flight as a partition remembers are neither repeated nor reordered; with more, or after a leader has read one per producer from its snapshot, a client that raises its own epoch writes them again',
    stands: 'holds within limits',
    sources: ['max.in.flight.requests.per.connection', 'ProducerStateEntry', 'KIP-360', 'KAFKA-5494'],
    table: { rows: 'batches', columns: 'told that one is out of order' },
    cases: policyNames.flatMap((policy) =>
      sizes.flatMap(([inFlight, remembered]) =>
        [false, true].map((reloads) => cell(policy, inFlight, remembered, reloads)),
      ),
    ),
  },
  {
    id: 'claim-I11',
    claim: 'any sequence at or below the last one is recognised as a duplicate',
    stands: 'refuted',
    sources: ['ProducerStateEntry.findDuplicateBatch', 'ProducerAppendInfo.checkSequence'],
    cases: [
      {
        name: 'older than what is remembered',
        model,
        config: { ...pipelined, rememberedBatches: 1, lostReplies: 1 },
        expected: { [recognised]: 'violated', [twice]: 'violated' },
        shows: {
          [recognised]: ['data offset=0', 'Produce reply (lost)'],
          [twice]: ['data offset=0', 'Produce reply (lost)', outOfOrder, 'producerEpoch=1 (appended)'],
        },
        because: 'it is taken for one out of order, and its client writes it again with its next epoch',
      },
      {
        name: 'as old as what is remembered',
        model,
        config: { ...pipelined, rememberedBatches: 2, lostReplies: 1 },
        expected: { [recognised]: 'proved', [twice]: 'proved' },
      },
      {
        name: 'another range: the records of a batch are cut otherwise when they are sent again',
        model: anyModel(sequenceRanges),
        config: { retry: 'cut otherwise' },
        expected: { [recognisedByRange]: 'violated', [onceInTheLog]: 'proved' },
        shows: { [recognisedByRange]: ['0 to 1: appended', 'SendAgain', `0 to 0: ${outOfOrder}`] },
        because: 'a remembered batch is compared by its first and its last sequence',
      },
      {
        name: 'the same range',
        model: anyModel(sequenceRanges),
        config: { retry: 'in the same batches' },
        expected: { [recognisedByRange]: 'proved', [onceInTheLog]: 'proved' },
      },
    ],
  },
  {
    id: 'claim-I12',
    claim: 'a gap is fatal, or: a gap is closed by sending again in order',
    stands: 'holds within limits',
    sources: ['TransactionManager.canRetry', 'Sender.canRetry', 'KIP-360', 'KAFKA-5494'],
    table: { rows: 'told that one is out of order', columns: 'position' },
    cases: policyNames.flatMap((policy) => [laterInLine(policy), nextInLine(policy)]),
  },
]

/** Of an unknown producer kafka-1.1 takes no sequence above 0, and says so in another way. */
function tooEarly(preset: PresetName): readonly string[] {
  if (preset === 'kafka-1.1') return ['NOT_ENOUGH_REPLICAS', 'UNKNOWN_PRODUCER_ID']
  return ['data offset=0', 'NOT_ENOUGH_REPLICAS', outOfOrder]
}

/** The first of two batches in flight is refused by the replicas when the partition knows the producer already. */
function skipped(preset: PresetName): ClaimCase {
  return {
    name: `a known producer skips a sequence: ${preset}`,
    model,
    preset,
    config: { ...pipelined, inputs: 2, refusedBatches: 1 },
    expected: { [nothingSkips]: 'proved', [resent]: 'witnessed' },
    shows: { [resent]: tooEarly(preset) },
    because: 'what is refused is sent again when the batch before it has been answered',
  }
}

/** A producer is forgotten before its second batch, which is of another transaction if it has any. */
function forgotten(producer: 'idempotent' | 'transactional', preset: PresetName): ClaimCase {
  const isVersionTwo = presetFlags[preset].clientVersion === 2
  const begins = preset !== 'kafka-1.1' && !(producer === 'transactional' && isVersionTwo)
  const because =
    preset === 'kafka-1.1'
      ? 'before KIP-360 the answer is UNKNOWN_PRODUCER_ID'
      : 'every end of a transaction raises the epoch, and with a new epoch sequences begin at 0'
  return {
    name: `a producer is forgotten before its second batch, ${producer}: ${preset}`,
    model,
    preset,
    config: { ...produce, producer, inputs: 2, producerExpirations: 1 },
    expected: { [beginsAtZero]: begins ? 'violated' : 'proved' },
    ...(begins
      ? { shows: { [beginsAtZero]: ['ExpireProducer', 'sequence=1', 'data offset='] } }
      : { because }),
  }
}

/** The second batch of a transaction comes to a partition that does not know its producer. */
function overtaken(preset: PresetName): ClaimCase {
  const begins = preset === 'kafka-2.5'
  return {
    name: `the second batch of a transaction overtakes the first: ${preset}`,
    model,
    preset,
    config: { ...produce, recordsPerOutput: 2, maxInFlight: 2, refusedBatches: 1 },
    expected: { [beginsAtZero]: begins ? 'violated' : 'proved' },
    ...(begins
      ? {
          shows: { [beginsAtZero]: ['NOT_ENOUGH_REPLICAS', 'sequence=1', 'data offset=0'] },
          because:
            'the rule that a later batch must not overtake one that is verified came with verification',
        }
      : {}),
  }
}

/** A reply is lost, and all that was in flight is sent again. */
function cell(policy: Policy, inFlight: number, remembered: number, reloads: boolean): ClaimCase {
  const { preset, config } = policies[policy]
  const repeats = policy.startsWith('epoch') && inFlight > (reloads ? 1 : remembered)
  const byReload = reloads && inFlight <= remembered
  const refused = [...(byReload ? ['ReloadFromSnapshot'] : []), outOfOrder]
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
      ...(reloads ? reload(inFlight) : {}),
    },
    expected: {
      [twice]: repeats ? 'violated' : 'proved',
      [inOrder]: repeats ? 'violated' : 'proved',
    },
    ...(repeats ? { shows: { [twice]: shows, [inOrder]: shows } } : {}),
  }
}

/** The batch that is out of order has an earlier one before it, which is not answered yet. */
function laterInLine(policy: Policy): ClaimCase {
  const { preset, config } = policies[policy]
  return {
    name: `${policy}: an earlier batch is under way`,
    cell: { row: policy, column: 'an earlier batch is under way' },
    model,
    preset,
    config: { ...produce, ...config, inputs: 1, recordsPerOutput: 3, maxInFlight: 2, refusedBatches: 1 },
    expected: { [resent]: 'witnessed', [inOrder]: 'proved' },
    shows: { [resent]: tooEarly(preset) },
    because: 'whatever its policy, a client sends again in order what is not next in line',
  }
}

/** The batch that is out of order is the next one that the client waits for. */
function nextInLine(policy: Policy): ClaimCase {
  const { preset, config } = policies[policy]
  const ends = policy === 'producer closed'
  return {
    name: `${policy}: it is the next in line`,
    cell: { row: policy, column: 'it is the next in line' },
    model,
    preset,
    config: {
      ...produce,
      ...config,
      recordsPerOutput: 2,
      maxInFlight: 2,
      rememberedBatches: 1,
      lostReplies: 1,
    },
    expected: { [closed]: ends ? 'witnessed' : 'unwitnessed' },
    ...(ends ? { shows: { [closed]: ['Produce reply (lost)', outOfOrder, 'the producer is closed'] } } : {}),
  }
}
