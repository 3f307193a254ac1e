/** What each version makes of repeated and late batches, of markers, and of offsets. */
import { describe, expect, it } from 'vitest'
import type { KafkaConfig } from '../../../spec/config.ts'
import type { PresetName } from '../../../spec/presets.ts'
import { presetsWith } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import { casesOf, columnOf, type Seen, seenOf } from './reference.ts'
import {
  addFirst,
  advance,
  appendVerified,
  askAndAppend,
  begin,
  clientAdds,
  complete,
  decide,
  failOver,
  getEpoch,
  handleOffsets,
  handleProduce,
  live,
  mark,
  offsets,
  output,
  produceFirst,
  question,
  replicateLog,
  replyLost,
  timeOut,
  workOfFirstTransaction,
} from './steps.ts'

type Config = Partial<KafkaConfig>

const lateProduce: NamedStep = ['HandleProduce', { client: 0, partition: output, copy: 'late' }]
const delay = (broker: number): NamedStep => ['DelayRequest', { client: 0, broker }]

const stillArrive = 'how many of the requests on the wire still arrive'

/** The same in every version. */
const everywhere = (seen: Seen) => ({ 'version 1': seen, 'early version 2': seen, 'version 2': seen })

/** The transaction has begun, its batches are on the wire. */
const sending = (preset: PresetName, config: Config = {}) =>
  new Behaviour({ preset, ...config }).take(...getEpoch(), ...begin(), ...addFirst(preset))

describe('a batch that is sent again', () => {
  it.each(
    casesOf([
      {
        title: 'is answered as a success with its old offset while it is remembered',
        play: (preset) =>
          sending(preset, { lostReplies: 1 }).take(
            handleProduce(),
            ...askAndAppend(preset, output),
            replyLost(advance(output)),
            handleProduce(),
          ),
        seen: everywhere({
          answerOfOutput: 'NONE',
          log: '#0(0)',
          output: 'epoch 0 [0] open 0 coordinator -1',
        }),
      },
      {
        title: 'is a success also when newer batches are remembered with it',
        play: (preset) =>
          sending(preset, { lateRequests: 1, recordsPerOutput: 2 }).take(
            delay(output),
            ...produceFirst(preset),
            handleProduce(),
            lateProduce,
            advance(output),
          ),
        seen: everywhere({
          answerOfOutput: 'NONE',
          log: '#0(0) #1(0)',
          output: 'epoch 0 [0,1] open 0 coordinator -1',
        }),
      },
      {
        title: 'is out of order once newer ones have taken its place in the memory',
        play: (preset) =>
          sending(preset, { lateRequests: 1, recordsPerOutput: 2, maxInFlight: 2, rememberedBatches: 1 })
            .take(['DelayRequest', { client: 0, broker: output }, { [stillArrive]: 2 }])
            .take(lateProduce, ...askAndAppend(preset, output), lateProduce, advance(output))
            .take(handleProduce()),
        seen: everywhere({
          answerOfOutput: 'OUT_OF_ORDER_SEQUENCE_NUMBER',
          log: '#0(0) #1(0)',
          output: 'epoch 0 [1] open 0 coordinator -1',
        }),
      },
    ]),
  )('%s', (_, one) => {
    expect(seenOf(one)).toEqual(one.expected)
  })
})

/** Of two batches in flight the first is refused for lack of replicas, and the second comes to a partition that has none. */
const overtaking = (preset: PresetName) => {
  const asked = question(preset, output)
  const run = sending(preset, { refusedBatches: 1, recordsPerOutput: 2, maxInFlight: 2 })
  if (asked.length === 0)
    return run.take(['RefuseBatch', { client: 0, partition: output }]).take(handleProduce())
  run.take(handleProduce(), ...asked, ['RefuseVerifiedBatch', { partition: output }])
  return run.take(handleProduce(), ['VerifyPartition', { partition: output }], appendVerified(output))
}

/** The partition has forgotten the producer, which goes on with its next sequence (before transaction.version 2). */
const forgotten = (preset: PresetName) =>
  new Behaviour({ preset, producerExpirations: 1 })
    .take(...workOfFirstTransaction(preset), ...decide(), ...complete)
    .take(['ExpireProducer', { partition: output }], ...addFirst(preset))
    .take(handleProduce(), ...askAndAppend(preset, output))

describe('a first batch that does not begin at sequence 0', () => {
  it.each(
    casesOf([
      {
        title:
          'is accepted where nothing is verified, else it is out of order while an earlier one is repeated',
        play: overtaking,
        seen: {
          'kafka-1.1': { log: '', answerOfOutput: 'UNKNOWN_PRODUCER_ID' },
          'kafka-2.5': { log: '#1(0)', answerOfOutput: 'none' },
          ...everywhere({ log: '', answerOfOutput: 'OUT_OF_ORDER_SEQUENCE_NUMBER' }),
        },
      },
      {
        title: 'is accepted from a producer that the partition has forgotten, since KIP-360',
        play: forgotten,
        seen: {
          'kafka-1.1': {
            answerOfOutput: 'UNKNOWN_PRODUCER_ID',
            log: '#0(0) commit(0) by 0',
            output: 'unknown',
          },
          'version 1': {
            answerOfOutput: 'none',
            log: '#0(0) commit(0) by 0 #1(0)',
            output: 'epoch 0 [1] open 2 coordinator -1',
          },
        },
      },
    ]),
  )('%s', (_, one) => {
    expect(seenOf(one)).toEqual(one.expected)
  })
})

/** The transaction is aborted in a partition that was added and has no batch of it. */
const emptyParticipant = (preset: PresetName) =>
  sending(preset, { transactionTimeouts: 1 }).take(
    ...(clientAdds(preset) ? [] : [handleProduce(), ...question(preset, output)]),
    ...timeOut,
    ...mark(output),
    replicateLog,
  )

/** Of two markers that are on their way, the one that was sent first or second. */
const appendMarker = (partition: number, marker: number): NamedStep => [
  'AppendMarker',
  { partition },
  { marker },
]

/** A coordinator has moved in the middle of its markers, and its successor's marker is the first in one partition. */
const olderMarkerAfterNewer = (preset: PresetName) =>
  new Behaviour({ preset, coordinatorFailovers: 1 }).take(
    ...workOfFirstTransaction(preset),
    ...decide(),
    failOver(),
    appendMarker(output, 1),
    ['AppendMarker', { partition: output }],
  )

describe('a marker', () => {
  it.each(
    casesOf([
      {
        title: 'of a producer without an open transaction is appended, and what is remembered of it is new',
        play: emptyParticipant,
        seen: {
          'version 1': {
            record: 'CompleteAbort(1){}',
            log: 'abort(1) by 0',
            output: 'epoch 1 [] closed coordinator 0',
          },
          'early version 2': {
            record: 'CompleteAbort(2){}',
            log: 'abort(2) by 0',
            output: 'epoch 2 [] closed coordinator 0',
          },
          'version 2': {
            record: 'CompleteAbort(1){}',
            log: 'abort(1) by 0',
            output: 'epoch 1 [] closed coordinator 0',
          },
        },
      },
      {
        title: 'that is written a second time where nothing is open changes nothing',
        play: (preset) =>
          new Behaviour({ preset, lateMarkers: 1 }).take(
            ...workOfFirstTransaction(preset),
            ...decide(),
            ['DelayMarker', { partition: output }],
            appendMarker(output, 0),
            advance(output),
            ['AppendMarker', { partition: output }],
          ),
        seen: {
          'version 1': {
            log: '#0(0) commit(0) by 0 commit(0) by 0',
            output: 'epoch 0 [0] closed coordinator 0',
          },
          'early version 2': {
            log: '#0(0) commit(1) by 0 commit(1) by 0',
            output: 'epoch 1 [] closed coordinator 0',
          },
          // The epoch must be greater, but for this (KAFKA-19999).
          'version 2': {
            log: '#0(0) commit(1) by 0 commit(1) by 0',
            output: 'epoch 1 [] closed coordinator 0',
          },
        },
      },
      {
        title:
          'that comes a second time ends the next transaction, unless the epoch must be greater (KAFKA-19446)',
        play: (preset) =>
          new Behaviour({ preset, lateMarkers: 1 })
            .take(...workOfFirstTransaction(preset), ...decide(), ['DelayMarker', { partition: output }])
            .take(appendMarker(output, 0), advance(output), ...mark(offsets), replicateLog)
            .take(...addFirst(preset), ...produceFirst(preset), ['AppendMarker', { partition: output }]),
        seen: {
          'version 1': {
            record: 'Ongoing(0){0}',
            log: '#0(0) commit(0) by 0 #1(0) commit(0) by 0',
            output: 'epoch 0 [0,1] closed coordinator 0',
          },
          'early version 2': {
            record: 'Ongoing(1){0}',
            log: '#0(0) commit(1) by 0 #0(1) commit(1) by 0',
            output: 'epoch 1 [0] closed coordinator 0',
          },
          'version 2': {
            record: 'Ongoing(1){0}',
            log: '#0(0) commit(1) by 0 #0(1)',
            output: 'epoch 1 [0] open 2 coordinator 0',
          },
        },
      },
      {
        title: 'of an earlier coordinator than the last marker is refused',
        play: olderMarkerAfterNewer,
        seen: {
          'version 1': { log: '#0(0) commit(0) by 1', output: 'epoch 0 [0] closed coordinator 1' },
          'early version 2': { log: '#0(0) commit(1) by 1', output: 'epoch 1 [] closed coordinator 1' },
          'version 2': { log: '#0(0) commit(1) by 1', output: 'epoch 1 [] closed coordinator 1' },
        },
      },
    ]),
  )('%s', (_, one) => {
    expect(seenOf(one)).toEqual(one.expected)
  })
})

/** Two instances that read the offset before they initialise; the first has its offset commit on the wire. */
const committing = (preset: PresetName, config: Config = {}) =>
  new Behaviour({
    preset,
    instances: 2,
    pauses: 1,
    fetchOffsets: 'before init',
    ...config,
  }).take(
    ['Start', { client: 0 }],
    ...begin(),
    ['HandleInitProducerId', live()],
    replicateLog,
    ...addFirst(preset),
    ...produceFirst(preset),
    ...addFirst(preset),
  )

const fetch = (client: number): NamedStep => ['FetchOffsets', { client }]
const takeOver: readonly NamedStep[] = [
  ['Pause', { client: 0 }],
  ['Start', { client: 1 }],
  ['JoinGroup', { client: 1 }],
]
const resume: readonly NamedStep[] = [
  ['Resume', { client: 0 }],
  ['ReceiveReply', { client: 0, broker: offsets }],
]

/** What the versions that have a rule show. */
const where = (has: Parameters<typeof presetsWith>[0], seen: Seen): Record<string, Seen> =>
  Object.fromEntries(presetsWith(has).map((preset) => [preset, seen]))

const pendingOf = (preset: PresetName) =>
  committing(preset).take(handleOffsets(), ...askAndAppend(preset, offsets), advance(offsets), ...takeOver)
const pending = 'generation 2, committed 0, pending 1'

describe('an offset inside a transaction', () => {
  it.each(
    casesOf([
      {
        title: 'is pending, and a new owner that asks for stable offsets waits (UNSTABLE_OFFSET_COMMIT)',
        play: pendingOf,
        seen: where(({ requireStable }) => requireStable, {
          group: pending,
          blocked: { step: fetch(1), by: 'the offset is stable' },
        }),
      },
      {
        title: 'is pending, and a new owner that does not ask for stable offsets gets the one before',
        play: (preset) => pendingOf(preset).take(fetch(1)),
        seen: where(({ requireStable }) => !requireStable, {
          group: pending,
          client1: 'running, initialising, epoch -1',
          position1: '0',
        }),
      },
      {
        title: 'is what a new owner gets when its marker is written',
        play: (preset) => pendingOf(preset).take(...decide(), ...complete, fetch(1)),
        seen: everywhere({ group: 'generation 2, committed 1', position1: '1' }),
      },
      {
        title: 'is refused to an old owner that was removed from the group (UNKNOWN_MEMBER_ID)',
        play: (preset) =>
          committing(preset).take(...takeOver, fetch(1), handleOffsets(), ...askAndAppend(preset, offsets)),
        seen: where(({ groupFencing }) => groupFencing, {
          answerOfOffsets: 'UNKNOWN_MEMBER_ID',
          group: 'generation 2, committed 0',
          offsetsLog: '',
          record: 'Ongoing(0){0,1}',
        }),
      },
      {
        title: 'of an old generation is refused (ILLEGAL_GENERATION), though its partition was added before',
        play: (preset) =>
          committing(preset, { rebalances: 1 }).take(
            ['JoinIdle'],
            handleOffsets(),
            ...askAndAppend(preset, offsets),
          ),
        seen: where(({ groupFencing }) => groupFencing, {
          answerOfOffsets: 'ILLEGAL_GENERATION',
          client: 'running, ending, epoch 0',
          offsetsLog: '',
          record: 'Ongoing(0){0,1}',
        }),
      },
      {
        title: 'of an old owner that is refused leads to an abort, and the owner stops',
        play: (preset) =>
          committing(preset).take(
            ...takeOver,
            fetch(1),
            handleOffsets(),
            ...askAndAppend(preset, offsets),
            ...resume,
            ...decide(),
            ...complete,
          ),
        seen: Object.fromEntries(
          presetsWith(({ groupFencing }) => groupFencing).map((preset) => {
            const epoch = columnOf(preset) === 'version 1' ? 0 : 1
            return [preset, { record: `CompleteAbort(${epoch}){}`, client: 'closed' }]
          }),
        ),
      },
      {
        title: 'of an old owner is accepted where the group does not fence',
        play: (preset) => committing(preset).take(...takeOver, handleOffsets()),
        seen: where(({ groupFencing }) => !groupFencing, { group: pending, offsetsLog: 'offset 1' }),
      },
    ]),
  )('%s', (_, one) => {
    expect(seenOf(one)).toEqual(one.expected)
  })
})
