/** Each part of the properties of what participants remember: a state that violates just it, and one beside it. */
import { describe, expect, it } from 'vitest'
import type { InitProducerIdRequest, KafkaState, Marker } from '../../../spec/state.ts'
import {
  type Case,
  type Change,
  coordinator,
  data,
  decided,
  entry,
  log,
  marker,
  offset,
  offsets,
  output,
  partition,
  record,
  told,
  verdict,
} from './judging.ts'

interface Row extends Omit<Case, 'changes'> {
  readonly property: string
  readonly part: string
  readonly bad: readonly Change[]
  readonly good: readonly Change[]
}

const ghost =
  (changes: Partial<KafkaState['ghost']>): Change =>
  (state) => {
    Object.assign(state.ghost, changes)
  }
const instance =
  (changes: Partial<KafkaState['instance'][number]>): Change =>
  (state) => {
    Object.assign(state.instance[0] as object, changes)
  }
const sent =
  (...requests: InitProducerIdRequest[]): Change =>
  ({ connection }) => {
    connection[0]?.coordinator.requests.push(...requests)
  }
const request: InitProducerIdRequest = {
  kind: 'InitProducerId',
  session: 1,
  transaction: '',
  transactionalId: 0,
  executing: false,
  expectedProducerId: -1,
  expectedEpoch: -1,
}
const underWay =
  (changes: Partial<Marker> = {}): Change =>
  ({ markers }) => {
    const { producerId, producerEpoch, result, coordinatorEpoch, transaction } = marker('commit', 's1.1')
    const written = { producerId, producerEpoch, result, coordinatorEpoch, transaction }
    markers[output]?.push({ transactionalId: 0, transactionVersion: 2, late: false, ...written, ...changes })
  }

const open = log(output, data('s1.1'))
const ongoing = record({ state: 'Ongoing', partitions: [output] })
const committing = entry({
  state: 'PrepareCommit',
  pendingState: 'CompleteCommit',
  partitions: [output],
  producerEpoch: 1,
})

const rows: readonly Row[] = [
  {
    property: 'a partition remembers what its log says',
    part: 'a producer with an open transaction is not forgotten',
    bad: [open, partition(output, { producers: [] })],
    good: [log(output, data('s1.1'), marker('abort', 's1.1')), partition(output, { producers: [] })],
  },
  {
    property: 'a partition remembers what its log says',
    part: 'the epoch is the last one',
    bad: [
      open,
      ({ partition: [first] }) => Object.assign(first?.producers[0] as object, { producerEpoch: 3 }),
    ],
    good: [open],
  },
  {
    property: 'a partition remembers what its log says',
    part: 'the open transaction is that of the log',
    bad: [open, ({ partition: [first] }) => Object.assign(first?.producers[0] as object, { openOffset: -1 })],
    good: [open],
  },
  {
    property: 'a partition remembers what its log says',
    part: 'the batches are the last ones',
    bad: [
      log(output, data('s1.1'), data('s1.1', { sequence: 1, input: 1 })),
      ({ partition: [first] }) => first?.producers[0]?.batches.pop(),
    ],
    good: [
      log(output, data('s1.1'), data('s1.1', { sequence: 1, input: 1 })),
      ({ partition: [first] }) => first?.producers[0]?.batches.shift(),
    ],
  },
  {
    property: 'a partition remembers what its log says',
    part: 'only producers that wrote something are remembered',
    bad: [open, partition(output, { log: [] })],
    good: [open],
  },
  {
    property: 'no guard for a transaction that is open',
    part: 'it is at another epoch than the open transaction',
    bad: [open, partition(output, { guards: [{ producerId: 0, producerEpoch: 0, lowestSequence: 0 }] })],
    good: [open, partition(output, { guards: [{ producerId: 0, producerEpoch: 1, lowestSequence: 0 }] })],
  },
  {
    property: 'the coordinator remembers what it wrote last',
    part: 'memory and log are the same when nothing is pending',
    bad: [coordinator(entry({ state: 'Ongoing', partitions: [output] }), { committed: record() })],
    good: [coordinator(entry({ state: 'Ongoing', partitions: [output] }), { committed: ongoing })],
  },
  {
    property: 'the coordinator remembers what it wrote last',
    part: 'memory and log are the same when nothing is pending',
    bad: [coordinator(entry({ producerEpoch: 1 }), { committed: record() })],
    good: [coordinator(entry({ producerEpoch: 1, pendingState: 'PrepareAbort' }), { committed: record() })],
  },
  {
    property: 'what is pending is under way',
    part: 'without a pending state nothing is under way',
    bad: [coordinator(entry(), { tail: ongoing })],
    good: [coordinator(entry({ pendingState: 'Ongoing' }), { tail: ongoing })],
  },
  {
    property: 'what is pending is under way',
    part: 'the record of the pending state is appended',
    bad: [coordinator(entry({ pendingState: 'Ongoing' }), { tail: record() })],
    good: [coordinator(entry({ pendingState: 'Empty' }), { tail: record() })],
  },
  {
    property: 'what is pending is under way',
    part: 'a completion waits for markers, or its record is appended',
    bad: [coordinator({ ...committing, partitions: [] })],
    good: [coordinator({ ...committing, partitions: [] }, { tail: record({ state: 'CompleteCommit' }) })],
  },
  {
    property: 'every participant gets its marker',
    part: 'it is sent or written',
    bad: [coordinator(committing), underWay({ late: true })],
    good: [coordinator(committing), underWay()],
  },
  {
    property: 'every participant gets its marker',
    part: 'it is sent or written',
    bad: [coordinator(committing), partition(output, { awaiting: [{ transactionalId: 0, markerOf: 3 }] })],
    good: [coordinator(committing), partition(output, { awaiting: [{ transactionalId: 0, markerOf: 0 }] })],
  },
  {
    property: 'no partition is ahead of the coordinator',
    part: 'its epoch was given out',
    bad: [log(output, data('s1.1', { producerEpoch: 1 })), coordinator(entry())],
    good: [log(output, data('s1.1', { producerEpoch: 1 })), coordinator(entry({ producerEpoch: 1 }))],
  },
  {
    property: 'no client is ahead of the coordinator',
    part: 'its epoch was given out',
    bad: [instance({ producerId: 0, producerEpoch: 1 }), coordinator(entry())],
    good: [
      instance({ producerId: 1, producerEpoch: 0 }),
      coordinator(entry({ producerEpoch: 7, nextProducerId: 1 })),
    ],
  },
  {
    property: 'one transactional request at a time',
    part: 'at most one is in flight',
    bad: [sent(request, request)],
    good: [sent(request)],
  },
  {
    property: 'no session is fenced without a rival',
    part: 'nobody was told so for nothing',
    bad: [ghost({ fencedWithoutRival: true })],
    good: [ghost({ fenced: true })],
  },
  {
    property: 'acknowledged batches are in the log',
    part: 'it is there',
    config: { leaderChanges: 1 },
    bad: [ghost({ acknowledged: { 's1.1 0.0 to 0': output } }), log(output, data('s1.2'))],
    good: [ghost({ acknowledged: { 's1.1 0.0 to 0': output } }), log(output, data('s1.1'))],
  },
  {
    property: 'open transactions are known to the coordinator',
    part: 'the coordinator will close it',
    bad: [open, coordinator(entry({ state: 'Ongoing', partitions: [offsets] }))],
    good: [open, coordinator(entry({ state: 'Ongoing', partitions: [output] }))],
  },
  {
    property: 'open transactions are known to the coordinator',
    part: 'the coordinator will close it',
    bad: [open, coordinator(entry()), underWay({ late: true })],
    good: [open, coordinator(entry()), underWay()],
  },
  {
    property: 'a durable decision never changes',
    part: 'it is not contradicted',
    bad: [decided({ 's1.1': 'contradicted' })],
    good: [decided({ 's1.1': 'abort' })],
  },
  {
    property: 'reported outcomes are true',
    part: 'what the client was told is what was decided',
    bad: [decided({ 's1.1': 'abort' }), told({ 's1.1': 'commit' })],
    good: [decided({ 's1.1': 'commit' }), told({ 's1.1': 'commit', 's1.2': 'abort' })],
  },
  {
    property: 'output and offset are atomic',
    part: 'output is visible only with its offset',
    bad: [log(output, data('s1.1'), marker('commit', 's1.1')), coordinator(entry())],
    good: [
      log(output, data('s1.1'), marker('commit', 's1.1')),
      log(offsets, offset('s1.1'), marker('commit', 's1.1')),
      coordinator(entry()),
    ],
  },
]

describe.each(rows)("'$property': $part", ({ property, part, bad, good, ...about }) => {
  it('is violated', () => expect(verdict(property, { ...about, changes: bad })).toBe(part))
  it('holds', () => expect(verdict(property, { ...about, changes: good })).toBe('holds'))
})
