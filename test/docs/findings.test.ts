/** The findings page tells only what the checker finds: tables and stories are made again and compared. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { presetNames } from '../../spec/presets.ts'
import { root } from '../project/sources.ts'
import { type Found, find, findings, sectionOf, storyPage, told } from './findings.ts'
import { withSections } from './readme.ts'

const minutes = 60_000
const found: Record<string, readonly Found[]> = {}

describe.each(findings)('$title', (finding) => {
  const { section, foundIn, closedBy } = finding

  it(
    'is found under the presets that have it, and under no other',
    async () => {
      const results: Found[] = []
      for (const preset of finding.lookedForIn ?? presetNames) results.push(await find(finding, preset))
      found[section] = results
      const having = results.filter(({ trace }) => trace !== undefined)
      expect(having.map(({ preset }) => preset).sort()).toEqual([...foundIn].sort())
      const story = storyPage(finding, told(results))
      await expect(story).toMatchFileSnapshot(join(root, `docs/stories/${section}.md`))
    },
    10 * minutes,
  )

  it.each(closedBy)('under $preset is closed by $what', async ({ preset, change }) => {
    expect(foundIn).toContain(preset)
    expect((await find(finding, preset, change)).trace).toBeUndefined()
  })
})

it('the page has a section for each finding, with what was found', async () => {
  const file = join(root, 'docs/findings.md')
  const page = readFileSync(file, 'utf8')
  const sections = Object.fromEntries(
    findings.map((finding) => [finding.section, sectionOf(finding, found[finding.section] ?? [])]),
  )
  for (const { section, title } of findings) {
    expect(page).toContain(`## ${title}\n`)
    expect(page).toContain(`<!-- begin ${section} -->`)
  }
  await expect(withSections(page, sections)).toMatchFileSnapshot(file)
})
