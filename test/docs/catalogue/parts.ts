/** The claims, dealt out to several files that run side by side: their cases, and their sections of the page. */
import { claims } from '../../../spec/claims/index.ts'
import type { Claim } from '../../../spec/index.ts'
import { pinnedSection, readCatalogue, runClaim, sectionOf } from '../catalogue.ts'

const minutes = 60_000
export const patienceMs = 20 * minutes

/** How many files share the claims. */
const files = 3
const page = readCatalogue()

export const claimsOf = (file: number) => claims.filter((_, index) => index % files === file)

/** Runs all cases of a claim: what is not as expected, its section as it is and as the page has it. */
export async function outcomeOf(claim: Claim) {
  const runs = await runClaim(claim)
  const differs = runs.flatMap(({ one, judged }) =>
    judged.properties.flatMap((property) =>
      property.differs === undefined ? [] : [one.name, property.differs],
    ),
  )
  return { differs, section: sectionOf(claim, runs).trim(), pinned: pinnedSection(page, claim) }
}
