/** Parts of hand-made states, of which questions are asked. */
import type { EndTxnRequest, InitProducerIdRequest, Instance } from '../../../spec/state.ts'
import {
  type Case,
  type Change,
  coordinator,
  data,
  entry,
  marker,
  offset,
  output,
  record,
} from './judging.ts'

/** A state, or a step, and what a question says of it. */
export type Row = Case & { readonly when: string; readonly says: string }

export const instance =
  (changes: Partial<Instance>, client = 0): Change =>
  (state) => {
    Object.assign(state.instance[client] as Instance, changes)
  }
export const newest =
  (session: number): Change =>
  ({ ghost }) => {
    ghost.newestSession = [session]
  }
export const sessions =
  (count: number): Change =>
  ({ ghost }) => {
    ghost.sessions = count
  }
/** The first session is at work with the first epoch. */
export const only: Change = (state) => {
  sessions(1)(state)
  instance({ status: 'running', session: 1, transactionalId: 0, producerId: 0, producerEpoch: 0 })(state)
}
export const fenced: Change = ({ ghost }) => {
  ghost.fenced = true
}
export const commitUnderWay: Change = ({ connection }) => {
  const request: EndTxnRequest = {
    kind: 'EndTxn',
    session: 1,
    transaction: 's1.1',
    transactionalId: 0,
    executing: false,
    producerId: 0,
    producerEpoch: 0,
    result: 'commit',
  }
  connection[0]?.coordinator.late.push([request])
}

export const initialisationUnderWay: Change = ({ connection }) => {
  const request: InitProducerIdRequest = {
    kind: 'InitProducerId',
    session: 1,
    transaction: '',
    transactionalId: 0,
    executing: false,
    expectedProducerId: -1,
    expectedEpoch: -1,
  }
  connection[0]?.coordinator.late.push([request])
}

export const committed = [data('s1.1'), marker('commit', 's1.1')]
export const aborted = [data('s1.1'), marker('abort', 's1.1')]
export const committedOffset = [offset('s1.1'), marker('commit', 's1.1')]
export const other = [data('s2.1', { producerId: 1 }), marker('commit', 's2.1', { producerId: 1 })]
export const again = data('s1.2', { sequence: 1, producerEpoch: 1 })
export const open = record({ state: 'Ongoing', transaction: 's1.1', partitions: [output] })
export const openEntry = coordinator(entry({ ...open }), { committed: open })
export const commits = coordinator(entry({ ...open, state: 'PrepareCommit' }), {
  tail: { ...open, state: 'PrepareCommit' },
})
export const completed = coordinator(entry({ state: 'CompleteCommit' }), {
  committed: record({ state: 'CompleteCommit' }),
})
export const produce = { application: 'produce' }
export const finished = instance({ status: 'finished' })
export const ended = [instance({ status: 'crashed' }), instance({ status: 'crashed' }, 1)]
export const allDone = [finished, instance({ status: 'finished' }, 1), completed]
export const ddCddA = [
  data('s1.1'),
  data('s1.1', { sequence: 1 }),
  marker('commit', 's1.1'),
  data('s1.2', { producerEpoch: 1 }),
  data('s1.2', { producerEpoch: 1, sequence: 1 }),
  marker('abort', 's1.2', { producerEpoch: 2 }),
]
