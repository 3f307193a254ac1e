import { effectStays, everyInput, noneTwice, readerWaits } from '../../outside/questions.ts'
import type { Claim } from '../claim.ts'
import { documented, programCase, reader, transactional, twice } from '../program-case.ts'

const charging = (key: string, ...before: readonly unknown[]) => ({
  ...reader('poll'),
  loop: ['poll', ...before, { call: key }, 'commit offset'],
})

export const providerClaims: readonly Claim[] = [
  {
    id: 'claim-X5',
    claim:
      'a payment call without an idempotency key is charged twice when it is repeated; with a key that is durable before the call, or derived from the event, once',
    stands: 'holds',
    sources: ['Idempotency-Key HTTP header (IETF draft)'],
    cases: [
      ...[{ crashes: 1 }, { lostAnswers: 1 }, { lateCalls: 1 }].map((faults) =>
        programCase({
          name: `without a key: ${Object.keys(faults)[0]}`,
          config: { apps: [charging('none')], effects: 'calls', ...faults },
          expected: { [noneTwice]: 'violated', [everyInput]: 'proved' },
          shows: { [noneTwice]: ['provider  call', 'provider  call'] },
        }),
      ),
      programCase({
        name: 'a key derived from the event',
        config: {
          apps: [charging('id of the event')],
          effects: 'calls',
          crashes: 1,
          lostAnswers: 1,
          lateCalls: 1,
        },
        expected: { [noneTwice]: 'proved', [everyInput]: 'proved' },
      }),
      programCase({
        name: 'a key that is durable before the call',
        config: {
          apps: [charging('stored', { database: ['store idempotency key'] })],
          effects: 'calls',
          crashes: 1,
          lostAnswers: 1,
          lateCalls: 1,
        },
        expected: { [noneTwice]: 'proved', [everyInput]: 'proved' },
      }),
    ],
  },
  {
    id: 'claim-X6',
    claim: 'the effect of a call or a mail inside a transaction stays when the transaction is aborted',
    stands: 'holds',
    sources: ['KIP-98', documented],
    cases: [
      programCase({
        name: 'processing throws after the call',
        config: {
          apps: [
            {
              ...transactional(
                'poll',
                'begin',
                { send: 'output' },
                { call: 'none' },
                'process',
                'send offsets',
                'commit',
              ),
              onError: ['abort', 'seek to committed offset'],
            },
          ],
          effects: 'calls',
          errors: 1,
        },
        expected: { [effectStays]: 'witnessed', [noneTwice]: 'violated' },
        shows: {
          [effectStays]: ['provider  call', 'throws', 'abort'],
          [noneTwice]: ['provider  call', 'throws', 'abort', 'provider  call'],
        },
      }),
    ],
  },
  {
    id: 'claim-X12',
    claim:
      'an outside call after the first send that is slower than the transaction timeout each time makes no progress, and readers stand still meanwhile',
    stands: 'holds',
    sources: ['transaction.timeout.ms'],
    cases: [
      programCase({
        name: 'each time',
        config: {
          apps: [
            transactional(
              'poll',
              'begin',
              { send: 'output' },
              'work past the timeout',
              'send offsets',
              'commit',
            ),
            { name: 'receiver', reads: 'output', loop: ['poll'] },
          ],
        },
        expected: { [everyInput]: 'violated', [noneTwice]: 'proved', [readerWaits]: 'witnessed' },
        shows: {
          [everyInput]: [
            'output  send in transaction',
            'longer than the transaction timeout',
            'is fenced',
            'started',
          ],
          [readerWaits]: ['output  send in transaction'],
        },
      }),
      programCase({
        name: 'the call before the first send',
        config: {
          apps: [
            transactional(
              'poll',
              { call: 'id of the event' },
              'begin',
              { send: 'output' },
              'send offsets',
              'commit',
            ),
          ],
        },
        expected: { [everyInput]: 'proved', [noneTwice]: 'proved' },
      }),
    ],
  },
  {
    id: 'claim-X19',
    claim:
      'an idempotency key that is not durable before the call, or that two workers find or create at once, lets the call be executed twice',
    stands: 'holds',
    sources: ['Idempotency-Key HTTP header (IETF draft)'],
    cases: [
      programCase({
        name: 'made in memory',
        config: { apps: [charging('made in memory')], effects: 'calls', crashes: 1 },
        expected: { [noneTwice]: 'violated', [everyInput]: 'proved' },
        shows: { [noneTwice]: ['provider  call', 'crashed', 'provider  call'] },
      }),
      programCase({
        name: 'two workers find or create',
        config: {
          apps: [twice(charging('stored', 'look up idempotency key', 'create idempotency key'))],
          effects: 'calls',
          rebalances: 1,
        },
        expected: { [noneTwice]: 'violated', [everyInput]: 'proved' },
        shows: {
          [noneTwice]: [
            'look up idempotency key: none',
            'look up idempotency key: none',
            'create idempotency key',
            'create idempotency key',
          ],
        },
      }),
      programCase({
        name: 'two workers, find or create in one transaction',
        config: {
          apps: [twice(charging('stored', { database: ['store idempotency key'] }))],
          effects: 'calls',
          rebalances: 1,
        },
        expected: { [noneTwice]: 'proved', [everyInput]: 'proved' },
      }),
    ],
  },
  {
    id: 'claim-X20',
    claim: 'to look up at the provider before retrying does not help against a call that is still under way',
    stands: 'holds',
    sources: ['Two Generals Problem'],
    cases: [{ lateCalls: 1 }, { lostAnswers: 1 }].map((faults) =>
      programCase({
        name: 'lateCalls' in faults ? 'the call comes late' : 'only its answer is lost',
        config: { apps: [charging('none', 'ask provider')], effects: 'calls', ...faults },
        expected: { [noneTwice]: 'lateCalls' in faults ? 'violated' : 'proved', [everyInput]: 'proved' },
        ...('lateCalls' in faults
          ? { shows: { [noneTwice]: ['call event=0 (delayed', 'ask: not executed', 'provider'] } }
          : {}),
      }),
    ),
  },
]
