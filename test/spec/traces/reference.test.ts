/** What each version makes of timeouts, of new sessions and of repeated requests to the coordinator. */
import { describe, expect, it } from 'vitest'
import type { KafkaConfig } from '../../../spec/config.ts'
import type { PresetName } from '../../../spec/presets.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import { casesOf, seenOf } from './reference.ts'
import {
  addFirst,
  begin,
  commitOffsets,
  complete,
  crash,
  decide,
  getEpoch,
  handleProduce,
  live,
  mark,
  output,
  produceFirst,
  question,
  replicateLog,
  replyLost,
  timeOut,
  workOfFirstTransaction,
} from './steps.ts'

type Config = Partial<KafkaConfig>

const initialise = (client = 0): NamedStep => ['HandleInitProducerId', live(client)]
const endTxn: NamedStep = ['HandleEndTxn', live()]
/** The batch has waited too long; no request to its leader is overdue. */
const expire: NamedStep = [
  'ExpireBatch',
  { client: 0, partition: output },
  { 'its connection': 'stays open' },
]
/** All of the first transaction is acknowledged, its EndTxn(commit) is on the wire. */
const worked = (preset: PresetName, config: Config = {}) =>
  new Behaviour({ preset, ...config }).take(...workOfFirstTransaction(preset))

const committed = (preset: PresetName, config: Config = {}) =>
  worked(preset, config).take(...decide(), ...complete)

/** One batch and the offsets are in, a second batch of the transaction is on the wire. */
const withSecondBatch = (preset: PresetName, config: Config = {}) =>
  new Behaviour({ preset, recordsPerOutput: 2, ...config }).take(
    ...getEpoch(),
    ...begin(),
    ...addFirst(preset),
    ...produceFirst(preset),
    ...commitOffsets(preset),
  )

const timedOut = (preset: PresetName, config: Config = {}) =>
  withSecondBatch(preset, { transactionTimeouts: 1, ...config }).take(...timeOut, ...complete)

/** The second batch is refused at once, or after the coordinator was asked. */
function oldBatch(preset: PresetName): Behaviour {
  const run = timedOut(preset).take(handleProduce())
  return run.state.verification[output]!.length === 0
    ? run
    : run.take(['VerifyPartition', { partition: output }])
}

/** The first batch is verified or added, the transaction is aborted by timeout, and only then the batch is appended. */
const betweenThePhases = (preset: PresetName) =>
  new Behaviour({ preset, transactionTimeouts: 1 }).take(
    ...getEpoch(),
    ...begin(),
    ...addFirst(preset),
    handleProduce(),
    ...question(preset, output),
    ...timeOut,
    ...mark(output),
    replicateLog,
    ['AppendVerified', { partition: output }],
  )

describe('the timeout of an open transaction', () => {
  it.each(
    casesOf([
      {
        title: 'is a record with a raised epoch, of which the markers are sent',
        play: (preset) => withSecondBatch(preset, { transactionTimeouts: 1 }).take(...timeOut),
        seen: {
          'version 1': { coordinator: 'PrepareAbort(1){0,1} last -1 -> CompleteAbort' },
          'early version 2': { coordinator: 'PrepareAbort(2){0,1} last 1 -> CompleteAbort' },
          'version 2': { coordinator: 'PrepareAbort(1){0,1} last 0 -> CompleteAbort' },
        },
      },
      {
        title: 'ends with markers of that epoch in every participant',
        play: timedOut,
        seen: {
          'version 1': {
            record: 'CompleteAbort(1){}',
            output: 'epoch 1 [] closed coordinator 0',
            offsets: 'epoch 1 [] closed coordinator 0',
            log: '#0(0) abort(1) by 0',
            group: 'generation 1, committed 0',
          },
          'early version 2': {
            record: 'CompleteAbort(2){}',
            output: 'epoch 2 [] closed coordinator 0',
            offsets: 'epoch 2 [] closed coordinator 0',
            log: '#0(0) abort(2) by 0',
            group: 'generation 1, committed 0',
          },
          'version 2': {
            record: 'CompleteAbort(1){}',
            output: 'epoch 1 [] closed coordinator 0',
            offsets: 'epoch 1 [] closed coordinator 0',
            log: '#0(0) abort(1) by 0',
            group: 'generation 1, committed 0',
          },
        },
      },
      {
        title: 'a batch of the old client after it is refused',
        play: oldBatch,
        seen: {
          // Fatal, until KIP-588 gave the old epoch an error of its own.
          'kafka-1.1': { answerOfOutput: 'PRODUCER_FENCED', client: 'closed', log: '#0(0) abort(1) by 0' },
          'kafka-2.5': { answerOfOutput: 'PRODUCER_FENCED', client: 'closed', log: '#0(0) abort(1) by 0' },
          'version 1': { answerOfOutput: 'INVALID_PRODUCER_EPOCH', client: 'running, ending, epoch 0' },
          'early version 2': { answerOfOutput: 'INVALID_PRODUCER_EPOCH', client: 'running, ending, epoch 0' },
          'version 2': { answerOfOutput: 'INVALID_PRODUCER_EPOCH', client: 'running, ending, epoch 0' },
        },
      },
      {
        title: 'a batch that was verified before it and is appended after it is refused',
        play: betweenThePhases,
        seen: {
          'kafka-3.6': { answerOfOutput: 'INVALID_TXN_STATE', nextSequence: '0', log: 'abort(1) by 0' },
          'kafka-3.9': { answerOfOutput: 'INVALID_TXN_STATE', nextSequence: '0', log: 'abort(1) by 0' },
          'kafka-4.1': { answerOfOutput: 'INVALID_TXN_STATE', nextSequence: '0', log: 'abort(2) by 0' },
          // KAFKA-19690: the epoch is compared before the guard.
          'kafka-4.4': { answerOfOutput: 'INVALID_PRODUCER_EPOCH', nextSequence: '0', log: 'abort(1) by 0' },
          'kafka-4.4-tv1': {
            answerOfOutput: 'INVALID_PRODUCER_EPOCH',
            nextSequence: '0',
            log: 'abort(1) by 0',
          },
        },
      },
      {
        title: 'the old client that aborts is fenced, or goes on at the raised epoch',
        play: (preset) => timedOut(preset, { deliveryTimeouts: 1 }).take(expire, endTxn),
        seen: {
          'version 1': { reply: 'PRODUCER_FENCED', record: 'CompleteAbort(1){}', client: 'closed' },
          'early version 2': { reply: 'PRODUCER_FENCED', record: 'CompleteAbort(2){}', client: 'closed' },
          'version 2': {
            reply: 'NONE (1)',
            record: 'CompleteAbort(1){}',
            client: 'running, fetching, epoch 1',
          },
        },
      },
      {
        title: 'the old client that commits gets a fatal error',
        play: (preset) => worked(preset, { transactionTimeouts: 1 }).take(...timeOut, ...complete, endTxn),
        seen: {
          'version 1': { reply: 'PRODUCER_FENCED', record: 'CompleteAbort(1){}', client: 'closed' },
          'early version 2': { reply: 'PRODUCER_FENCED', record: 'CompleteAbort(2){}', client: 'closed' },
          'version 2': { reply: 'INVALID_TXN_STATE', record: 'CompleteAbort(1){}', client: 'closed' },
        },
      },
    ]),
  )('%s', (_, one) => {
    expect(seenOf(one)).toEqual(one.expected)
  })
})

/** Instance 0 is silent in its transaction, and instance 1 has asked for an epoch. */
const takenOver = (preset: PresetName) =>
  worked(preset, { instances: 2, pauses: 1 }).take(
    ['Pause', { client: 0 }],
    ['Start', { client: 1 }],
    initialise(1),
  )

const waits = { step: initialise(1), by: 'no transition is pending' }

describe('InitProducerId of another session', () => {
  it.each(
    casesOf([
      {
        title: 'waits while the open transaction is aborted for it',
        play: (preset) => takenOver(preset).take(replicateLog),
        seen: {
          'version 1': { record: 'PrepareAbort(1){0,1}', replyTo1: 'none', blocked: waits },
          'early version 2': { record: 'PrepareAbort(2){0,1}', replyTo1: 'none', blocked: waits },
          'version 2': { record: 'PrepareAbort(1){0,1}', replyTo1: 'none', blocked: waits },
        },
      },
      {
        title: 'then gets an epoch that the fence did not use',
        play: (preset) => takenOver(preset).take(replicateLog, ...complete, initialise(1), replicateLog),
        seen: {
          'version 1': {
            coordinator: 'Empty(2){} last -1',
            replyTo1: 'NONE (2)',
            client1: 'running, joining, epoch 2',
          },
          'early version 2': {
            coordinator: 'Empty(3){} last -1',
            replyTo1: 'NONE (3)',
            client1: 'running, joining, epoch 3',
          },
          'version 2': {
            coordinator: 'Empty(2){} last -1',
            replyTo1: 'NONE (2)',
            client1: 'running, joining, epoch 2',
          },
        },
      },
      {
        title: 'follows a committed transaction: the epoch after that of the last word',
        play: (preset) =>
          worked(preset, { crashes: 1, restarts: 1 }).take(...decide(), crash(), ...complete, ...getEpoch()),
        seen: {
          'version 1': {
            record: 'Empty(1){}',
            reply: 'NONE (1)',
            output: 'epoch 0 [0] closed coordinator 0',
          },
          'early version 2': {
            record: 'Empty(2){}',
            reply: 'NONE (2)',
            output: 'epoch 1 [] closed coordinator 0',
          },
          'version 2': { record: 'Empty(2){}', reply: 'NONE (2)', output: 'epoch 1 [] closed coordinator 0' },
        },
      },
    ]),
  )('%s', (_, one) => {
    expect(seenOf(one)).toEqual(one.expected)
  })
})

const endTxnWaits = { step: endTxn, by: 'no transition is pending' }
/** EndTxn(commit) has taken effect, its reply was lost. */
const commitUnanswered = (preset: PresetName) =>
  worked(preset, { lostReplies: 1 }).take(endTxn, replyLost(replicateLog))

describe('EndTxn(commit) that is repeated', () => {
  it.each(
    casesOf([
      {
        title: 'waits while the markers are written',
        play: (preset) => commitUnanswered(preset).take(...mark(output)),
        seen: {
          'version 1': { record: 'PrepareCommit(0){0,1}', reply: 'none', blocked: endTxnWaits },
          'early version 2': { record: 'PrepareCommit(1){0,1}', reply: 'none', blocked: endTxnWaits },
          'version 2': { record: 'PrepareCommit(1){0,1}', reply: 'none', blocked: endTxnWaits },
        },
      },
      {
        title: 'succeeds after the last word, with the identity to go on with in version 2',
        play: (preset) => commitUnanswered(preset).take(...complete, endTxn),
        seen: {
          'version 1': {
            record: 'CompleteCommit(0){}',
            reply: 'NONE',
            client: 'running, adding partitions, epoch 0',
          },
          'early version 2': {
            record: 'CompleteCommit(1){}',
            reply: 'NONE (1)',
            client: 'running, sending, epoch 1',
          },
          'version 2': {
            record: 'CompleteCommit(1){}',
            reply: 'NONE (1)',
            client: 'running, sending, epoch 1',
          },
        },
      },
    ]),
  )('%s', (_, one) => {
    expect(seenOf(one)).toEqual(one.expected)
  })
})

describe('the next transaction', () => {
  it.each(
    casesOf([
      {
        title: 'goes on with the sequences of the last one, or begins anew at the next epoch',
        play: (preset) => committed(preset).take(...addFirst(preset), ...produceFirst(preset)),
        seen: {
          'version 1': { output: 'epoch 0 [0,1] open 2 coordinator 0', log: '#0(0) commit(0) by 0 #1(0)' },
          'early version 2': {
            output: 'epoch 1 [0] open 2 coordinator 0',
            log: '#0(0) commit(1) by 0 #0(1)',
          },
          'version 2': { output: 'epoch 1 [0] open 2 coordinator 0', log: '#0(0) commit(1) by 0 #0(1)' },
        },
      },
    ]),
  )('%s', (_, one) => {
    expect(seenOf(one)).toEqual(one.expected)
  })
})
