import { describe, expect, it } from 'vitest'
import { claimsOf, outcomeOf, patienceMs } from './parts.ts'

describe('the catalogue of claims, part 1', () => {
  it.each(claimsOf(0))(
    '$id: its cases come out as expected, and the page says so',
    async (claim) => {
      const { differs, section, pinned } = await outcomeOf(claim)
      expect(differs).toEqual([])
      expect(section).toBe(pinned)
    },
    patienceMs,
  )
})
