/** The claims, dealt out to several files that run side by side; each checks the cases of its claims, and their sections. */
import { describe, expect, it } from 'vitest'
import { claims } from '../../../spec/claims/index.ts'
import { pinnedSection, readCatalogue, runClaim, sectionOf } from '../catalogue.ts'

const minutes = 60_000
/** How many files share the claims. */
export const files = 3

export function describePart(part: number): void {
  const page = readCatalogue()
  describe('the catalogue of claims', () => {
    it.each(claims.filter((_, index) => index % files === part))(
      '$id: its cases come out as expected, and the page says so',
      async (claim) => {
        const runs = await runClaim(claim)
        const differs = runs.flatMap(({ one, judged }) =>
          judged.properties.flatMap((property) =>
            property.differs === undefined ? [] : [one.name, property.differs],
          ),
        )
        expect(differs).toEqual([])
        expect(sectionOf(claim, runs).trim()).toBe(pinnedSection(page, claim))
      },
      20 * minutes,
    )
  })
}
