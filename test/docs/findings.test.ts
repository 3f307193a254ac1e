/** The findings page tells only what the checker finds: its stories are made again and compared. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../project/sources.ts'
import { findings, run, story } from './findings.ts'
import { withSections } from './readme.ts'

it('the findings are found again', async () => {
  const file = join(root, 'docs/findings.md')
  const sections: Record<string, string> = {}
  for (const finding of findings) {
    const [found] = (await run(finding)).properties
    expect(found?.verdict).toBe(finding.goal === undefined ? 'violated' : 'witnessed')
    sections[finding.section] = story(found?.trace ?? expect.fail('no trace'))
  }
  await expect(withSections(readFileSync(file, 'utf8'), sections)).toMatchFileSnapshot(file)
}, 600_000)
