/** What is said of errors: processing that throws, commits without an answer, records that cannot be processed. */
import { atomic } from '../../guarantees.ts'
import { kafka } from '../../model.ts'
import { everyInput, noneTwice, poisonStays, together } from '../../outside/questions.ts'
import { presetNames } from '../../presets.ts'
import { anyModel, type Claim } from '../claim.ts'
import {
  documented,
  exactlyOnce,
  programCase,
  readProcessWrite,
  throwingLoop,
  transactional,
  twoEvents,
} from '../program-case.ts'

const protocol = anyModel(kafka)
const using = 'KafkaProducer, transactional methods'

const rewinding = { onError: ['abort', 'seek to committed offset'] }
const notRewinding = { onError: ['abort'] }

/** What an application does when commitTransaction times out, and what comes of it. */
const timeoutPolicies = [
  { name: 'commit again', onError: ['commit'], fails: undefined },
  { name: 'abort and rewind', onError: ['abort', 'seek to committed offset'], fails: undefined },
  {
    name: 'new producer, offsets read again',
    onError: ['initialise', 'seek to committed offset'],
    fails: undefined,
  },
  { name: 'new producer, assume committed', onError: ['initialise'], fails: everyInput },
  { name: 'new producer, assume aborted', onError: ['initialise', 'seek back'], fails: noneTwice },
] as const

export const errorClaims: readonly Claim[] = [
  {
    id: 'claim-P6',
    claim: 'to abort and poll on without rewinding to the committed offsets skips the input',
    stands: 'holds',
    sources: [using, 'KafkaConsumer.seek'],
    cases: [
      programCase({
        name: 'no rewind',
        config: {
          apps: [
            {
              ...readProcessWrite,
              loop: throwingLoop,
              ...notRewinding,
            },
          ],
          inputs: twoEvents,
          errors: 1,
        },
        expected: { [everyInput]: 'violated', [together]: 'violated', [noneTwice]: 'proved' },
        shows: {
          [everyInput]: ['throws', 'abort'],
          [together]: ['processing of event 0 throws', 'abort', 'record event=1', 'commit'],
        },
      }),
      programCase({
        name: 'rewind',
        config: {
          apps: [
            {
              ...readProcessWrite,
              loop: throwingLoop,
              ...rewinding,
            },
          ],
          inputs: twoEvents,
          errors: 2,
        },
        expected: exactlyOnce,
      }),
    ],
  },
  {
    id: 'claim-P8',
    claim:
      'when a commit times out it is safe to commit again, to abort and rewind, or to take a new producer and read the offsets again; to assume that it was committed loses, to assume that it was aborted repeats',
    stands: 'holds',
    sources: ['KafkaProducer.commitTransaction', 'max.block.ms'],
    cases: [
      ...timeoutPolicies.map(({ name, onError, fails }) =>
        programCase({
          name,
          config: { apps: [{ ...readProcessWrite, onError }], inputs: twoEvents, commitTimeouts: 1 },
          expected: {
            [everyInput]: fails === everyInput ? 'violated' : 'proved',
            [noneTwice]: fails === noneTwice ? 'violated' : 'proved',
            [together]: fails === undefined ? 'proved' : 'violated',
          },
          ...(fails === everyInput
            ? {
                shows: {
                  [everyInput]: ['commit (delayed', 'the open transaction is aborted'],
                  [together]: [
                    'commit (delayed',
                    'the open transaction is aborted',
                    'record event=1',
                    'commit',
                  ],
                },
              }
            : fails === noneTwice
              ? {
                  shows: {
                    [noneTwice]: ['committed (lost)', 'its own last record', 'output  send'],
                    [together]: ['committed (lost)', 'its own last record', 'output  send'],
                  },
                }
              : {}),
          ...(name === 'abort and rewind'
            ? {
                because:
                  'an abort after a commit that was executed is refused and ends the process; the Java client does not even send it',
              }
            : {}),
        }),
      ),
      ...presetNames.map((preset) => ({
        name: `new producer, offsets read again, under ${preset}`,
        model: protocol,
        preset,
        config: { instances: 1, inputs: 1, outputPartitions: 1, callTimeouts: 1, restarts: 1 },
        expected: { [atomic]: 'proved' } as const,
      })),
    ],
  },
  {
    id: 'claim-P11',
    claim:
      'a record that cannot be processed has no visible output and its offset stays, whether processing throws before the send or after it; a dead letter in the same transaction is there together with the offset',
    stands: 'holds',
    sources: ['KIP-98', documented],
    cases: [
      ...(['before', 'after'] as const).map((when) => {
        const send = { send: 'output' }
        const order = when === 'before' ? ['process', send] : [send, 'process']
        return programCase({
          name: `throws ${when} the send`,
          config: {
            apps: [
              {
                ...readProcessWrite,
                loop: ['poll', 'begin', ...order, 'send offsets', 'commit'],
                ...rewinding,
              },
            ],
            inputs: [{ event: 0, poison: true }, { event: 1 }],
            crashes: 1,
          },
          expected: { [poisonStays]: 'proved', [together]: 'proved' },
        })
      }),
      programCase({
        name: 'dead letter in the same transaction',
        config: {
          apps: [
            {
              ...readProcessWrite,
              loop: throwingLoop,
              onError: [{ send: 'dead letters' }, 'send offsets', 'commit'],
            },
          ],
          inputs: [{ event: 0, poison: true }, { event: 1 }],
          effects: 'dead letters',
          crashes: 1,
        },
        expected: { [together]: 'proved', [noneTwice]: 'proved' },
      }),
      programCase({
        name: 'dead letter by itself, before the abort',
        config: {
          apps: [
            {
              ...readProcessWrite,
              loop: throwingLoop,
              onError: ['abort', { send: 'dead letters' }, 'commit offset'],
            },
          ],
          inputs: [{ event: 0, poison: true }],
          effects: 'dead letters',
          crashes: 1,
        },
        expected: { [noneTwice]: 'violated', [everyInput]: 'proved' },
        shows: {
          [noneTwice]: ['dead letters  send', 'crashed - before: commit offset', 'dead letters  send'],
        },
      }),
    ],
  },
  {
    id: 'claim-P13',
    claim:
      'a loop that catches the error, aborts and polls on loses inputs, on a commit timeout too; with a seek to the committed offsets it does not',
    stands: 'holds',
    sources: [using],
    cases: [
      ...(['errors', 'commitTimeouts'] as const).flatMap((fault) =>
        [notRewinding, rewinding].map((handler) =>
          programCase({
            name: `${fault}, ${handler === rewinding ? 'with seek' : 'no seek'}`,
            config: {
              apps: [
                {
                  ...readProcessWrite,
                  loop: throwingLoop,
                  ...handler,
                },
              ],
              inputs: twoEvents,
              [fault]: 1,
            },
            expected: {
              [everyInput]: handler === rewinding ? 'proved' : 'violated',
              [together]: handler === rewinding ? 'proved' : 'violated',
              [noneTwice]: 'proved',
            },
            ...(handler === rewinding
              ? {}
              : { shows: { [everyInput]: ['abort'], [together]: ['abort', 'record event=1', 'commit'] } }),
          }),
        ),
      ),
    ],
  },
  {
    id: 'claim-P17',
    claim: 'a record that cannot be processed, without dead letters, stops all progress',
    stands: 'holds',
    sources: [documented],
    cases: [false, true].map((hasDeadLetters) =>
      programCase({
        name: hasDeadLetters ? 'dead letters' : 'no dead letters',
        config: {
          apps: [
            {
              ...readProcessWrite,
              loop: throwingLoop,
              ...(hasDeadLetters ? { onError: [{ send: 'output' }, 'send offsets', 'commit'] } : rewinding),
            },
          ],
          inputs: [{ event: 0, poison: true }, { event: 1 }],
        },
        expected: { [everyInput]: hasDeadLetters ? 'proved' : 'violated' },
        ...(hasDeadLetters
          ? { because: 'a dead letter counts as the effect of its event here' }
          : { shows: { [everyInput]: ['processing of event 0 throws', 'abort', 'committed offset 0'] } }),
      }),
    ),
  },
  {
    id: 'claim-P18',
    claim: 'a retry topic that is a transactional stage of its own keeps exactly once',
    stands: 'holds',
    sources: ['KIP-98'],
    cases: [
      programCase({
        name: 'errors and a crash',
        config: {
          apps: [
            {
              ...readProcessWrite,
              loop: throwingLoop,
              onError: [{ send: 'retry' }, 'send offsets', 'commit'],
            },
            {
              ...transactional('poll', 'begin', { send: 'output' }, 'send offsets', 'commit'),
              name: 'retrying',
              reads: 'retry',
            },
          ],
          inputs: twoEvents,
          errors: 1,
          crashes: 1,
        },
        expected: { [everyInput]: 'proved', [noneTwice]: 'proved' },
      }),
    ],
  },
]
