/** Every standard scenario under both presets: verdicts and exact counts. */
import { describe, expect, it } from 'vitest'
import { check } from '../../checker/index.ts'
import { kafka, scenarios } from '../../spec/index.ts'
import type { PresetName } from '../../spec/presets.ts'

const minutes = 60_000

interface Pinned {
  readonly preset: PresetName
  readonly distinct: number
  readonly generated: number
  readonly depth: number
  /** The one property that the search finds violated, if any. */
  readonly violated?: string
}

const visible = 'aborted and open records stay invisible'
const atomic = 'output and offset are atomic'

const pinned: Record<string, readonly [Pinned, Pinned]> = {
  'read-process-write': [
    { preset: 'kafka-4.4', distinct: 6_540_472, generated: 25_024_217, depth: 107 },
    { preset: 'kafka-3.9', distinct: 822_178, generated: 3_475_782, depth: 44, violated: atomic },
  ],
  'two-faults': [
    { preset: 'kafka-4.4', distinct: 1_755_091, generated: 5_345_928, depth: 82 },
    { preset: 'kafka-3.9', distinct: 1_512_906, generated: 5_597_541, depth: 73 },
  ],
  'no-faults': [
    { preset: 'kafka-4.4', distinct: 651, generated: 1759, depth: 54 },
    { preset: 'kafka-3.9', distinct: 416, generated: 984, depth: 56 },
  ],
  'crash-and-restart': [
    { preset: 'kafka-4.4', distinct: 367_516, generated: 1_354_690, depth: 84 },
    { preset: 'kafka-3.9', distinct: 273_123, generated: 1_093_825, depth: 87 },
  ],
  zombie: [
    { preset: 'kafka-4.4', distinct: 178_696, generated: 458_923, depth: 98 },
    { preset: 'kafka-3.9', distinct: 66_643, generated: 198_811, depth: 71 },
  ],
  'transaction-timeout': [
    { preset: 'kafka-4.4', distinct: 87_198, generated: 282_858, depth: 81 },
    { preset: 'kafka-3.9', distinct: 106_842, generated: 392_916, depth: 84 },
  ],
  'coordinator-failover': [
    { preset: 'kafka-4.4', distinct: 17_630, generated: 69_399, depth: 58 },
    { preset: 'kafka-3.9', distinct: 8928, generated: 29_086, depth: 60 },
  ],
  'lost-reply': [
    { preset: 'kafka-4.4', distinct: 2692, generated: 7421, depth: 56 },
    { preset: 'kafka-3.9', distinct: 1901, generated: 4746, depth: 58 },
  ],
  'late-request': [
    { preset: 'kafka-4.4', distinct: 34_592, generated: 107_768, depth: 78 },
    { preset: 'kafka-3.9', distinct: 31_308, generated: 100_378, depth: 44, violated: atomic },
  ],
  'late-marker': [
    { preset: 'kafka-4.4', distinct: 4891, generated: 16_408, depth: 56 },
    { preset: 'kafka-3.9', distinct: 992, generated: 2284, depth: 39, violated: visible },
  ],
  'given-up-batch': [
    { preset: 'kafka-4.4', distinct: 23_266, generated: 74_484, depth: 79 },
    { preset: 'kafka-3.9', distinct: 15_456, generated: 44_317, depth: 50, violated: visible },
  ],
  'given-up-batch-flushed': [
    { preset: 'kafka-4.4', distinct: 23_266, generated: 74_484, depth: 79 },
    { preset: 'kafka-3.9', distinct: 22_766, generated: 69_978, depth: 84 },
  ],
  'application-abort': [
    { preset: 'kafka-4.4', distinct: 2488, generated: 7470, depth: 80 },
    { preset: 'kafka-3.9', distinct: 2946, generated: 7339, depth: 83 },
  ],
  'pipelined-batches': [
    { preset: 'kafka-4.4', distinct: 344, generated: 651, depth: 45 },
    { preset: 'kafka-3.9', distinct: 319, generated: 566, depth: 49 },
  ],
  'fetch-before-init': [
    { preset: 'kafka-4.4', distinct: 117_676, generated: 286_477, depth: 80 },
    { preset: 'kafka-3.9', distinct: 80_554, generated: 232_748, depth: 69 },
  ],
}

describe.each(scenarios)('$name', ({ name, config, expected }) => {
  it.each(pinned[name] ?? [])(
    'under $preset',
    async ({ preset, distinct, generated, depth, violated }) => {
      const result = await check(kafka, { ...config, preset })
      expect({ ...result.states, depth: result.depth }).toEqual({ distinct, generated, depth })
      expect(result.limit).toBeUndefined()
      const broken = result.properties.filter(({ verdict }) => verdict === 'violated').map((one) => one.name)
      expect(broken).toEqual(violated === undefined ? [] : [violated])
      expect(result.verdict).toBe(violated === undefined ? 'proved' : 'violated')
      if (violated !== undefined) return expect(expected?.[preset]?.[violated]).toBe('violated')
      // A proof means little if something could not happen, or was never asked.
      expect(result.coverage.actions.filter(({ fired }) => fired === 0)).toEqual([])
      expect(result.properties.filter(({ vacuous }) => vacuous)).toEqual([])
      if (name === 'read-process-write') {
        expect(result.states.distinct).toBeGreaterThan(1_000_000)
        expect(result.states.generated / result.coverage.recipeRuns).toBeGreaterThan(100)
      }
    },
    10 * minutes,
  )

  it('is pinned', () => {
    expect(pinned[name]?.map(({ preset }) => preset)).toEqual(['kafka-4.4', 'kafka-3.9'])
  })
})
