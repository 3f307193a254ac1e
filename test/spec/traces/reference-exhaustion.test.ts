/** What each version does when the epochs of a producer id come to their end: here the largest is 2, and 1 is the last in use. */
import { describe, expect, it } from 'vitest'
import type { KafkaConfig } from '../../../spec/config.ts'
import type { PresetName } from '../../../spec/presets.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import { casesOf, seenOf } from './reference.ts'
import {
  addFirst,
  advance,
  begin,
  clientAdds,
  commitOffsets,
  complete,
  crash,
  decide,
  failOver,
  getEpoch,
  handleProduce,
  live,
  offsets,
  output,
  produceFirst,
  replicateLog,
  replyLost,
} from './steps.ts'

type Config = Partial<KafkaConfig>

const endTxn: NamedStep = ['HandleEndTxn', live()]

const verify: NamedStep = ['VerifyPartition', { partition: output }]
const waitsForMarkers = { step: verify, by: 'no transition is pending' }

const transaction = (preset: PresetName): readonly NamedStep[] => [
  ...addFirst(preset),
  ...produceFirst(preset),
  ...commitOffsets(preset),
]

/** EndTxn(commit) of the last epoch is on the wire: the epoch of a second session, or of a second transaction. */
function atLastEpoch(preset: PresetName, config: Config = {}): Behaviour {
  const run = new Behaviour({ preset, inputs: 3, maxEpoch: 2, crashes: 1, restarts: 1, ...config })
  if (clientAdds(preset)) run.take(...getEpoch(), crash(), ...getEpoch(), ...begin())
  else run.take(...getEpoch(), ...begin(), ...transaction(preset), ...decide(), ...complete)
  return run.take(...transaction(preset))
}

/** Of the markers of two coordinators, that of the successor is appended. */
const markOfSuccessor = (partition: number): readonly NamedStep[] => [
  ['AppendMarker', { partition }, { marker: 1 }],
  advance(partition),
]

/** The last word of a transaction has the last epoch, and its client is gone. */
function leftAtLastEpoch(preset: PresetName): Behaviour {
  if (clientAdds(preset))
    return atLastEpoch(preset, { crashes: 2, restarts: 2 }).take(...decide(), ...complete, crash())
  const run = new Behaviour({ preset, maxEpoch: 2, crashes: 1, restarts: 1 }).take(...getEpoch(), ...begin())
  return run.take(...transaction(preset), ...decide(), ...complete, crash())
}

describe('EndTxn(commit) of the last epoch', () => {
  it.each(
    casesOf([
      {
        title: 'is decided at that epoch, or at the largest with the producer id that takes over',
        play: (preset) => atLastEpoch(preset).take(...decide()),
        seen: {
          'version 1': { record: 'PrepareCommit(1){0,1}', reply: 'NONE' },
          'early version 2': {
            coordinator: 'PrepareCommit(2 then 1){0,1} last 1 -> CompleteCommit',
            reply: 'NONE (1:0)',
            client: 'running, sending, epoch 1:0',
          },
          'version 2': {
            coordinator: 'PrepareCommit(2 then 1){0,1} last 1 -> CompleteCommit',
            reply: 'NONE (1:0)',
            client: 'running, sending, epoch 1:0',
          },
        },
      },
      {
        title:
          'lets the next transaction wait, which has a producer id that is not yet in place (KAFKA-18660)',
        play: (preset) => atLastEpoch(preset).take(...decide(), handleProduce()),
        seen: {
          'early version 2': { client: 'running, sending, epoch 1:0', blocked: waitsForMarkers },
          'version 2': { client: 'running, sending, epoch 1:0', blocked: waitsForMarkers },
        },
      },
      {
        title: 'sends its markers with the old producer id, and then the next one takes over',
        play: (preset) => atLastEpoch(preset).take(...decide(), ...complete),
        seen: {
          'version 1': {
            record: 'CompleteCommit(1){}',
            output: 'epoch 1 [0] closed coordinator 0',
          },
          'early version 2': {
            record: 'CompleteCommit(1:0){}',
            output: 'epoch 2 [] closed coordinator 0',
          },
          'version 2': {
            record: 'CompleteCommit(1:0){}',
            output: 'epoch 2 [] closed coordinator 0',
          },
        },
      },
      {
        title: 'leads to a next transaction with the sequences of the old producer id, or with new ones',
        play: (preset) =>
          atLastEpoch(preset).take(...decide(), ...complete, ...addFirst(preset), ...produceFirst(preset)),
        seen: {
          'version 1': { record: 'Ongoing(1){0}', output: 'epoch 1 [0,1] open 2 coordinator 0' },
          'early version 2': {
            record: 'Ongoing(1:0){0}',
            output: 'epoch 2 [] closed coordinator 0; producer 1 epoch 0 [0] open 4 coordinator -1',
          },
          'version 2': {
            record: 'Ongoing(1:0){0}',
            output: 'epoch 2 [] closed coordinator 0; producer 1 epoch 0 [0] open 4 coordinator -1',
          },
        },
      },
      {
        title: 'is recognised when it is repeated after the last word',
        play: (preset) =>
          atLastEpoch(preset, { lostReplies: 1 }).take(endTxn, replyLost(replicateLog), ...complete, endTxn),
        seen: {
          'version 1': { record: 'CompleteCommit(1){}', reply: 'NONE' },
          'early version 2': { record: 'CompleteCommit(1:0){}', reply: 'NONE (1:0)' },
          'version 2': { record: 'CompleteCommit(1:0){}', reply: 'NONE (1:0)' },
        },
      },
      {
        title: 'is completed by another coordinator with the producer id that takes over, if that is durable',
        play: (preset) => atLastEpoch(preset, { coordinatorFailovers: 1 }).take(...decide(), failOver()),
        seen: {
          'version 1': { coordinator: 'PrepareCommit(1){0,1} last -1 -> CompleteCommit' },
          'early version 2': { coordinator: 'PrepareCommit(2){0,1} last -1 -> CompleteCommit' },
          'version 2': { coordinator: 'PrepareCommit(2 then 1){0,1} last -1 -> CompleteCommit' },
        },
      },
      {
        title:
          'was answered with a producer id that another coordinator knows only if it is durable (KAFKA-20310)',
        play: (preset) =>
          atLastEpoch(preset, { coordinatorFailovers: 1 }).take(
            ...decide(),
            failOver(),
            ...markOfSuccessor(output),
            ...markOfSuccessor(offsets),
            replicateLog,
            handleProduce(),
            verify,
          ),
        seen: {
          'early version 2': {
            coordinator: 'CompleteCommit(2){} last -1',
            answerOfOutput: 'INVALID_PRODUCER_ID_MAPPING',
            client: 'closed',
          },
          'version 2': {
            coordinator: 'CompleteCommit(1:0){} last -1 -> Ongoing',
            answerOfOutput: 'none',
            client: 'running, sending, epoch 1:0',
          },
        },
      },
    ]),
  )('%s', (_, one) => {
    expect(seenOf(one)).toEqual(one.expected)
  })
})

describe('InitProducerId after a transaction of the last epoch', () => {
  it.each(
    casesOf([
      {
        title: 'gets the next producer id',
        play: (preset) => leftAtLastEpoch(preset).take(...getEpoch()),
        seen: {
          'version 1': { coordinator: 'Empty(1:0){} last -1', reply: 'NONE (1:0)' },
          'early version 2': { coordinator: 'Empty(1:0){} last -1', reply: 'NONE (1:0)' },
          'version 2': { coordinator: 'Empty(1:0){} last -1', reply: 'NONE (1:0)' },
        },
      },
      {
        title: 'follows a last word of that epoch',
        play: leftAtLastEpoch,
        seen: {
          'version 1': { record: 'CompleteCommit(1){}', client: 'crashed' },
          'early version 2': { record: 'CompleteCommit(1){}', client: 'crashed' },
          'version 2': { record: 'CompleteCommit(1){}', client: 'crashed' },
        },
      },
    ]),
  )('%s', (_, one) => {
    expect(seenOf(one)).toEqual(one.expected)
  })
})
