/** `npm run catalogue [-- ID ...]`: checks the claims and writes docs/catalogue.md anew; the sections of others are kept. */
import { existsSync, writeFileSync } from 'node:fs'
import { claimsOf } from '../../cli/suite/run.ts'
import { claims } from '../../spec/claims/index.ts'
import { catalogueFile, pageOf, pinnedSection, readCatalogue, runClaim, sectionOf } from './catalogue.ts'

const asked = claimsOf(claims, process.argv.slice(2))
const old = existsSync(catalogueFile) ? readCatalogue() : ''
const sections = new Map<string, string>()
for (const claim of claims) {
  const pinned = pinnedSection(old, claim)
  const section =
    asked.includes(claim) || pinned === undefined ? sectionOf(claim, await runClaim(claim)) : pinned
  if (section.trim() !== pinned) process.stdout.write(`${claim.id}\n`)
  sections.set(claim.id, section)
}
writeFileSync(catalogueFile, pageOf(sections))
