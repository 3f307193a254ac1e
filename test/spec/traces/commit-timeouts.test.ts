/** commitTransaction times out: what each way to go on does, and what becomes of the commit that is under way. */
import { describe, expect, it } from 'vitest'
import type { KafkaConfig } from '../../../spec/config.ts'
import type { PresetName } from '../../../spec/presets.ts'
import { presets, presetsWith } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import { complete, decide, getEpoch, live, replicateLog, workOfFirstTransaction } from './steps.ts'

const timeOut: NamedStep = ['TimeOutCall', { client: 0 }]
const arriving: NamedStep = [
  'TimeOutCall',
  { client: 0 },
  { 'how many of the requests on the wire still arrive': 1 },
]
const arrivingAfterClose: NamedStep = [
  'TimeOutCall',
  { client: 0 },
  { 'requests that still arrive': ['EndTxn of s1.1 to coordinator'] },
]
const lateEnd: NamedStep = ['HandleEndTxn', { client: 0, copy: 'late' }]
const join: readonly NamedStep[] = [
  ['JoinGroup', { client: 0 }],
  ['FetchOffsets', { client: 0 }],
]

const waiting = (onCommitTimeout: KafkaConfig['onCommitTimeout'], preset: PresetName = 'kafka-4.4') =>
  new Behaviour({ preset, inputs: 2, callTimeouts: 1, restarts: 1, onCommitTimeout }).take(
    ...workOfFirstTransaction(preset),
  )
const position = ({ state }: Behaviour) => state.instance[0]!.position

describe.each(presets)('%s: a commit that times out', (preset) => {
  it('and is called again waits for the same request', () => {
    const before = waiting('commit again', preset)
    const run = waiting('commit again', preset).take(timeOut)
    expect(run.state.connection).toEqual(before.state.connection)
    expect(run.take(...decide()).reply()).toMatch(/^NONE/)
  })

  it.each(['abort', 'new producer, offsets read again'] as const)(
    'and then %s: closes the producer',
    (policy) => {
      const run = waiting(policy, preset).take(timeOut)
      expect(run.client()).toBe('closed')
      run.take(...getEpochAfterAbort(), ...join)
      expect(position(run)).toBe(0)
    },
  )

  it.each([
    ['new producer, assume committed', 1],
    ['new producer, assume aborted', 0],
  ] as const)('and then %s: goes on with input %i, whatever is committed', (policy, input) => {
    const aborted = waiting(policy, preset).take(timeOut, ...getEpochAfterAbort(), ...join)
    expect([position(aborted), aborted.group]).toEqual([input, 'generation 2, committed 0'])
    const committed = waiting(policy, preset).take(arrivingAfterClose, lateEnd, replicateLog, ...complete)
    committed.take(...getEpoch(), ...join)
    expect([position(committed), committed.group]).toEqual([input, 'generation 2, committed 1'])
  })
})

/** A new session finds the transaction open: it is aborted first. */
const getEpochAfterAbort = (): readonly NamedStep[] => [
  ['Start', { client: 0 }],
  ['HandleInitProducerId', live()],
  replicateLog,
  ...complete,
  ['HandleInitProducerId', live()],
  replicateLog,
]

describe('an abort by force after a commit that timed out', () => {
  it.each(presets)('%s: overtakes the commit', (preset) => {
    const run = waiting('abort by force', preset).take(arriving, ...decide())
    expect([run.reply(), run.record]).toEqual([
      expect.stringMatching(/^NONE/),
      expect.stringMatching(/^PrepareAbort/),
    ])
  })

  it.each(presets)('%s: is refused when the commit was executed, and the producer is closed', (preset) => {
    const run = waiting('abort by force', preset).take(arriving, lateEnd, replicateLog, ...complete)
    expect(run.take(['HandleEndTxn', live()]).reply()).toBe('INVALID_TXN_STATE')
    expect(run.client()).toBe('closed')
  })

  const next = (preset: PresetName) =>
    waiting('abort by force', preset).take(arriving, ...decide(), ...complete, [
      'FetchOffsets',
      { client: 0 },
    ])

  it.each(presetsWith(({ clientVersion }) => clientVersion === 1))(
    '%s: leaves the commit to the next transaction, which has the same epoch',
    (preset) => {
      const run = next(preset).take(['HandleAddPartitions', live()], replicateLog, lateEnd)
      expect(run.coordinator).toMatch(/-> PrepareCommit$/)
    },
  )

  it.each(presetsWith(({ clientVersion }) => clientVersion === 2))(
    '%s: has raised the epoch, and the commit is refused',
    (preset) => {
      const run = next(preset)
      const { record } = run
      expect(run.take(lateEnd).record).toBe(record)
      expect(run.coordinator).toMatch(/^CompleteAbort\(1\).*last 0$/)
    },
  )
})
