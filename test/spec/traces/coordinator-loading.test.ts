/** How far a new coordinator reads its log, where a record was not yet replicated. */
import { describe, expect, it } from 'vitest'
import { presets } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import { failOver, live, workOfFirstTransaction } from './steps.ts'

const covered = 'records below the high watermark'
const keptAndRead = (count: number): NamedStep => [
  'FailOver',
  { id: 0 },
  { 'the record not yet replicated is': 'kept', [covered]: count },
]

describe.each(presets)('%s: a decision that is not yet replicated when the coordinator moves', (preset) => {
  const decided = (loadsUpTo: 'log end' | 'high watermark') =>
    new Behaviour({ preset, coordinatorFailovers: 2, flags: { loadsUpTo } }).take(
      ...workOfFirstTransaction(preset),
      ['HandleEndTxn', live()],
    )

  it('is in effect at once where the log is read to its end, and can be lost by the next move', () => {
    const run = decided('log end')
    expect(Object.keys(run.options(failOver()))).toEqual(['the record not yet replicated is'])
    run.take(failOver('kept'))
    expect(run.coordinator).toMatch(/^PrepareCommit.* -> CompleteCommit$/)
    run.take(failOver('lost'))
    expect(run.coordinator).toBe('Ongoing(0){0,1} last -1')
  })

  it('is not in effect where it is above the high watermark, and the next coordinator may read it', () => {
    const run = decided('high watermark').take(keptAndRead(0))
    expect([run.coordinator, run.record]).toEqual(['Ongoing(0){0,1} last -1', 'Ongoing(0){0,1}'])
    run.take(keptAndRead(1))
    expect(run.coordinator).toMatch(/^PrepareCommit.* -> CompleteCommit$/)
    expect(run.record).toMatch(/^PrepareCommit/)
  })

  it('is in effect where the high watermark has reached it, and no move can lose it', () => {
    const run = decided('high watermark').take(keptAndRead(1))
    expect(run.record).toMatch(/^PrepareCommit/)
    run.take(failOver())
    expect(run.coordinator).toMatch(/^PrepareCommit.* -> CompleteCommit$/)
  })
})
