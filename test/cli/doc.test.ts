import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Catalogue } from '../../cli/catalogue.ts'
import { fencepost, temporaryFolder } from './harness.ts'
import { standIn } from './stand-in.ts'

const hostile = '</script><script>alert("x")</script> | `tick` *star*'

/** A catalogue whose texts are markup. */
const marked: Catalogue = {
  ...standIn,
  scenarios: standIn.scenarios.map((scenario) => ({ ...scenario, summary: hostile, sources: [hostile] })),
  logPictures: () => [{ title: hostile, rows: [['0', hostile, '0', '0', '']], marks: hostile }],
}

describe('fencepost doc', () => {
  test('writes a page as Markdown', async () => {
    const { code, stdout, stderr } = await fencepost(['doc', 'quiet'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "# quiet

      Two writers, nothing is lost.

      ## Configuration

      Version: kafka-4.4. What is not named has its default.

      | setting | value | meaning |
      | --- | --- | --- |
      | repeats | 0 | How many replies each loses. |

      ## Verdict

      **proved**

      - every state that is reachable within the configured bounds was visited
      - 13 distinct states, 13 states generated, depth 5

      | property | verdict | steps |
      | --- | --- | --- |
      | epochs never fall | proved |  |
      | epochs are unique | proved |  |
      | written once | proved |  |
      | somebody is done | witnessed | 2 |

      ## witnessed in 2 steps: somebody is done

      \`\`\`mermaid
      sequenceDiagram
        participant p0 as writer-0
        participant p1 as log
        Note over p0: 1. started
        p0--)p1: 2. Write epoch=1 (under way)
        p1->>p0: 2. Ack
      \`\`\`

      | step | what happens | action |
      | --- | --- | --- |
      | 1 | writer-0  started | \\[Start writer=0\\] |
      | 2 | writer-0 -\\> log  Write epoch=1 | \\[Write writer=0; reply=received\\] |

      \`\`\`text
      witness of: somebody is done
      \`\`\`

      ## Sources

      - KIP-98

      To repeat:

      \`\`\`console
      $ npx fencepost doc quiet
      \`\`\`
      "
    `)
  })

  test('tells what is violated, each behaviour once, as a diagram, as steps and by its logs', async () => {
    const words = ['doc', 'read-process-write', '--preset', 'kafka-3.9']
    const { code, stdout } = await fencepost(words, { catalogue: async () => marked })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\*\*violated\*\*$/m)
    expect(stdout).toMatch(/^\| written once \| violated \| 3 \|$/m)
    expect(stdout).toMatch(/^## violated in 3 steps: written once$/m)
    expect(stdout).toContain('```mermaid\nsequenceDiagram\n')
    expect(stdout).toMatch(/^violated: written once/m)
    expect(stdout).toContain('| 0 | \\</script\\>')
    expect((await fencepost(words, { catalogue: async () => marked })).stdout).toBe(stdout)
  })

  test('keeps texts from becoming markup', async () => {
    const { stdout } = await fencepost(['doc', 'quiet'], { catalogue: async () => marked })
    const outsideFences = stdout.replaceAll(/^```[\s\S]*?^```$/gm, '')
    expect(outsideFences).toContain(
      '\\</script\\>\\<script\\>alert("x")\\</script\\> \\| \\`tick\\` \\*star\\*',
    )
    expect(outsideFences).not.toMatch(/(?<!\\)[<`*|]script|[^\\]`/)
    const { stdout: html } = await fencepost(['doc', 'quiet', '--html'], { catalogue: async () => marked })
    expect(html).not.toContain('<script')
    expect(html).toContain('&#60;script&#62;alert(&#34;x&#34;)')
  })

  test('writes one HTML report that asks the network for nothing', async () => {
    const folder = temporaryFolder()
    const { code, stdout } = await fencepost(
      ['doc', 'quiet', 'read-process-write', '--html', '--output', 'page.html'],
      {
        folder,
      },
    )
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    const page = readFileSync(join(folder, 'page.html'), 'utf8')
    expect(page).toContain("default-src 'none'; style-src 'unsafe-inline'")
    expect(page).toContain('color-scheme: light dark')
    expect(page).not.toMatch(/https?:|<script|src=/)
    expect(page.match(/<section id="[^"]*">/g)).toEqual([
      '<section id="quiet">',
      '<section id="read-process-write">',
    ])
    expect(page.match(/<figure><svg class="fencepost-diagram"/g)).toHaveLength(2)
    expect(page).toContain('to repeat: npx fencepost doc quiet read-process-write --html --output page.html')
  })

  test('says that a limit ended the search', async () => {
    const { code, stdout } = await fencepost(['doc', 'read-process-write', '--max-states', '3'])
    expect(code).toBe(3)
    expect(stdout).toMatch(/^- stopped at the limit of 3 states; complete to depth \d, no proof$/m)
  })

  test('knows only scenarios, and only what it can write', async () => {
    const unknown = await fencepost(['doc', 'quite'])
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain("there is no scenario 'quite'")
    const nowhere = await fencepost(['doc', 'quiet', '--output', 'no/such/folder/page.md'])
    expect(nowhere.code).toBe(2)
    expect(nowhere.stderr).toContain('cannot write')
  })
})
