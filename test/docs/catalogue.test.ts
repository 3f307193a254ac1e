/** The page of claims has all of them and no others; what it says of each is tested in `test/docs/catalogue/`. */
import { expect, it } from 'vitest'
import { claims } from '../../spec/claims/index.ts'
import { pageOf, pinnedSection, readCatalogue } from './catalogue.ts'

it('the page is made of the claims that there are, in their order: `npm run catalogue` writes it anew', () => {
  const page = readCatalogue()
  const sections = new Map(claims.map((claim) => [claim.id, pinnedSection(page, claim) ?? 'is missing']))
  expect(page).toBe(pageOf(sections))
})
