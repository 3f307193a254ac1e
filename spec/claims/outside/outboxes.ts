import { everyInput, inOrder, noneTwice } from '../../outside/questions.ts'
import type { Claim } from '../claim.ts'
import { deduplicating, documented, programCase, reader, twice } from '../program-case.ts'

const outbox = 'Transactional outbox pattern'

const crashBetween = 'crashed - before: '
const rowAgain = ['insert row', 'crashed', 'insert row']

/** A business action that nobody repeats: its row and the row of the outbox in one transaction. */
const business = {
  name: 'shop',
  reads: 'requests',
  onStart: ['seek to committed offset'],
  loop: ['accept request', { database: ['insert row', 'insert outbox row'] }],
}
const requests = [{ topic: 'requests', event: 0 }]
const relay = (...loop: readonly unknown[]) => ({ name: 'relay', loop })
const publishing = relay('read outbox', { send: 'events' }, 'mark sent')
const outboxCase = { inputs: requests, effects: 'events' }
/** The request is answered only when its rows are there, and else comes again. */
const repeated = {
  ...business,
  loop: ['poll', { database: ['remember id', 'insert row', 'insert outbox row'] }, 'commit offset'],
}

export const outboxClaims: readonly Claim[] = [
  {
    id: 'claim-X7',
    claim:
      'an outbox row in the transaction of the business row never loses the event; a relay that crashes between publishing and marking publishes twice, which deduplication downstream makes one effect',
    stands: 'holds',
    sources: [outbox],
    cases: [
      programCase({
        name: 'published',
        config: { ...outboxCase, apps: [repeated, publishing], crashes: 1 },
        expected: { [everyInput]: 'proved', [noneTwice]: 'violated' },
        shows: {
          [noneTwice]: ['insert outbox row', 'events  send', 'crashed - before: mark sent', 'events  send'],
        },
      }),
      programCase({
        name: 'with deduplication downstream',
        config: {
          inputs: requests,
          effects: 'rows',
          apps: [
            {
              ...repeated,
              loop: ['poll', { database: ['insert outbox row'] }, 'commit offset'],
            },
            publishing,
            deduplicating(),
          ],
          crashes: 1,
        },
        expected: { [everyInput]: 'proved', [noneTwice]: 'proved' },
      }),
    ],
  },
  {
    id: 'claim-X8',
    claim:
      'two relays publish twice without any crash if the lock is released before publishing, and not if it is held to the end; rows claimed without a lease are lost with a dead claimer, with a lease they may be published twice',
    stands: 'holds',
    sources: [outbox, 'SELECT FOR UPDATE SKIP LOCKED'],
    cases: [
      programCase({
        name: 'lock released before publishing',
        config: {
          ...outboxCase,
          apps: [
            business,
            twice(relay('take lock', 'read outbox', 'release lock', { send: 'events' }, 'mark sent')),
          ],
        },
        expected: { [noneTwice]: 'violated', [everyInput]: 'proved' },
        shows: { [noneTwice]: ['release lock', 'events  send', 'take lock', 'read outbox', 'events  send'] },
      }),
      programCase({
        name: 'lock held to the end',
        config: {
          ...outboxCase,
          apps: [
            business,
            twice(relay('take lock', 'read outbox', { send: 'events' }, 'mark sent', 'release lock')),
          ],
        },
        expected: { [noneTwice]: 'proved', [everyInput]: 'proved' },
      }),
      programCase({
        name: 'claimed without lease, a claimer dies',
        config: {
          ...outboxCase,
          apps: [twice(relay('claim outbox row', { send: 'events' }, 'mark sent')), business],
          crashes: 1,
          crashBefore: 1,
        },
        expected: { [everyInput]: 'violated' },
        shows: { [everyInput]: ['claim outbox row', 'crashed - before: send to events'] },
      }),
      programCase({
        name: 'claimed with lease, the claimer is slow',
        config: {
          ...outboxCase,
          apps: [repeated, twice(relay('claim outbox row', { send: 'events' }, 'mark sent'))],
          crashes: 1,
          claimsEnd: true,
          leaseEnds: 1,
        },
        expected: { [everyInput]: 'proved', [noneTwice]: 'violated' },
        shows: { [noneTwice]: ['claim outbox row', 'events  send', 'claim outbox row', 'events  send'] },
      }),
    ],
  },
  {
    id: 'claim-X9a',
    claim:
      'a database first and Kafka after it, started by a request that nobody repeats, loses the event in a crash between the two',
    stands: 'holds',
    sources: [outbox],
    cases: [
      programCase({
        name: 'crash',
        config: {
          inputs: requests,
          effects: 'output',
          apps: [{ ...business, loop: ['accept request', { database: ['insert row'] }, { send: 'output' }] }],
          crashes: 1,
          crashBefore: 2,
        },
        expected: { [everyInput]: 'violated', [noneTwice]: 'proved' },
        shows: { [everyInput]: ['insert row', 'crashed - before: send to output'] },
      }),
    ],
  },
  {
    id: 'claim-X9b',
    claim:
      'a database first and Kafka after it, started by a consumed record, has its effect twice after a crash',
    stands: 'holds',
    sources: [documented],
    cases: [
      programCase({
        name: 'crash',
        config: {
          effects: 'rows',
          apps: [reader('poll', { database: ['insert row'] }, { send: 'output' }, 'commit offset')],
          crashes: 1,
        },
        expected: { [everyInput]: 'proved', [noneTwice]: 'violated' },
        shows: { [noneTwice]: rowAgain },
      }),
    ],
  },
  {
    id: 'claim-X9c',
    claim: 'Kafka first and the database after it leaves an event without its row',
    stands: 'holds',
    sources: [outbox],
    cases: [
      programCase({
        name: 'crash',
        config: {
          inputs: requests,
          effects: 'rows',
          apps: [{ ...business, loop: ['accept request', { send: 'output' }, { database: ['insert row'] }] }],
          crashes: 1,
          crashBefore: 2,
        },
        expected: { [everyInput]: 'violated' },
        shows: { [everyInput]: ['output  send', `${crashBetween}database: insert row`] },
      }),
    ],
  },
  {
    id: 'claim-X10',
    claim:
      'two plain writes, one to a database and one to Kafka, may leave either without the other, and have their effects twice if a record that is consumed again started them',
    stands: 'holds',
    sources: [outbox],
    cases: [
      ...(['database first', 'Kafka first'] as const).map((order) => {
        const writes = [{ database: ['insert row'] }, { send: 'output' }]
        const loop = order === 'database first' ? writes : writes.toReversed()
        return programCase({
          name: order,
          config: {
            inputs: requests,
            effects: order === 'database first' ? 'output' : 'rows',
            apps: [{ ...business, loop: ['accept request', ...loop] }],
            crashes: 1,
            crashBefore: 2,
          },
          expected: { [everyInput]: 'violated' },
          shows: {
            [everyInput]:
              order === 'database first' ? ['insert row', 'crashed'] : ['output  send', 'crashed'],
          },
        })
      }),
      programCase({
        name: 'database first, of a consumed record',
        config: {
          effects: 'rows',
          apps: [reader('poll', { database: ['insert row'] }, { send: 'output' }, 'commit offset')],
          crashes: 1,
        },
        expected: { [everyInput]: 'proved', [noneTwice]: 'violated' },
        shows: { [noneTwice]: rowAgain },
      }),
      programCase({
        name: 'Kafka first, of a consumed record',
        config: {
          effects: 'output',
          apps: [reader('poll', { send: 'output' }, { database: ['insert row'] }, 'commit offset')],
          crashes: 1,
        },
        expected: { [everyInput]: 'proved', [noneTwice]: 'violated' },
        shows: { [noneTwice]: ['output  send', 'crashed', 'output  send'] },
      }),
    ],
  },
  {
    id: 'claim-X14',
    claim: 'deduplication downstream by offset does not recognise what the producer side has published again',
    stands: 'holds',
    sources: [outbox, 'Idempotent consumer pattern'],
    cases: (['remember offset', 'remember id'] as const).map((remembers) =>
      programCase({
        name: remembers,
        config: {
          inputs: requests,
          effects: 'rows',
          apps: [
            { ...repeated, loop: ['poll', { database: ['insert outbox row'] }, 'commit offset'] },
            publishing,
            deduplicating(remembers),
          ],
          crashes: 1,
        },
        expected: {
          [everyInput]: 'proved',
          [noneTwice]: remembers === 'remember id' ? 'proved' : 'violated',
        },
        ...(remembers === 'remember id'
          ? {}
          : {
              shows: {
                [noneTwice]: [
                  'events  send',
                  'insert row',
                  'crashed - before: mark sent',
                  'events  send',
                  'insert row',
                ],
              },
            }),
      }),
    ),
  },
  {
    id: 'claim-X17',
    claim: 'an outbox that two relays empty in the order of creation breaks the order of one key',
    stands: 'holds',
    sources: [outbox, 'SELECT FOR UPDATE SKIP LOCKED'],
    cases: [1, 2].map((instances) =>
      programCase({
        name: instances === 1 ? 'one relay' : 'two relays',
        config: {
          inputs: [...requests, { topic: 'requests', event: 1 }],
          effects: 'events',
          apps: [business, { ...relay('claim outbox row', { send: 'events' }, 'mark sent'), instances }],
        },
        expected: { [inOrder]: instances === 1 ? 'proved' : 'violated', [noneTwice]: 'proved' },
        ...(instances === 1
          ? {}
          : {
              shows: { [inOrder]: ['claim outbox row event=0', 'claim outbox row event=1', 'send event=1'] },
            }),
      }),
    ),
  },
]
