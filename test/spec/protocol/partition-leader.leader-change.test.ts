import { describe, expect, it } from 'vitest'
import {
  fromSnapshot,
  producersOf,
  retained,
  underNewLeader,
} from '../../../spec/protocol/partition-leader.ts'
import type { LogRecord, Partition } from '../../../spec/state.ts'
import {
  current,
  data,
  entry,
  guardAt,
  markerRecord,
  offsetRecord,
  partitionOf,
  shownEntry,
} from './leader-notation.ts'
import { type presets, presetsWith, rulesOf } from './rules.ts'

const plain = data(-1, -1, { producerId: -1, transactional: false })
const idempotent = (sequence: number) => data(current, sequence, { producerId: 2, transactional: false })

/** Producers of a log, each with its id. */
const shownProducers = (producers: Partition['producers']) =>
  producers.map((producer) => `${producer.producerId}: ${shownEntry(producer)}`)

describe('what a replica remembers of the producers in its log', () => {
  const rows: { name: string; log: LogRecord[]; producers: string[] }[] = [
    { name: 'nothing', log: [], producers: [] },
    { name: 'no producer id', log: [plain, plain], producers: [] },
    {
      name: 'an open transaction',
      log: [plain, data(5, 0), data(5, 1)],
      producers: ['0: epoch 5 [0,1] open 1 coordinator -1'],
    },
    {
      name: 'a committed one whose marker has the same epoch',
      log: [data(5, 0), markerRecord('commit', { coordinatorEpoch: 3 })],
      producers: ['0: epoch 5 [0] closed coordinator 3'],
    },
    {
      name: 'a committed one whose marker has a higher epoch',
      log: [data(5, 0), markerRecord('commit', { producerEpoch: 6 })],
      producers: ['0: epoch 6 [] closed coordinator 0'],
    },
    {
      name: 'a marker alone',
      log: [markerRecord('abort')],
      producers: ['0: epoch 5 [] closed coordinator 0'],
    },
    {
      name: 'offset commits have no sequences',
      log: [offsetRecord(true), offsetRecord(true)],
      producers: ['0: epoch 5 [] open 0 coordinator -1'],
    },
    {
      name: 'several producers, in the order of their ids',
      log: [idempotent(0), data(5, 0), idempotent(1)],
      producers: ['0: epoch 5 [0] open 1 coordinator -1', '2: epoch 5 [0,1] closed coordinator -1'],
    },
    {
      name: 'no more batches than it may',
      log: [0, 1, 2].map((sequence) => idempotent(sequence)),
      producers: ['2: epoch 5 [1,2] closed coordinator -1'],
    },
  ]
  it.each(rows)('$name', ({ log, producers }) => {
    const rules = rulesOf('kafka-4.4', { config: { rememberedBatches: 2 } })
    expect(shownProducers(producersOf(rules, log))).toEqual(producers)
  })
})

describe('a partition under a new leader', () => {
  const log = [data(5, 0), markerRecord('commit'), data(5, 1), data(5, 2)]
  const rules = rulesOf('kafka-3.9')
  const before: Partition = {
    ...partitionOf(log, 3),
    leaderEpoch: 4,
    producers: producersOf(rules, log),
    guards: [guardAt(1)],
    awaiting: [{ client: 0, request: 'Produce #2 of s1.1' }],
  }

  it('that has the whole log remembers the same, and nothing that was only in the memory of the old one', () => {
    expect(underNewLeader(rules, before, 4)).toEqual({ ...before, leaderEpoch: 5, guards: [], awaiting: [] })
  })

  it('that lacks a record remembers nothing of it', () => {
    const after = underNewLeader(rules, before, 3)
    expect(after.log).toEqual(log.slice(0, 3))
    expect([after.highWatermark, after.leaderEpoch]).toEqual([3, 5])
    expect(shownProducers(after.producers)).toEqual(['0: epoch 5 [0,1] open 2 coordinator 0'])
  })

  it('that lacks a replicated record has a lower high watermark', () => {
    const after = underNewLeader(rules, before, 1)
    expect(after.highWatermark).toBe(1)
    expect(shownProducers(after.producers)).toEqual(['0: epoch 5 [0] open 0 coordinator -1'])
  })

  it('knows no producer that the old one had forgotten', () => {
    const forgotten = { ...before, producers: before.producers.filter(({ producerId }) => producerId !== 0) }
    expect(underNewLeader(rules, forgotten, 3).producers).toEqual([])
  })

  it('kafka-1.1: knows no producer whose records are deleted', () => {
    const old = rulesOf('kafka-1.1')
    const two = [idempotent(0), data(5, 0), data(5, 1)]
    const partition = { ...partitionOf(two, 2), logStart: 1, producers: producersOf(old, two) }
    expect(shownProducers(underNewLeader(old, partition, 2).producers)).toEqual([
      '0: epoch 5 [0] open 1 coordinator -1',
    ])
  })

  it('that read a snapshot remembers one batch of each producer', () => {
    const producers = [entry([0, 1, 2], { openOffset: 1 }), entry([], { producerId: 1 })]
    expect(shownProducers(fromSnapshot(producers))).toEqual([
      '0: epoch 5 [2] open 1 coordinator 0',
      '1: epoch 5 [] closed coordinator 0',
    ])
  })
})

describe('what is remembered when records are deleted', () => {
  const log = [data(5, 0), data(5, 1), markerRecord('commit'), idempotent(0)]
  const producersIn = (preset: (typeof presets)[number], logStart: number) => {
    const rules = rulesOf(preset)
    return shownProducers(retained(rules, producersOf(rules, log), log, logStart))
  }
  const all = ['0: epoch 5 [0,1] closed coordinator 0', '2: epoch 5 [0] closed coordinator -1']

  it.each(presetsWith(({ stateDiesWithRecords }) => !stateDiesWithRecords))(
    '%s: everything (KIP-360)',
    (preset) => {
      expect([0, 1, 2, 3, 4].map((logStart) => producersIn(preset, logStart))).toEqual(Array(5).fill(all))
    },
  )

  const rows = [
    { logStart: 0, remembered: all },
    { logStart: 1, remembered: ['0: epoch 5 [1] closed coordinator 0', all[1]] },
    { logStart: 2, remembered: [all[1]] },
    { logStart: 3, remembered: [all[1]] },
    { logStart: 4, remembered: [] },
  ]
  it.each(rows)(
    'kafka-1.1, from $logStart on: what has a batch there, not only a marker',
    ({ logStart, remembered }) => {
      expect(producersIn('kafka-1.1', logStart)).toEqual(remembered)
    },
  )

  it('kafka-1.1: a batch of an epoch before that of the marker does not count', () => {
    const rules = rulesOf('kafka-1.1')
    const fenced = [data(5, 0), markerRecord('abort', { producerEpoch: 6 })]
    expect(retained(rules, producersOf(rules, fenced), fenced, 0)).toEqual([])
  })

  it('kafka-1.1: offset commits count', () => {
    const rules = rulesOf('kafka-1.1')
    const offsets = [offsetRecord(true), markerRecord('commit')]
    const remembered = (logStart: number) => retained(rules, producersOf(rules, offsets), offsets, logStart)
    expect([remembered(0).length, remembered(1).length]).toEqual([1, 0])
  })
})
