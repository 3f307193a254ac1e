/** What is said of errors: processing that throws, and records that cannot be processed. */
import { everyInput, noneTwice, poisonStays, together } from '../../outside/questions.ts'
import type { Claim } from '../claim.ts'
import {
  documented,
  exactlyOnce,
  programCase,
  readProcessWrite,
  throwingLoop,
  transactional,
  twoEvents,
} from '../program-case.ts'

const using = 'KafkaProducer, transactional methods'

const rewinding = { onError: ['abort', 'seek to committed offset'] }
const notRewinding = { onError: ['abort'] }

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
