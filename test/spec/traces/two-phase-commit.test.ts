/** Transactions that an external store decides (KIP-939), step by step. */
import { describe, expect, it } from 'vitest'
import type { KafkaConfig } from '../../../spec/config.ts'
import { presets } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  abortTimedOut,
  addFirst,
  begin,
  commitOffsets,
  complete,
  crash,
  decide,
  getEpoch,
  live,
  produceFirst,
  replicateLog,
} from './steps.ts'

const initialise: NamedStep = ['HandleInitProducerId', live()]
const start: NamedStep = ['Start', { client: 0 }]
const decideExternally: NamedStep = ['DecideExternally', { client: 0 }]
const store = (decision: 'commit' | 'abort'): NamedStep => [
  ...(decideExternally as [string, { client: number }]),
  { 'the external store decides': decision },
]

describe.each(presets.filter((preset) => preset.startsWith('kafka-4')))('%s: an external store', (preset) => {
  const initialised = (config: Partial<KafkaConfig> = {}) =>
    new Behaviour({ preset, inputs: 1, twoPhaseCommit: true, ...config }).take(start, initialise)
  const prepared = (config: Partial<KafkaConfig> = {}) => {
    const [, ...rest] = getEpoch()
    const run = initialised(config).take(...rest, ...begin())
    return run.take(...addFirst(preset), ...produceFirst(preset), ...commitOffsets(preset))
  }

  it('cannot have its transaction kept: the application goes on without', () => {
    const run = initialised()
    expect([run.reply(), run.coordinator]).toEqual(['UNSUPPORTED_VERSION', 'unknown'])
    const [request] = run.state.connection[0]!.coordinator.requests
    expect(request).toMatchObject({ kind: 'InitProducerId', enable2Pc: true })
    expect(request).not.toHaveProperty('keepPreparedTxn')
  })

  it('decides what is prepared; the coordinator knows nothing of that, and does not time it out', () => {
    const run = prepared({ transactionTimeouts: 1 })
    expect([run.client(), run.record, run.state.connection[0]!.coordinator.requests]).toEqual([
      'running, prepared, epoch 0',
      'Ongoing(0){0,1}',
      [],
    ])
    expect(run.blockedBy(abortTimedOut)).toBe('a transaction is open and nothing is pending')
    expect(run.options(decideExternally)).toEqual({ 'the external store decides': ['commit', 'abort'] })
  })

  it('commits, and so does Kafka', () => {
    const run = prepared().take(store('commit'), ...decide(), ...complete)
    expect([run.client(), run.group, run.state.ghost.external]).toEqual([
      'finished',
      'generation 1, committed 1',
      { 's1.1': 'commit' },
    ])
  })

  it('aborts, and so does Kafka', () => {
    const run = prepared().take(store('abort'), ...decide(), ...complete)
    expect([run.group, run.state.ghost.decisions]).toEqual(['generation 1, committed 0', { 's1.1': 'abort' }])
  })

  it('has committed what the next session aborts, if the application crashes in between', () => {
    const run = prepared({ crashes: 1, restarts: 1 }).take(store('commit'), crash(), start, initialise)
    expect(run.reply()).toBe('UNSUPPORTED_VERSION')
    run.take(initialise, replicateLog)
    expect(run.record).toMatch(/^PrepareAbort/)
    expect([run.state.ghost.external, run.state.ghost.decisions]).toEqual([
      { 's1.1': 'commit' },
      { 's1.1': 'abort' },
    ])
  })

  it('has committed, and Kafka too, if the request of the crashed application still arrives first', () => {
    const run = prepared({ crashes: 1, restarts: 1 }).take(store('commit'))
    run.take(
      crash(0, 'EndTxn of s1.1 to coordinator'),
      ['HandleEndTxn', { client: 0, copy: 'late' }],
      replicateLog,
    )
    expect(run.state.ghost.decisions).toEqual({ 's1.1': 'commit' })
  })
})
