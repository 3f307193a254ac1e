/** How instances start, how often a session tries, and what is left when it ends. */
import { parse } from 'valibot'
import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../spec/config.ts'
import type { DefenceName } from '../../../spec/defences.ts'
import { kafka } from '../../../spec/model.ts'
import type { KafkaState } from '../../../spec/state.ts'
import { rulesOf, standardPresets } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  abortTimedOut,
  add,
  appendVerified,
  begin,
  commitOffsets,
  complete,
  crash,
  decide,
  getEpoch,
  live,
  mark,
  offsets,
  output,
  produceFirst,
  replicateLog,
  replyLost,
} from './steps.ts'

const survivors = 'requests that still arrive'

describe('the instances', () => {
  it('start in order, and none while another is known to be at work', () => {
    const run = new Behaviour({ instances: 3, pauses: 1, crashes: 1, restarts: 1 })
    const start = (client: number): NamedStep => ['Start', { client }]
    expect([1, 2].map((client) => run.blockedBy(start(client)))).toEqual([
      'the instances before it have started',
      'the instances before it have started',
    ])
    run.take(start(0))
    expect(run.blockedBy(start(1))).toBe('no other instance is known to be at work')
    run.take(['Pause', { client: 0 }])
    expect(run.blockedBy(start(2))).toBe('the instances before it have started')
    run.take(start(1), crash(1), start(2))
    expect(run.state.instance.map(({ status, session }) => `${status} ${session}`)).toEqual([
      'paused 1',
      'crashed 0',
      'running 3',
    ])
  })
})

describe.each(standardPresets)('%s: a session that may begin two transactions', (preset) => {
  const adds = preset === 'kafka-3.9' ? [...add()] : []
  const work = [...adds, ...produceFirst(preset), ...commitOffsets(preset), ...decide(), ...complete]

  it('finishes with its last input in the second', () => {
    const run = new Behaviour({ preset, attempts: 2 }).take(...getEpoch(), ...begin(), ...work, ...work)
    expect([run.client(), run.group]).toEqual(['finished', 'generation 1, committed 2'])
  })

  it('closes with an input left if the first was aborted, whatever the second did', () => {
    const run = new Behaviour({ preset, attempts: 2, applicationAborts: 1 }).take(...getEpoch(), ...begin())
    run.take(['AbandonTransaction', { client: 0 }])
    if (preset === 'kafka-3.9') run.take(...add(), ...decide(), ...mark(output), replicateLog)
    else run.take(...work)
    run.take(['FetchOffsets', { client: 0 }])
    expect(run.state.instance[0]).toMatchObject({ position: 0, transaction: 2 })
    run.take(...work)
    expect([run.client(), run.group, run.record.split('(')[0]]).toEqual([
      'closed',
      'generation 1, committed 1',
      'CompleteCommit',
    ])
  })
})

describe('what a process that is gone has on the wire', () => {
  const working = (config: object) =>
    new Behaviour({ preset: 'kafka-4.4', crashes: 1, ...config }).take(...getEpoch(), ...begin())
  const produce = 'Produce #0 of s1.1 to partition-0'
  const commit = 'TxnOffsetCommit 1 of s1.1 to offsets'
  const rows = [
    { limit: 0, options: [[]] },
    { limit: 1, options: [[], [commit], [produce]] },
    { limit: 2, options: [[], [commit], [produce], [produce, commit]] },
  ]
  it.each(rows)('may arrive: at most $limit of two requests', ({ limit, options }) => {
    const run = working({ survivors: limit })
    expect(run.options(crash())).toEqual({ [survivors]: options })
    run.take(crash(0, ...options.at(-1)!))
    const late = run.state.connection[0]!.partition.flatMap((connection) => connection.late.flat())
    expect(late.map(({ kind }) => kind.split(' ')[0])).toEqual(
      options.at(-1)!.map((name) => name.split(' ')[0]),
    )
    expect(run.state.connection[0]!.partition.flatMap(({ requests }) => requests)).toEqual([])
  })

  it('may be one of two batches that differ only in their partition', () => {
    const run = working({ outputPartitions: 2 })
    const other = 'Produce #0 of s1.1 to partition-1'
    expect(run.options(crash())).toEqual({ [survivors]: [[], [commit], [other], [produce]] })
    run.take(crash(0, other))
    expect(run.state.connection[0]!.partition.map(({ late }) => late.length)).toEqual([0, 1, 0])
  })

  it('does not arrive a second time where a broker has begun with it: that goes on', () => {
    const run = working({}).take(['HandleOffsetCommit', live()])
    expect(run.options(crash())).toEqual({ [survivors]: [[], [produce]] })
    run.take(crash(), ['VerifyPartition', { partition: offsets }], replicateLog, appendVerified(offsets))
    expect([run.log(offsets), run.reply({ partition: offsets })]).toEqual([['offset 1'], 'none'])
  })

  it('is nothing where all is answered', () => {
    const run = new Behaviour({ preset: 'kafka-4.4', crashes: 1 }).take(...getEpoch())
    expect(run.options(crash())).toEqual({})
    expect(run.take(['Crash', { client: 0 }]).client()).toBe('crashed')
  })

  it('is chosen in the step that closes a producer, too', () => {
    const run = new Behaviour({ preset: 'kafka-3.9', transactionTimeouts: 1, lostReplies: 1 })
    run.take(...getEpoch(), ...begin(), ...add(), abortTimedOut)
    const addOffsets: NamedStep = ['HandleAddPartitions', live()]
    expect(run.options(addOffsets)).toEqual({
      'the reply to app-0': ['arrives', 'is lost'],
      [survivors]: [[], [produce]],
    })
    run.take([addOffsets[0], live(), { [survivors]: [produce] }])
    expect([run.reply(), run.client()]).toEqual(['PRODUCER_FENCED', 'closed'])
    expect(run.state.connection[0]!.partition[output]!.late).toMatchObject([
      [{ kind: 'Produce', sequence: 0 }],
    ])
  })
})

describe.each(standardPresets)('%s: a reply', (preset) => {
  const asking = (config: object) =>
    new Behaviour({ preset, ...config }).take(['Start', { client: 0 }], ['HandleInitProducerId', live()])

  it('may be lost only where the configuration says so', () => {
    expect(asking({}).options(replicateLog)).toEqual({})
    expect(asking({ lostReplies: 1 }).options(replicateLog)).toEqual({
      'the reply to app-0': ['arrives', 'is lost'],
    })
  })

  it('may be lost as often as the budgets allow, its own and that of all faults', () => {
    const lost = asking({ lostReplies: 1 }).take(replyLost(replicateLog), ['HandleInitProducerId', live()])
    expect(lost.options(replicateLog)).toEqual({})
    expect(lost.take(replicateLog).reply()).toBe('NONE (1)')
    const spent = new Behaviour({ preset, lostReplies: 1, pauses: 1, faults: 1 })
    spent.take(['Start', { client: 0 }], ['Pause', { client: 0 }], ['HandleInitProducerId', live()])
    expect(spent.options(replicateLog)).toEqual({})
  })

  it('is not on its way once it is lost: the request is, and what it did has been done', () => {
    const run = asking({ lostReplies: 1 }).take(replyLost(replicateLog))
    expect([run.record, run.reply(), run.client()]).toEqual([
      'Empty(0){}',
      'none',
      'running, initialising, epoch -1',
    ])
    expect(run.state.connection[0]!.coordinator).toMatchObject({
      requests: [{ kind: 'InitProducerId', executing: false }],
      replies: [],
      late: [],
    })
  })
})

describe.each(standardPresets)('%s: nothing more can happen', (preset) => {
  const config = {
    preset,
    instances: 2,
    outputPartitions: 1,
    crashes: 1,
    fetchOffsets: 'before init',
  } as const
  const { protects } = rulesOf(preset, { config })
  const { properTermination } = kafka.build(parse(configSchema, config), {
    defences: { has: (name) => protects(name as DefenceName) },
  })
  const isProper = (state: KafkaState) => properTermination?.(state)

  /** Instance 1 waits for the offset in the transaction of instance 0, which is gone; nothing ends it. */
  const waiting = () => {
    const run = new Behaviour(config).take(['Start', { client: 0 }], ['JoinGroup', { client: 0 }])
    run.take(['FetchOffsets', { client: 0 }], ['HandleInitProducerId', live()], replicateLog)
    run.take(...(preset === 'kafka-3.9' ? [...add(), ...add()] : []), ['HandleOffsetCommit', live()])
    run.take(['VerifyPartition', { partition: offsets }], ...(preset === 'kafka-3.9' ? [] : [replicateLog]))
    run.take(appendVerified(offsets), ['AdvanceHighWatermark', { partition: offsets }], crash())
    return run.take(['Start', { client: 1 }], ['JoinGroup', { client: 1 }])
  }

  it('while an instance waits for the timeout of the transaction that holds its offset', () => {
    const run = waiting()
    expect([run.possible, isProper(run.state)]).toEqual([[], true])
  })

  const stuck: { name: string; change: (state: KafkaState) => void }[] = [
    { name: 'its offset is stable', change: ({ group }) => Object.assign(group, { pending: [] }) },
    {
      name: 'it waits for something else',
      change: ({ instance }) => Object.assign(instance[1]!, { phase: 'initialising' }),
    },
    {
      name: 'the transaction is being ended',
      change: ({ coordinator }) => Object.assign(coordinator[0]!.entry!, { pendingState: 'PrepareAbort' }),
    },
    {
      name: 'no transaction is open',
      change: ({ coordinator }) => Object.assign(coordinator[0]!.entry!, { state: 'CompleteCommit' }),
    },
  ]
  it.each(stuck)('but it should if $name', ({ change }) => {
    const state = structuredClone(waiting().state)
    change(state)
    expect(isProper(state)).toBe(false)
  })

  it('when the work is done, or nobody is at work', () => {
    const state = structuredClone(waiting().state)
    Object.assign(state.instance[1]!, { phase: 'ending' })
    expect(isProper(state)).toBe(false)
    for (const status of ['finished', 'crashed', 'closed', 'paused'] as const) {
      Object.assign(state.instance[1]!, { status })
      expect(isProper(state)).toBe(true)
    }
  })
})
