/** The read-process-write loop without transactions, and producers that ask for too long a transaction timeout. */
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../checker/errors.ts'
import { prepare } from '../../../checker/prepare.ts'
import type { KafkaConfig } from '../../../spec/config.ts'
import { kafka } from '../../../spec/model.ts'
import { presets } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import { advance, begin, crash, handleOffsets, handleProduce, late, live, offsets, output } from './steps.ts'

const start = (client = 0): NamedStep => ['Start', { client }]
const initialise = (client = 0): NamedStep => ['HandleInitProducerId', live(client)]
const produce = (client = 0): readonly NamedStep[] => [handleProduce(client), advance(output)]
const commit = (client = 0): readonly NamedStep[] => [handleOffsets(client), advance(offsets)]

/** Up to the first input, with the offset at 0. */
function looping(
  offsetCommits: KafkaConfig['offsetCommits'],
  producer: KafkaConfig['producer'],
  config: Partial<KafkaConfig> = {},
): Behaviour {
  const run = new Behaviour({ preset: 'kafka-4.4', producer, offsetCommits, ...config })
  return run.take(start(), ...(producer === 'idempotent' ? [initialise()] : []), begin())
}

describe.each(['plain', 'idempotent'] as const)('a loop with a %s producer', (producer) => {
  it('commits the offset when the output is acknowledged, if it does so after it', () => {
    const run = looping('after the output', producer)
    expect(run.possible).toContain('HandleProduce')
    expect(run.possible).not.toContain('HandleOffsetCommit')
    run.take(handleProduce())
    expect(run.blockedBy(handleOffsets())).toBe('a request of this kind has arrived')
    run.take(advance(output), commit(), produce(), commit())
    expect([run.group, run.client()]).toEqual(['generation 1, committed 2', 'finished'])
  })

  it('writes the output when the offset is committed, if it does so before it', () => {
    const run = looping('before the output', producer)
    expect(run.possible).toContain('HandleOffsetCommit')
    expect(run.possible).not.toContain('HandleProduce')
    run.take(commit(), produce(), commit(), produce())
    expect([run.group, run.log(output).length, run.client()]).toEqual([
      'generation 1, committed 2',
      2,
      'finished',
    ])
  })

  it('goes on where the committed offset says after a crash', () => {
    const config = { crashes: 1, restarts: 1 }
    const begun = (run: Behaviour) =>
      run.take(crash(), start(), ...(producer === 'idempotent' ? [initialise()] : []), begin()).state
        .instance[0]!.position
    expect(begun(looping('after the output', producer, config).take(produce()))).toBe(0)
    expect(begun(looping('before the output', producer, config).take(commit()))).toBe(1)
  })

  it('ends with a send that fails: no offset is committed for it', () => {
    const run = looping('after the output', producer, { deliveryTimeouts: 1 })
    run.take(['ExpireBatch', { client: 0, partition: output }])
    expect([run.client(), run.possible.includes('HandleOffsetCommit')]).toEqual(['closed', false])
  })

  it('ends with a commit that is refused: another owner has the partition', () => {
    const run = looping('before the output', producer, { instances: 2, rebalances: 1 })
    run.take(['StartBeside', { client: 1 }], ...(producer === 'idempotent' ? [initialise(1)] : []), begin(1))
    expect(run.take(handleOffsets()).reply({ partition: offsets })).toBe('ILLEGAL_GENERATION')
    expect([run.client(), run.log(output)]).toEqual(['closed', []])
  })

  it('has an earlier commit of its own take the offset back, if that comes late', () => {
    const run = looping('before the output', producer, { lateRequests: 1 })
    run.take(['DelayRequest', { client: 0, broker: offsets }], commit(), produce(), commit())
    expect(run.group).toBe('generation 1, committed 2')
    expect(run.take(['HandleOffsetCommit', late()]).group).toBe('generation 1, committed 1')
  })
})

it.each([
  { producer: 'plain', offsetCommits: 'in the transaction' },
  { producer: 'transactional', offsetCommits: 'after the output' },
])('$producer producers do not commit offsets $offsetCommits', (config) => {
  expect(() => prepare(kafka, config)).toThrow(UsageError)
})

describe.each(presets)('%s: a transaction timeout above the maximum', (preset) => {
  it('is refused before anything is written, and ends the session', () => {
    const run = new Behaviour({ preset, transactionTimeout: 'above the maximum' }).take(start(), initialise())
    expect([run.reply(), run.client(), run.coordinator, run.record]).toEqual([
      'INVALID_TRANSACTION_TIMEOUT',
      'closed',
      'unknown',
      'none',
    ])
  })
})

it('where an external store decides, no timeout is too long', () => {
  const config = { twoPhaseCommit: true, transactionTimeout: 'above the maximum' } as const
  const run = new Behaviour({ preset: 'kafka-4.4', ...config }).take(start(), initialise(), initialise())
  expect(run.client()).toBe('running, initialising, epoch -1')
})
