/** The page of a suite can be handed on: it is complete, needs nothing else, and shows hostile text as text. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Claim } from '../../../spec/index.ts'
import { fencepost, temporaryFolder } from '../harness.ts'
import { standIn } from '../stand-in.ts'

const hostile = `<script>alert("1")</script><img src=x onerror='alert(2)'>&amp;`
const [first, second] = standIn.claims as [Claim, Claim]
const claims: readonly Claim[] = [
  first,
  {
    ...second,
    claim: hostile,
    sources: [hostile],
    table: { rows: hostile, columns: hostile, cells: hostile },
    cases: second.cases.map((one) => ({
      ...one,
      name: hostile,
      shows: { 'epochs are unique': [hostile] },
      cell: { row: hostile, column: hostile, text: hostile },
    })),
  },
]

async function page(): Promise<string> {
  const folder = temporaryFolder()
  const given = { folder, catalogue: async () => ({ ...standIn, claims }) }
  const { code, stderr } = await fencepost(['suite', '--html', 'page.html'], given)
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  return readFileSync(join(folder, 'page.html'), 'utf8')
}

describe('the page of a suite', () => {
  it('has every claim, case and property, with what was found and the traces', async () => {
    const html = await page()
    for (const text of [
      'a writer that repeats its write',
      'the log knows what it has',
      'it does not',
      'written once',
    ])
      expect(html).toContain(text)
    expect(html.match(/<section /g)).toHaveLength(2)
    expect(html.match(/<details>/g)).toHaveLength(3)
    expect(html).toContain('writer-0 -&#62; log  Write')
    expect(html).toContain('class="differs">not as expected')
    expect(html).toContain('npx fencepost suite --html page.html')
  })

  it('has the table of a claim', async () => {
    const html = await page()
    expect(html.match(/<tr><th>&#60;script/g)).toHaveLength(2)
    expect(html).toContain('<td class="differs">not as expected</td></tr>\n</table>')
  })

  it('runs nothing and fetches nothing', async () => {
    const html = await page()
    expect(html).not.toMatch(/<(script|img|link|iframe)|https?:|@import|url\(/i)
    const tags = [...html.matchAll(/<([a-z]\w*)([^>]*)>/g)].filter(([, name]) => name !== 'meta')
    for (const [, , attributes] of tags)
      expect(attributes).toMatch(/^(?: (?:lang|class|id|href)="[^"<>]*")*$/)
    expect(html).toContain("default-src 'none'")
  })

  it('shows hostile text as text', async () => {
    const html = await page()
    expect(html).not.toContain(hostile)
    expect(html).toContain('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;')
    expect(html).toContain('&#38;amp;')
  })
})
