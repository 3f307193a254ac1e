/** Each part of the properties of logs: a state that violates just it, and one beside it that does not. */
import { describe, expect, it } from 'vitest'
import type { LogRecord } from '../../../spec/state.ts'
import {
  type Case,
  type Change,
  data,
  decided,
  log,
  marker,
  offset,
  offsets,
  output,
  partition,
  told,
  verdict,
} from './judging.ts'

interface Row extends Omit<Case, 'changes'> {
  readonly property: string
  readonly part: string
  readonly bad: readonly Change[]
  readonly good: readonly Change[]
}

const outputLog = (...records: LogRecord[]): Change[] => [log(output, ...records)]
const commit = marker('commit', 's1.1')
const abort = marker('abort', 's1.1')
const second = data('s1.1', { sequence: 1, input: 1 })
const next = data('s1.2', { producerEpoch: 1 })
const whole = [log(output, data('s1.1'), commit), log(offsets, offset('s1.1'), commit)]

const rows: readonly Row[] = [
  {
    property: 'batches are in order, none twice',
    part: 'no sequence number of an epoch is used twice',
    bad: outputLog(data('s1.1'), data('s1.2', { input: 1 })),
    good: outputLog(data('s1.1'), data('s1.2', { input: 1, sequence: 1 })),
  },
  {
    property: 'batches are in order, none twice',
    part: 'no sequence number of an epoch is used twice',
    bad: outputLog(data('s1.1'), data('s1.2', { input: 1 })),
    good: [...outputLog(data('s1.1'), data('s1.2', { input: 1 })), partition(output, { logStart: 1 })],
  },
  {
    property: 'batches are in order, none twice',
    part: 'no batch is in the log twice',
    bad: outputLog(data('s1.1'), data('s1.1', { sequence: 1 })),
    good: outputLog(data('s1.1'), data('s1.1', { sequence: 1, part: 1 })),
  },
  {
    property: 'batches are in order, none twice',
    part: "a session's batches are in the order of sending",
    bad: outputLog(data('s1.1', { input: 1 }), data('s1.1', { sequence: 1 })),
    good: outputLog(data('s1.1', { input: 1 }), data('s2.1', { sequence: 1 })),
  },
  {
    property: 'sequences have no gaps',
    part: 'the first sequence of an epoch is 0',
    bad: outputLog(data('s1.1', { sequence: 1 })),
    good: outputLog(data('s1.1')),
  },
  {
    property: 'sequences have no gaps',
    part: 'each sequence follows the one before',
    bad: outputLog(data('s1.1'), data('s1.1', { sequence: 2 })),
    good: outputLog(data('s1.1'), second),
  },
  {
    property: 'last stable offset <= high watermark <= log end',
    part: 'the high watermark is not above the log end',
    bad: [...outputLog(data('s1.1'), commit), partition(output, { highWatermark: 3 })],
    good: [...outputLog(data('s1.1'), commit), partition(output, { highWatermark: 1 })],
  },
  {
    property: 'aborted and open records stay invisible',
    part: 'it was closed as part of its own transaction',
    bad: outputLog(data('s1.2'), commit),
    good: outputLog(data('s1.1'), commit),
  },
  {
    property: 'transactions do not mix',
    part: 'from the first record to the marker all are of one transaction',
    bad: outputLog(data('s1.1'), data('s1.2', { sequence: 1 }), commit),
    good: outputLog(data('s1.1'), commit, next),
  },
  {
    property: 'transactions do not mix',
    part: 'no record follows the marker of its transaction',
    bad: outputLog(data('s1.1'), commit, data('s1.1', { producerEpoch: 1 })),
    good: outputLog(data('s1.1'), second, commit),
  },
  {
    property: 'an epoch is of one transaction',
    part: 'no two transactions have records of one epoch',
    bad: [...outputLog(data('s1.1'), commit), log(offsets, offset('s1.2'))],
    good: [...outputLog(data('s1.1'), commit), log(offsets, offset('s1.2', { producerEpoch: 1 }))],
  },
  {
    property: 'a transaction takes effect everywhere or nowhere',
    part: 'of what it wrote all is visible, or nothing',
    bad: [log(output, data('s1.1'), abort), log(offsets, offset('s1.1'), commit)],
    good: whole,
  },
  {
    property: 'a transaction takes effect everywhere or nowhere',
    part: 'of what it wrote all is visible, or nothing',
    bad: outputLog(data('s1.1'), commit),
    good: outputLog(data('s1.1'), abort),
  },
  {
    property: 'reported outcomes are what readers see',
    part: 'nothing of a reported abort is visible',
    bad: [...whole, told({ 's1.1': 'abort' })],
    good: [...outputLog(data('s1.1'), abort), told({ 's1.1': 'abort' })],
  },
  {
    property: 'reported outcomes are what readers see',
    part: 'all of a reported commit is visible',
    bad: [...outputLog(data('s1.1'), commit), told({ 's1.1': 'commit' })],
    good: [...whole, told({ 's1.1': 'commit' })],
  },
  {
    property: 'reported outcomes are what readers see',
    part: 'all of a reported commit is visible',
    bad: [told({ 's1.1': 'commit' })],
    good: [told({ 's1.1': 'abort' })],
  },
  {
    property: 'records are closed as their transaction was decided',
    part: 'the marker that closes it says what was decided',
    bad: [...outputLog(data('s1.1'), abort), decided({ 's1.1': 'commit' })],
    good: [...outputLog(data('s1.1'), abort), decided({ 's1.1': 'abort' })],
  },
  {
    property: 'records are closed as their transaction was decided',
    part: 'the marker that closes it says what was decided',
    bad: outputLog(data('s1.1'), commit),
    good: outputLog(data('s1.1')),
  },
  {
    property: 'markers follow the decision',
    part: 'a marker is written only for a durable decision, and says the same',
    bad: outputLog(commit),
    good: [...outputLog(commit), decided({ 's1.1': 'commit' })],
  },
  {
    property: 'fenced sessions write nothing visible',
    part: 'it was not appended after a later session had its epoch',
    bad: [log(offsets, offset('s1.1', { fenced: true }), commit)],
    good: [log(offsets, offset('s1.1', { fenced: true }), abort)],
  },
  {
    property: 'no earlier owner replaces an offset of a later one',
    part: 'the offset is of the same or a later generation',
    bad: [
      log(
        offsets,
        offset('s2.1', { producerId: 1, generation: 2 }),
        marker('commit', 's2.1', { producerId: 1 }),
        offset('s1.1'),
        commit,
      ),
    ],
    good: [
      log(
        offsets,
        offset('s1.1'),
        commit,
        offset('s2.1', { producerId: 1, generation: 2 }),
        marker('commit', 's2.1', { producerId: 1 }),
      ),
    ],
  },
  {
    property: 'the group knows the offsets of its log',
    part: 'the committed offset is that of the log',
    bad: [log(offsets, offset('s1.1'), commit), ({ group }) => Object.assign(group, { committed: 2 })],
    good: [log(offsets, offset('s1.1'), commit)],
  },
  {
    property: 'the group knows the offsets of its log',
    part: 'a pending offset is of an open transaction',
    bad: [log(offsets, offset('s1.1')), partition(offsets, { producers: [] })],
    good: [log(offsets, offset('s1.1'))],
  },
  {
    property: 'the group knows the offsets of its log',
    part: 'no pending offset is missing',
    bad: [log(offsets, offset('s1.1')), ({ group }) => Object.assign(group, { pending: [] })],
    good: [log(offsets, offset('s1.1'), abort)],
  },
]

describe.each(rows)("'$property': $part", ({ property, part, bad, good, ...about }) => {
  it('is violated', () => expect(verdict(property, { ...about, changes: bad })).toBe(part))
  it('holds', () => expect(verdict(property, { ...about, changes: good })).toBe('holds'))
})

describe('what is open or unreplicated settles nothing', () => {
  it.each(['a transaction takes effect everywhere or nowhere', 'reported outcomes are what readers see'])(
    "'%s' waits for the markers",
    (property) => {
      const open = [log(output, data('s1.1'), commit), log(offsets, offset('s1.1'))]
      expect(verdict(property, { changes: open })).toBe('not given')
      const unreplicated = [...whole, partition(output, { highWatermark: 1 })]
      expect(verdict(property, { changes: unreplicated })).toBe('not given')
    },
  )
})

describe('acknowledgements', () => {
  const asked = (config: Case['config']) =>
    verdict(
      'acknowledged batches are in the log',
      config === undefined ? { changes: [] } : { config, changes: [] },
    )

  it('are remembered where records can be lost, or no transaction ends', () => {
    expect(asked({ leaderChanges: 1 })).toBe('holds')
    expect(asked({ uncleanElections: 1 })).toBe('holds')
    expect(asked({ application: 'produce', producer: 'idempotent' })).toBe('holds')
    expect(asked(undefined)).toBe('not promised')
  })

  it('there are none with acks=0', () => {
    expect(asked({ application: 'produce', producer: 'plain', acks: '1' })).toBe('holds')
    expect(asked({ application: 'produce', producer: 'plain', acks: '0' })).toBe('not promised')
  })
})

describe('what a version does not promise', () => {
  it.each([
    ['an epoch is of one transaction', 'kafka-4.4-tv1'],
    ['transactions do not mix', 'kafka-2.5'],
    ['transactions begin with the knowledge of the coordinator', 'kafka-2.5'],
    ['no earlier owner replaces an offset of a later one', 'kafka-1.1'],
    ['a fetched offset stands', 'kafka-1.1'],
  ])("'%s' is not asked of %s", (property, preset) => {
    expect(verdict(property, { preset, changes: [] })).toBe('not promised')
    expect(verdict(property, { changes: [] })).not.toBe('not promised')
  })
})
