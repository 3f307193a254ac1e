/** An application that takes the error that its producer is fenced for one like any other. */
import { everyInput, noneTwice, together } from '../../outside/questions.ts'
import type { Claim } from '../claim.ts'
import { exactlyOnceLoop, programCase, transactional, twice, twoEvents } from '../program-case.ts'

/** What it does before it polls on. */
const handlers = {
  'same producer': [],
  'new producer, without going back': ['initialise'],
  'new producer, and back to the committed offset': ['initialise', 'seek to committed offset'],
} as const

const swallowing = (handler: keyof typeof handlers) => ({
  ...transactional(...exactlyOnceLoop),
  onError: [...handlers[handler]],
  whenFenced: 'goes on',
})
const fencedInstead = 'is fenced: its transactional.id has a newer epoch'

export const swallowedClaims: readonly Claim[] = [
  {
    id: 'claim-F6',
    claim:
      'an application that swallows the error that its producer is fenced moves nothing with the same producer, skips input with a new one that polls on, and is safe with a new one that goes back to the committed offset',
    stands: 'holds',
    sources: ['ProducerFencedException', 'KafkaProducer', 'KafkaConsumer.seek'],
    cases: [
      programCase({
        name: 'same producer',
        config: { apps: [swallowing('same producer')], inputs: twoEvents, transactionTimeouts: 1 },
        expected: { [together]: 'proved', [noneTwice]: 'proved', [everyInput]: 'violated' },
        shows: { [everyInput]: ['after its timeout', fencedInstead] },
        because:
          'each call fails, no offset moves and nothing is sent: a restart finds all that is left to do',
      }),
      programCase({
        name: 'new producer, without going back',
        config: {
          apps: [swallowing('new producer, without going back')],
          inputs: twoEvents,
          transactionTimeouts: 1,
        },
        expected: { [together]: 'violated', [everyInput]: 'violated' },
        shows: {
          [together]: ['after its timeout', fencedInstead, 'initialise', 'offset 2 in transaction', 'commit'],
          [everyInput]: ['after its timeout', fencedInstead, 'initialise'],
        },
        because: 'the position is behind the input whose transaction was aborted',
      }),
      programCase({
        name: 'new producer, and back to the committed offset',
        config: {
          apps: [swallowing('new producer, and back to the committed offset')],
          inputs: twoEvents,
          transactionTimeouts: 1,
        },
        expected: { [together]: 'proved', [noneTwice]: 'proved', [everyInput]: 'proved' },
      }),
      programCase({
        name: 'same producer, beside a successor',
        config: {
          apps: [{ ...twice(swallowing('same producer')), transactionalIds: 'shared' }],
          inputs: twoEvents,
          rebalances: 1,
        },
        expected: { [together]: 'proved', [noneTwice]: 'proved' },
        because: 'whichever of the two initialised first moves nothing any more',
      }),
      programCase({
        name: 'new producer, without going back, beside a successor',
        config: {
          apps: [{ ...twice(swallowing('new producer, without going back')), transactionalIds: 'shared' }],
          inputs: twoEvents,
          rebalances: 1,
        },
        expected: { [together]: 'violated' },
        shows: { [together]: ['takes the input over', fencedInstead, 'initialise', 'commit'] },
        because: 'the old owner fences its successor, which polls on in the same way',
      }),
      programCase({
        name: 'new producer, and back to the committed offset, beside a successor',
        config: {
          apps: [
            {
              ...twice(swallowing('new producer, and back to the committed offset')),
              transactionalIds: 'shared',
            },
          ],
          inputs: twoEvents,
          rebalances: 1,
        },
        expected: { [together]: 'proved', [noneTwice]: 'proved', [everyInput]: 'proved' },
      }),
    ],
  },
]
