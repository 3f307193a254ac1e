/** What each version makes of the epoch that a client raises by itself, and of a fence after that. */
import { describe, expect, it } from 'vitest'
import type { KafkaConfig } from '../../../spec/config.ts'
import type { PresetName } from '../../../spec/presets.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import { casesOf, seenOf } from './reference.ts'
import {
  abortTimedOut,
  addFirst,
  begin,
  clientAdds,
  commitOffsets,
  complete,
  decide,
  failOver,
  getEpoch,
  handleProduce,
  live,
  mark,
  offsets,
  output,
  question,
  replicateLog,
  replyLost,
  workOfFirstTransaction,
} from './steps.ts'

type Config = Partial<KafkaConfig>

const initialise: NamedStep = ['HandleInitProducerId', live()]
const fetchAgain: NamedStep = ['FetchOffsets', { client: 0 }]
/** The batch has waited too long; no request to its leader is overdue. */
const expire: NamedStep = [
  'ExpireBatch',
  { client: 0, partition: output },
  { 'its connection': 'stays open' },
]
/** Its request is overdue as well: the client closes the connection, and cannot know what became of the batch. */
const expireOnWire: NamedStep = [expire[0], expire[1], { 'its connection': 'is closed' }]

/** A batch is given up before commitTransaction was called, and the transaction is aborted. */
function givenUp(preset: PresetName, config: Config = {}): Behaviour {
  const run = new Behaviour({ preset, deliveryTimeouts: 1, ...config }).take(...getEpoch(), ...begin())
  if (clientAdds(preset))
    return run.take(...addFirst(preset), expire, ...addFirst(preset), ...decide(), ...complete)
  return run.take(expire, ...commitOffsets(preset), ...decide(), ...mark(offsets), replicateLog)
}

/** The client has asked for the next epoch, and the reply was lost. */
const unanswered = (preset: PresetName, config: Config = {}) =>
  givenUp(preset, { lostReplies: 1, ...config }).take(initialise, replyLost(replicateLog))

const raises = ['kafka-2.5', 'kafka-3.6', 'kafka-3.9', 'kafka-4.4-tv1'] as const
const each = <Value>(value: Value) => Object.fromEntries(raises.map((preset) => [preset, value]))

/** The second transaction is open, at an epoch that the coordinator gave after it gave the one before. */
function inSecondEpoch(preset: PresetName): Behaviour {
  const timeouts = { transactionTimeouts: 1 }
  if (!clientAdds(preset))
    return new Behaviour({ preset, ...timeouts })
      .take(...workOfFirstTransaction(preset), ...decide(), ...complete)
      .take(handleProduce(), ...question(preset, output))
  return givenUp(preset, timeouts).take(initialise, replicateLog, fetchAgain, ...addFirst(preset))
}

describe('the epoch that a client raises after an abort (KIP-360)', () => {
  it.each(
    casesOf([
      {
        title: 'is asked for where the version has that, else the client goes on at the epoch of the abort',
        play: givenUp,
        seen: {
          'kafka-1.1': { record: 'CompleteAbort(0){}', client: 'running, fetching, epoch 0' },
          ...each({ record: 'CompleteAbort(0){}', client: 'running, raising the epoch, epoch 0' }),
          'early version 2': { record: 'CompleteAbort(1){}', client: 'running, fetching, epoch 1' },
          'version 2': { record: 'CompleteAbort(1){}', client: 'running, fetching, epoch 1' },
        },
      },
      {
        title: 'is asked for also when nobody knows what became of the batch, which is fatal without that',
        play: (preset) =>
          new Behaviour({ preset, deliveryTimeouts: 1 }).take(
            ...getEpoch(),
            ...begin(),
            ...addFirst(preset),
            expireOnWire,
          ),
        seen: {
          'kafka-1.1': { record: 'Ongoing(0){0}', client: 'closed' },
          ...each({ record: 'Ongoing(0){0}', client: 'running, sending, epoch 0', raises: 'true' }),
          'early version 2': { record: 'Empty(0){}', client: 'running, sending, epoch 0', raises: 'false' },
          'version 2': { record: 'Empty(0){}', client: 'running, sending, epoch 0', raises: 'false' },
        },
      },
      {
        title: 'is one more, and the coordinator remembers the one before',
        play: (preset) => givenUp(preset).take(initialise, replicateLog),
        seen: each({
          coordinator: 'Empty(1){} last 0',
          raises: 'false',
          reply: 'NONE (1)',
          client: 'running, fetching, epoch 1',
        }),
      },
      {
        title: 'is the same when the request is repeated',
        play: (preset) => unanswered(preset).take(initialise, replicateLog),
        seen: each({
          coordinator: 'Empty(1){} last 0',
          reply: 'NONE (1)',
          client: 'running, fetching, epoch 1',
        }),
      },
      {
        title: 'is refused when the request is repeated to another coordinator, which does not remember',
        play: (preset) => unanswered(preset, { coordinatorFailovers: 1 }).take(failOver(), initialise),
        seen: each({ record: 'Empty(1){}', reply: 'PRODUCER_FENCED', client: 'closed' }),
      },
    ]),
  )('%s', (_, one) => {
    expect(seenOf(one)).toEqual(one.expected)
  })
})

describe('the timeout of a transaction at a later epoch', () => {
  it.each(
    casesOf([
      {
        title: 'forgets the epoch before as soon as it raises the epoch in memory, until KAFKA-19367',
        play: (preset) => inSecondEpoch(preset).take(abortTimedOut),
        seen: {
          ...each({ coordinator: 'Ongoing(2){0} last -1 -> PrepareAbort' }),
          'early version 2': { coordinator: 'Ongoing(2){0} last -1 -> PrepareAbort' },
          'version 2': { coordinator: 'Ongoing(1){0} last 0 -> PrepareAbort' },
        },
      },
    ]),
  )('%s', (_, one) => {
    expect(seenOf(one)).toEqual(one.expected)
  })
})
