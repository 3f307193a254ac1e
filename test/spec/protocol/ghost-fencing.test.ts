/** When a producer that hears that it was fenced has nobody to blame. */
import { describe, expect, it } from 'vitest'
import { prepare } from '../../../checker/prepare.ts'
import { batchName, noteAcknowledged, noteClaim, noteFenced } from '../../../spec/ghost.ts'
import { kafka } from '../../../spec/index.ts'
import type { ErrorName, InitProducerIdRequest, KafkaState, ProduceRequest } from '../../../spec/state.ts'
import { data } from '../properties/judging.ts'
import { rulesOf } from './rules.ts'

const config = { transactionTimeouts: 1, idExpirations: 1, crashes: 1, restarts: 1 } as const
const claim: InitProducerIdRequest = {
  kind: 'InitProducerId',
  session: 1,
  transaction: '',
  transactionalId: 0,
  executing: false,
  expectedProducerId: -1,
  expectedEpoch: -1,
}
const { kind: _, fenced: __, ...sent } = data('s1.1')
const batch: ProduceRequest = { ...sent, kind: 'Produce', transactionalId: 0, executing: false }

function stateWith(changes: (state: KafkaState) => void = () => {}): KafkaState {
  const state = structuredClone(prepare(kafka, config).body.initial) as KafkaState
  state.ghost.sessions = 1
  changes(state)
  return state
}

interface Row {
  readonly name: string
  readonly error?: ErrorName
  readonly request?: InitProducerIdRequest | ProduceRequest
  readonly ids?: 'own' | 'fresh' | 'shared'
  readonly changes?: (state: KafkaState) => void
  readonly noted: boolean
}

const rows: readonly Row[] = [
  { name: 'alone', noted: true },
  { name: 'alone, by a partition', error: 'INVALID_PRODUCER_EPOCH', noted: true },
  { name: 'alone, and unknown', error: 'INVALID_PRODUCER_ID_MAPPING', noted: true },
  { name: 'another error', error: 'INVALID_TXN_STATE', noted: false },
  { name: 'of a batch that was given up', request: { ...batch, givenUp: true }, noted: false },
  {
    name: 'after a timeout',
    changes: ({ budget }) => Object.assign(budget, { transactionTimeouts: 0 }),
    noted: false,
  },
  {
    name: 'after an expiry',
    changes: ({ budget }) => Object.assign(budget, { idExpirations: 0 }),
    noted: false,
  },
  { name: 'after a claim for nobody', changes: (state) => noteClaim(state, claim, 'late'), noted: false },
  {
    name: 'after a late rise of the epoch',
    changes: (state) => noteClaim(state, { ...claim, expectedEpoch: 0 }, 'late'),
    noted: true,
  },
  {
    name: 'after a claim that is answered',
    changes: (state) => noteClaim(state, claim, 'live'),
    noted: true,
  },
  {
    name: 'with another session',
    changes: ({ ghost }) => Object.assign(ghost, { sessions: 2 }),
    noted: false,
  },
  {
    name: 'with others that have ids of their own',
    ids: 'own',
    changes: ({ ghost }) => Object.assign(ghost, { sessions: 2 }),
    noted: true,
  },
  {
    name: 'with an earlier session of its own id',
    ids: 'own',
    changes: ({ ghost, budget }) => {
      ghost.sessions = 2
      budget.restarts = 0
    },
    noted: false,
  },
  {
    name: 'with an id of its session',
    ids: 'fresh',
    changes: ({ ghost }) => Object.assign(ghost, { sessions: 2 }),
    noted: true,
  },
]

describe('a producer is told that it was fenced', () => {
  it.each(rows)(
    '$name: $noted',
    ({ error = 'PRODUCER_FENCED', request = batch, ids = 'shared', changes, noted }) => {
      const state = stateWith(changes)
      const protocol = rulesOf('kafka-4.4', { config: { ...config, transactionalIds: ids } })
      noteFenced(protocol, state, { request, error, producerId: -1, producerEpoch: -1 })
      expect(state.ghost.fencedWithoutRival).toBe(noted)
    },
  )
})

describe('an acknowledged batch', () => {
  it('is called the same in its request and in the log', () => {
    expect(batchName(batch, 0)).toBe(batchName(data('s1.1'), 0))
    expect(batchName(batch, 0)).not.toBe(batchName(batch, 1))
  })

  it('is remembered only where it can be lost', () => {
    const [kept, forgotten] = [stateWith(), stateWith()]
    noteAcknowledged(rulesOf('kafka-4.4', { config: { leaderChanges: 1 } }), kept, batch, 1)
    noteAcknowledged(rulesOf('kafka-4.4'), forgotten, batch, 1)
    expect(Object.values(kept.ghost.acknowledged)).toEqual([1])
    expect(forgotten.ghost.acknowledged).toEqual({})
  })
})
