/** What a new owner of the input partition sees of the one before it, which is alive and does not know. */
import { describe, expect, it } from 'vitest'
import { presetsWith } from '../protocol/rules.ts'
import { append, committing, fetch, given, refused, takeOver } from './group-steps.ts'
import { advance, complete, decide, live, mark, offsets, output, replicateLog, timeOut } from './steps.ts'

const unstable = 'the offset is stable'

describe.each(presetsWith(({ groupFencing }) => groupFencing))('%s: the old owner', (preset) => {
  it('has nothing in the offsets: the offset is given at once, and its late commit is refused', () => {
    const run = committing(preset).take(...takeOver)
    expect(given(run)).toBe(0)
    run.take(...refused(preset))
    expect(run.reply({ partition: offsets })).toBe('ILLEGAL_GENERATION')
    expect(run.group).toBe('generation 2, committed 0')
    expect(run.state.connection[0]!.coordinator.requests).toMatchObject([{ kind: 'EndTxn', result: 'abort' }])
    // Without a record there its transaction has the offsets' partition all the same.
    expect(run.recordOf(0)).toBe('Ongoing(0){0,1}')
    run.take(...decide(), ...complete)
    expect([run.client(0), run.log(output)[1], run.log(offsets)[0]?.slice(0, 5)]).toEqual([
      'closed',
      expect.stringMatching(/^abort/),
      'abort',
    ])
  })

  it('has committed its offset and not ended: unstable until its commit, then the right value', () => {
    const run = committing(preset).take(...append(preset), ...takeOver)
    expect([run.group, given(run)]).toEqual(['generation 2, committed 0, pending 1', unstable])
    run.take(...decide(), ...complete)
    expect(given(run)).toBe(1)
  })

  it('has committed its offset and not ended: unstable until its timeout, then the old value', () => {
    const run = committing(preset).take(...append(preset), ...takeOver, ...timeOut)
    expect(given(run)).toBe(unstable)
    run.take(...complete)
    expect(given(run)).toBe(0)
  })

  it('has its end decided: unstable until the marker is written and replicated', () => {
    const run = committing(preset).take(...append(preset), ...decide(), ...takeOver, ...mark(output))
    expect(given(run)).toBe(unstable)
    run.take(['AppendMarker', { partition: offsets }])
    expect(given(run)).toBe('the offset is replicated')
    run.take(advance(offsets))
    expect(given(run)).toBe(1)
  })
})

describe.each([
  { preset: 'kafka-1.1', flags: {} },
  { preset: 'kafka-2.5', flags: { requireStable: false } },
  { preset: 'kafka-3.9', flags: { requireStable: false } },
  { preset: 'kafka-4.4', flags: { requireStable: false } },
] as const)('$preset without require_stable: the new owner', ({ preset, flags }) => {
  it('is given a stale offset, and the input is processed twice', () => {
    const run = committing(preset, { flags }).take(...append(preset), ...takeOver)
    expect(given(run)).toBe(0)
    run.take(...decide(), ...complete)
    expect([run.group, run.state.instance[1]!.position]).toEqual(['generation 2, committed 1', 0])
  })
})

describe.each(['kafka-1.1', 'kafka-2.5', 'kafka-4.4'] as const)('%s, the group id only', (preset) => {
  it('lets the commit of the old owner in, whatever the new one has been given', () => {
    const run = committing(preset, { groupMetadata: 'group id only' }).take(...takeOver)
    expect(given(run)).toBe(0)
    run.take(...append(preset), ...decide(), ...complete)
    expect([run.group, run.state.instance[1]!.position]).toEqual(['generation 2, committed 1', 0])
    expect(run.state.partition[offsets]!.log[0]).toMatchObject({ kind: 'offset', generation: 1 })
  })
})

describe.each(presetsWith(({ groupFencing }) => groupFencing))(
  '%s: one transactional.id for both',
  (preset) => {
    it('ends the transaction of the old owner before the new one has an epoch', () => {
      const run = committing(preset, { transactionalIds: 'shared' }).take(...takeOver, fetch(1))
      run.take(['HandleInitProducerId', live(1)], replicateLog)
      expect(run.record).toMatch(/^PrepareAbort/)
      expect(run.blockedBy(['HandleInitProducerId', live(1)])).toBe('no transition is pending')
    })
  },
)
