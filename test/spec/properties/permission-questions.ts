/** What is asked of permissions that are missing, with hand-made states that answer each question both ways. */
import { type Change, coordinator, data, entry, log, output, record, told } from './judging.ts'
import { allDone, committed, newest, type Row } from './question-states.ts'

const config = { missingPermissions: 1 }
const refused: Change = ({ budget }) => {
  budget.missingPermissions = 0
}
const early = 'nothing is written before the permission is granted'
const done = 'all work is done after a permission was missing'
const aborts = 'a transaction is aborted as a permission is missing'

export const permissionQuestions: Record<string, readonly Row[]> = {
  [early]: [
    {
      when: 'a record is written',
      config,
      changes: [refused, log(output, data('s1.1'))],
      says: 'no partition has a record',
    },
    {
      when: 'the coordinator has written something',
      config,
      changes: [refused, coordinator(entry(), { committed: record() })],
      says: 'the coordinator knows of nothing',
    },
    {
      when: 'the offset has moved',
      config,
      changes: [
        refused,
        ({ group }) => {
          group.committed = 1
        },
      ],
      says: 'no offset has moved',
    },
    { when: 'nothing has happened since', config, changes: [refused], says: 'holds' },
    { when: 'nothing was refused', config, changes: [], says: 'not given' },
    { when: 'a session has its epoch', config, changes: [refused, newest(1)], says: 'not given' },
  ],
  [done]: [
    { when: 'it is so', config, changes: [refused, ...allDone, log(output, ...committed)], says: 'witness' },
    {
      when: 'nothing was refused',
      config,
      changes: [...allDone, log(output, ...committed)],
      says: 'no witness',
    },
    { when: 'nothing is done yet', config, changes: [refused], says: 'no witness' },
  ],
  [aborts]: [
    { when: 'it is so', config, changes: [refused, told({ 's1.1': 'abort' })], says: 'witness' },
    { when: 'nothing was refused', config, changes: [told({ 's1.1': 'abort' })], says: 'no witness' },
    { when: 'it is committed', config, changes: [refused, told({ 's1.1': 'commit' })], says: 'no witness' },
  ],
}
