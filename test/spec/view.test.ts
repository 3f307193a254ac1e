import { describe, expect, it } from 'vitest'
import { prepare } from '../../checker/prepare.ts'
import type { StateView } from '../../checker/view.ts'
import { kafka, programs } from '../../spec/index.ts'
import type { State } from '../../spec/outside/state.ts'
import type { KafkaState, LogRecord } from '../../spec/state.ts'

const ghost = { session: 1, transaction: 's1.1', fenced: false }
const data = (producerId: number, sequence: number): LogRecord => ({
  kind: 'data',
  producerId,
  producerEpoch: 0,
  transactional: true,
  sequence,
  input: 0,
  part: 0,
  ...ghost,
})
const marker = (producerId: number, result: 'commit' | 'abort'): LogRecord => ({
  kind: 'marker',
  producerId,
  producerEpoch: 1,
  result,
  coordinatorEpoch: 0,
  transaction: 's1.1',
})

function viewed(change: (state: KafkaState) => void, config: object = {}): StateView {
  const { body } = prepare(kafka, { preset: 'kafka-4.4', instances: 1, outputPartitions: 1, ...config })
  const state = structuredClone(body.initial) as KafkaState
  change(state)
  return (body.view as (state: KafkaState) => StateView)(state)
}

describe('what a diagram shows of the Kafka model', () => {
  it('of a log: what became of each record, and what readers are given', () => {
    const { logs } = viewed(({ partition: [first] }) => {
      first!.log = [data(0, 0), marker(0, 'abort'), data(0, 1), marker(0, 'commit'), data(1, 0)]
      first!.highWatermark = 5
    })
    const [output] = logs
    expect(output?.cells.map(({ kind }) => kind)).toEqual([
      'aborted',
      'marker',
      'committed',
      'marker',
      'open',
    ])
    expect(output?.cells[2]?.lines).toEqual(['input 0', 'id 0 epoch 0', 'seq 1'])
    expect(output?.bounds).toEqual({ LSO: 4, HW: 5 })
    expect(output?.readers).toEqual([
      { label: 'read_uncommitted', offsets: [0, 2, 4] },
      { label: 'read_committed', offsets: [2] },
    ])
  })

  it('of participants: who is down or stands still, identities, transactions, watermarks', () => {
    const { lanes } = viewed(
      ({ instance: [one, other], coordinator: [coordinator], partition: [first], group }) => {
        Object.assign(one!, { status: 'crashed', producerId: 3, producerEpoch: 2 })
        other!.status = 'paused'
        coordinator!.entry = { state: 'Ongoing', producerEpoch: 2 } as NonNullable<
          typeof coordinator
        >['entry']
        first!.log = [data(0, 0)]
        group.committed = 1
      },
      { instances: 2 },
    )
    expect(lanes['app-0']).toEqual({ status: 'down', facts: { 'producer id': 3, epoch: 2 } })
    expect(lanes['app-1']?.status).toBe('paused')
    expect(lanes.coordinator?.facts).toEqual({ transaction: 'Ongoing', epoch: 2 })
    expect(lanes['partition-0']?.facts).toEqual({ HW: 0, LSO: 0 })
    expect(lanes.offsets?.facts).toEqual({ 'committed offset': 1 })
  })
})

describe('what a diagram shows of applications as programs', () => {
  it('who runs, and what the topics hold', () => {
    const { body } = prepare(programs, {
      apps: [
        {
          name: 'app',
          reads: 'in',
          onStart: ['initialise'],
          loop: ['poll', 'begin', { send: 'out' }, 'commit'],
        },
      ],
      inputs: [{ topic: 'in', event: 0 }],
    })
    const view = body.view as (state: State) => StateView
    const state = structuredClone(body.initial) as State
    expect(view(state).lanes.app).toEqual({ status: 'down', facts: {} })
    state.process.app!.status = 'running'
    state.process.app!.inTransaction = true
    const entry = { event: 0, id: 'e0', key: 'k', poison: false, value: 0, producer: 'app' }
    state.topic.out = [
      { ...entry, status: 'committed' },
      { ...entry, status: 'open' },
      { ...entry, status: 'committed' },
    ]
    const { lanes, logs } = view(state)
    expect(lanes.app).toEqual({ facts: { transaction: 'open' } })
    const out = logs.find(({ label }) => label === 'out')
    expect(out?.bounds).toEqual({ LSO: 1 })
    expect(out?.readers.map(({ offsets }) => offsets)).toEqual([[0, 1, 2], [0]])
  })
})
