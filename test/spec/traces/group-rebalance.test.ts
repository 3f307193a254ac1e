/** Rebalances among living instances: who is refused how, and the way back into the group. */
import { describe, expect, it } from 'vitest'
import { presetsWith } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import { append, committing, fetch, given, inLogOf, refused, takeOver } from './group-steps.ts'
import {
  abortTimedOut,
  addFirst,
  commitOffsets,
  complete,
  crash,
  decide,
  live,
  offsets,
  output,
  produceFirst,
  replicateLog,
  workOfFirstTransaction,
} from './steps.ts'

const fencing = presetsWith(({ groupFencing }) => groupFencing)
const exact = presetsWith(({ memberEpochCheck }) => memberEpochCheck === 'exact')
const lenient = presetsWith(({ memberEpochCheck }) => memberEpochCheck === 'since assignment')
const join = (client: number): NamedStep => ['JoinGroup', { client }]
const joinIdle: NamedStep = ['JoinIdle']
const expire = (client: number): NamedStep => ['ExpireMember', { client }]
const answer = (run: Behaviour, client = 0) => run.reply({ client, partition: offsets })
const membersOf = (run: Behaviour) => run.state.group.members

describe.each(fencing)('%s: an owner that was replaced', (preset) => {
  const aborted = (rebalances: number) =>
    committing(preset, { rebalances }).take(...takeOver, fetch(1), ...refused(preset), ...decide())

  it('is closed after its abort when no rebalance is left', () => {
    expect(aborted(1).client(0)).toBe('closed')
  })

  it('takes the partition back while rebalances are left; the other learns of it in the same way', () => {
    const run = aborted(2).take(...complete)
    expect([run.client(0).split(',')[1], run.state.budget.rebalances]).toEqual([' joining', 0])
    run.take(join(0), fetch(0))
    expect([run.state.group.generation, membersOf(run), run.state.instance[0]!.position]).toEqual([
      3,
      [2, 3],
      0,
    ])
    const work = [...addFirst(preset, 1), ...produceFirst(preset, 1), ...addFirst(preset, 1)]
    run.take(inLogOf(1, [['HandleInitProducerId', live(1)], replicateLog, ...work, ...refused(preset, 1)]))
    expect(answer(run, 1)).toBe('ILLEGAL_GENERATION')
  })
})

describe.each(fencing)('%s: a member whose session times out while it pauses', (preset) => {
  const resumed = () =>
    committing(preset, { pauses: 1 }).take(['Pause', { client: 0 }], expire(0), ...refused(preset), [
      'Resume',
      { client: 0 },
    ])

  it('is refused as unknown, although nobody else has its partition', () => {
    const run = resumed()
    expect([membersOf(run), run.state.connection[0]!.partition[offsets]!.replies[0]?.error]).toEqual([
      [],
      'UNKNOWN_MEMBER_ID',
    ])
  })

  it('aborts and joins again as another member', () => {
    const run = resumed().take(
      ['ReceiveReply', { client: 0, broker: offsets }],
      ...decide(),
      ...complete,
      join(0),
    )
    expect([run.group, membersOf(run)]).toEqual(['generation 3, committed 0', [3]])
    expect(run.take(fetch(0)).state.instance[0]).toMatchObject({ memberId: 3, generation: 3, position: 0 })
  })
})

describe.each(fencing)('%s: a classic owner in whose group another has joined', (preset) => {
  it('is refused if it names the generation before, and goes on when it knows the new one', () => {
    const run = committing(preset).take(joinIdle, ...refused(preset))
    expect([answer(run), membersOf(run)]).toEqual(['ILLEGAL_GENERATION', [1]])
    run.take(...decide(), ...complete, join(0))
    expect(run.state.instance[0]).toMatchObject({ memberId: 1, generation: 2, phase: 'fetching' })
  })
})

describe('the owner of a consumer group in which another has joined', () => {
  const commit = (preset: (typeof fencing)[number]) =>
    committing(preset, { groupProtocol: 'consumer' }).take(joinIdle, ...refused(preset))

  it.each(exact)('%s: is refused with its older epoch', (preset) => {
    expect(answer(commit(preset))).toBe('ILLEGAL_GENERATION')
  })

  it.each(lenient)(
    '%s: may commit with its older epoch, for the partition was its own all the time',
    (preset) => {
      expect(commit(preset).group).toBe('generation 2, committed 0, pending 1')
    },
  )
})

describe.each([...exact, ...lenient])('%s: in a consumer group', (preset) => {
  it('nobody gets a partition before its owner is removed, which is then unknown', () => {
    const run = committing(preset, { groupProtocol: 'consumer' }).take(...takeOver, fetch(1))
    expect(membersOf(run)).toEqual([2])
    run.take(...refused(preset))
    expect(answer(run)).toBe('UNKNOWN_MEMBER_ID')
  })

  it('a member that was removed does not get the committed offset', () => {
    const run = new Behaviour({
      ...{ preset, instances: 2, transactionalIds: 'own', rebalances: 1 },
      ...{ fetchOffsets: 'before init', groupProtocol: 'consumer' },
    })
    run.take(['Start', { client: 0 }], join(0), ...takeOver, fetch(0))
    expect([run.client(0), given(run)]).toEqual(['closed', 0])
  })

  it(`a commit by the group's id alone is ${lenient.includes(preset) ? 'accepted' : 'refused'}`, () => {
    const config = { groupProtocol: 'consumer', groupMetadata: 'group id only' } as const
    const run = committing(preset, config).take(...refused(preset))
    const isAccepted = lenient.includes(preset)
    expect([answer(run), run.group]).toEqual(
      isAccepted
        ? ['none', 'generation 1, committed 0, pending 1']
        : ['UNKNOWN_MEMBER_ID', 'generation 1, committed 0'],
    )
  })
})

describe.each(fencing)('%s: instances with a transactional.id each', (preset) => {
  it('have producer ids, coordinators and logs of their own: a new session fences nobody', () => {
    const run = committing(preset).take(...append(preset), ['StartBeside', { client: 1 }], join(1))
    expect(run.recordOf(0)).toBe('Ongoing(0){0,1}')
    expect(run.take(...decide(), ...complete, fetch(1)).state.instance[1]!.position).toBe(1)
    run.take(...inLogOf(1, [['HandleInitProducerId', live(1)], replicateLog]))
    expect([run.coordinatorOf(1), run.client(1)]).toEqual([
      expect.stringMatching(/^Empty\(1:0\)/),
      expect.stringMatching(/epoch 1:0$/),
    ])
  })

  it('leave the transaction of one that has crashed open until its timeout; its successor waits for that', () => {
    const run = new Behaviour({
      ...{ preset, transactionalIds: 'fresh', crashes: 1, restarts: 1, transactionTimeouts: 1 },
      fetchOffsets: 'before init',
    })
    run.take(['Start', { client: 0 }], join(0), fetch(0), ['HandleInitProducerId', live()], replicateLog)
    run.take(...addFirst(preset), ...produceFirst(preset), ...commitOffsets(preset), crash())
    run.take(['Start', { client: 0 }], join(0))
    expect([run.state.instance[0]!.transactionalId, run.blockedBy(fetch(0))]).toEqual([
      1,
      'the offset is stable',
    ])
    run.take(abortTimedOut, replicateLog, ...complete, fetch(0))
    expect([run.state.instance[0]!.position, run.log(output).length]).toEqual([0, 2])
  })
})

describe('without verification of the group', () => {
  it('kafka-1.1: an owner that was replaced finishes its work as if nothing had happened', () => {
    const run = new Behaviour({ preset: 'kafka-1.1', instances: 2, transactionalIds: 'own', rebalances: 1 })
    run.take(...workOfFirstTransaction('kafka-1.1'), ['StartBeside', { client: 1 }])
    run.take(...inLogOf(1, [['HandleInitProducerId', live(1)], replicateLog]), join(1), ...decide())
    expect(run.take(...complete).group).toBe('generation 2, committed 1')
  })
})
