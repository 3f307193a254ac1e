import { describe, expect, it } from 'vitest'
import { brokenIn } from '../verdicts.ts'
import { casesOf, outcomeOf, patienceMs } from './cases.ts'

describe('standard scenarios, part 3', () => {
  it.each(casesOf(2))(
    '$name under $preset: verdicts as expected, counts as pinned, nothing vacuous',
    async (one) => {
      const { result, row, pinned, expected, vacuous } = await outcomeOf(one)
      expect(brokenIn(result)).toEqual(expected)
      expect(row).toBe(pinned)
      expect(vacuous).toEqual([])
      expect(result.limit).toBeUndefined()
    },
    patienceMs,
  )
})
