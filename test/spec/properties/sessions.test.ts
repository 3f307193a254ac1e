/** Whether a session believes to have an epoch that is not the newest one, by its own hand. */
import { expect, it } from 'vitest'
import { coordinator, entry, verdict } from './judging.ts'
import { initialisationUnderWay, only, sessions } from './question-states.ts'

const question = 'the only session there is holds an older epoch than the coordinator'

it.each([
  {
    when: 'a newer one was given to nobody',
    changes: [only, coordinator(entry({ producerEpoch: 1 }))],
    says: 'witness',
  },
  { when: 'it has the newest one', changes: [only, coordinator(entry())], says: 'no witness' },
  {
    when: 'another session has started',
    changes: [only, sessions(2), coordinator(entry({ producerEpoch: 1 }))],
    says: 'no witness',
  },
  {
    when: 'an end of a transaction has raised it',
    changes: [only, coordinator(entry({ producerEpoch: 1, state: 'CompleteCommit' }))],
    says: 'no witness',
  },
  {
    when: 'an initialisation is still under way',
    changes: [only, initialisationUnderWay, coordinator(entry({ producerEpoch: 1 }))],
    says: 'no witness',
  },
])('$when: $says', ({ changes, says }) => {
  expect(verdict(question, { changes })).toBe(says)
})
