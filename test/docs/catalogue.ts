/** The page of claims, docs/catalogue.md: how a section is made from what was found, and how the page is made and read. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Grid, gridsOf } from '../../cli/suite/grid.ts'
import type { JudgedProperty } from '../../cli/suite/judge.ts'
import { judgeCase } from '../../cli/suite/judge.ts'
import { presetOf, type RunCase } from '../../cli/suite/run.ts'
import { claims } from '../../spec/claims/index.ts'
import type { Claim } from '../../spec/index.ts'
import { writeMermaid } from '../../traces/index.ts'
import { root } from '../project/sources.ts'

export const catalogueFile = join(root, 'docs/catalogue.md')
export const readCatalogue = (): string => readFileSync(catalogueFile, 'utf8')

/** Runs all cases of a claim. */
export async function runClaim(claim: Claim): Promise<RunCase[]> {
  const runs: RunCase[] = []
  for (const one of claim.cases) runs.push({ claim, one, judged: await judgeCase(one) })
  return runs
}

/** Names of settings stay as they are. */
const capital = (text: string): string =>
  /^[a-z-]+[ ,]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
const standing = {
  holds: 'Holds',
  'holds within limits': 'Holds within limits',
  refuted: 'Refuted',
} as const satisfies Record<Claim['stands'], string>
const cell = (text: string): string => text.replaceAll('|', '\\|')
const grouped = (count: number): string => count.toLocaleString('en-US')

const header = [
  '| case | preset | property | verdict | steps | states | depth |',
  '|---|---|---|---|---:|---:|---:|',
]

/** A row for each property; what is said of the case stands in the first one. */
function rowsOf(run: RunCase): string[] {
  const { one, judged } = run
  const { states, depth } = judged.result
  const without = (one.without ?? []).map((name) => `, without "${name}"`).join('')
  return judged.properties.map(({ name, found, result }, index) => {
    const steps = result.depth === undefined ? '' : String(result.depth - 1)
    const ofCase = index === 0 ? [`${one.name}${without}`, presetOf(run) ?? ''] : ['', '']
    const counts = index === 0 ? [grouped(states.distinct), String(depth)] : ['', '']
    return `| ${[...ofCase, name, found, steps, ...counts].map(cell).join(' | ')} |`
  })
}

/** The table of a claim; what was explored for it is folded away. */
function gridLines({ about, titles, rows }: Grid): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  const caption = about.length === 0 ? [] : [`${about.map((one) => `*${one}*`).join(', ')}:\n`]
  const filled = rows.map(({ title, cells }) => line([title, ...cells.map((one) => one?.text ?? '-')]))
  return [...caption, line(titles), `|${'---|'.repeat(titles.length)}`, ...filled, '']
}

function casesOf(claim: Claim, runs: readonly RunCase[]): string[] {
  const table = (some: readonly RunCase[]) => [...header, ...some.flatMap(rowsOf), '']
  const inGrid = runs.filter(({ one }) => one.cell !== undefined)
  const others = runs.filter(({ one }) => one.cell === undefined)
  const folded =
    inGrid.length === 0
      ? []
      : [
          `<details><summary>The ${inGrid.length} cases of the table</summary>\n`,
          ...table(inGrid),
          '</details>\n',
        ]
  return [
    ...gridsOf(claim, runs).flatMap(gridLines),
    ...folded,
    ...(others.length === 0 ? [] : table(others)),
  ]
}

/** Diagrams beyond this are not taken in at a glance: then the page says what the trace shows. */
const longest = { steps: 12, lines: 36 }

interface Told {
  readonly run: RunCase
  readonly property: JudgedProperty
}

/** What is told of a claim: the first case in which something is violated, or else the first that is witnessed. */
function toldOf(runs: readonly RunCase[]): Told | undefined {
  const traced = runs.flatMap((run) => run.judged.properties.map((property) => ({ run, property })))
  return ['violated', 'witnessed'].flatMap((verdict) =>
    traced.filter(({ property }) => property.found === verdict && property.result.trace !== undefined),
  )[0]
}

/** A counterexample is drawn however long it is, as it is all that a refuted claim has to show. */
function storyOf({ run, property }: Told, isRefuted: boolean): string {
  const { trace, depth = 1 } = property.result
  if (trace === undefined) return ''
  const title = `The shortest trace of *${property.name}* (${run.one.name}), ${depth - 1} steps`
  const diagram = writeMermaid(trace)
  const isShort = trace.steps.length <= longest.steps && diagram.split('\n').length <= longest.lines
  const drawn = `\`\`\`mermaid\n${diagram}\`\`\`\n`
  if (isShort) return `${title}:\n\n${drawn}`
  const width = String(property.shown.at(-1)?.step ?? 0).length
  const lines = property.shown.map(({ step, within }) => `${String(step).padStart(width)}  ${within}`)
  const outline = `${title}, of which:\n\n\`\`\`text\n${lines.join('\n')}\n\`\`\`\n`
  if (!isRefuted) return outline
  return `${outline}\n<details><summary>All of its steps</summary>\n\n${drawn}\n</details>\n`
}

/** The section of a claim, without its title. */
export function sectionOf(claim: Claim, runs: readonly RunCase[]): string {
  const because = claim.cases.flatMap((one) =>
    one.because === undefined ? [] : [`- ${one.name}: ${one.because}`],
  )
  const told = toldOf(runs)
  return [
    `${capital(claim.claim)}.\n`,
    `**${standing[claim.stands]}.** Sources: ${claim.sources.join('; ')}\n`,
    ...casesOf(claim, runs),
    ...(because.length === 0 ? [] : [`${because.join('\n')}\n`]),
    ...(told === undefined ? [] : [storyOf(told, claim.stands === 'refuted')]),
  ].join('\n')
}

/** The section that the page has for a claim; undefined if it has none. */
export function pinnedSection(page: string, { id }: Claim): string | undefined {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${id}\n`))
  return section?.slice(id.length).trim()
}

const anchor = (id: string): string =>
  id
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')

const intro = `# Catalogue of claims

What is said about exactly-once, checked: each claim is explored in one or more cases, small enough to be explored to their
ends, and each case says what is expected of its properties. *Holds* means that all cases come out as the claim says; *holds
within limits* that it needs a condition, which the cases show; *refuted* that it is false as it is stated, and a case is the
counterexample. \`proved\` is meant within the bounds of the case: every reachable state was visited. A trace is the shortest
there is, and it is part of what is expected that it shows the reason.

\`npx fencepost suite\` checks them all, \`npx fencepost suite --only ID\` one. This page is made from what is found:
\`npm run catalogue\` writes it anew, and a test fails when it is out of date.
`

export function pageOf(sections: ReadonlyMap<string, string>): string {
  const rows = claims.map(
    ({ id, claim, stands, cases }) =>
      `| [${id}](#${anchor(id)}) | ${cell(capital(claim))} | ${stands} | ${cases.length} |`,
  )
  const table = ['| id | claim | it | cases |', '|---|---|---|---:|', ...rows].join('\n')
  const told = claims.map(({ id }) => `## ${id}\n\n${sections.get(id)?.trim()}\n`)
  return `${[intro, `${table}\n`, ...told].join('\n')}`
}
