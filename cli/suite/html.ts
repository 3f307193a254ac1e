/** What `fencepost suite` found as one page without scripts, that needs nothing but itself. */
import type { Claim } from '../../spec/claims/claim.ts'
import { failureLines, stepLines } from '../../traces/index.ts'
import { grouped } from '../report/numbers.ts'
import { version } from '../version.ts'
import { type Grid, gridsOf } from './grid.ts'
import type { JudgedProperty } from './judge.ts'
import { presetOf, type RunCase } from './run.ts'

const style = `
  :root { color-scheme: light dark }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
  table { border-collapse: collapse; width: 100%; margin: 0.5rem 0 }
  th, td { text-align: left; vertical-align: top; padding: 0.2rem 0.8rem 0.2rem 0; border-top: 1px solid #8884 }
  td.count { text-align: right; font-variant-numeric: tabular-nums }
  section { margin-top: 2rem }
  pre { overflow-x: auto; background: #8881; padding: 0.6rem }
  .differs { color: #c22; font-weight: bold }
`

/** As text between tags and in quoted attributes. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const element = (name: string, text: string, kind?: string): string =>
  `<${name}${kind === undefined ? '' : ` class="${kind}"`}>${escaped(text)}</${name}>`

/** @param summary lines of text about all of it */
export function suiteHtml(done: readonly RunCase[], summary: readonly string[], repeat: string): string {
  const claims = [...new Set(done.map(({ claim }) => claim))]
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<title>Claims about exactly-once</title>',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<h1>Claims about exactly-once</h1>',
    ...summary.map((line) => element('p', line)),
    overview(claims, done),
    ...claims.map((claim) => sectionOf(claim, ofClaim(done, claim))),
    element('p', `fencepost ${version}; to repeat: ${repeat}`),
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

const ofClaim = (done: readonly RunCase[], claim: Claim) => done.filter((run) => run.claim === claim)

function overview(claims: readonly Claim[], done: readonly RunCase[]): string {
  const rows = claims.map((claim) => {
    const link = `<td><a href="#${escaped(claim.id)}">${escaped(claim.id)}</a></td>`
    const outcome = outcomeCell(ofClaim(done, claim).every(({ judged }) => judged.asExpected))
    return `<tr>${link}${element('td', claim.claim)}${element('td', claim.stands)}${outcome}</tr>`
  })
  return tableOf(['id', 'claim', 'it', 'found'], rows)
}

const tableOf = (titles: readonly string[], rows: readonly string[]): string =>
  `<table>\n<tr>${titles.map((title) => element('th', title)).join('')}</tr>\n${rows.join('\n')}\n</table>`

const outcomeCell = (isExpected: boolean): string =>
  isExpected ? element('td', 'as expected') : element('td', 'not as expected', 'differs')

/** The table of a claim. */
function gridOf({ about, titles, rows }: Grid): string {
  const lines = rows.map(({ title, cells }) => {
    const filled = cells.map((cell) =>
      element('td', cell?.text ?? '-', cell?.asExpected === false ? 'differs' : undefined),
    )
    return `<tr>${element('th', title)}${filled.join('')}</tr>`
  })
  return [...(about.length === 0 ? [] : [element('p', about.join('; '))]), tableOf(titles, lines)].join('\n')
}

function sectionOf(claimed: Claim, runs: readonly RunCase[]): string {
  const { id, claim, stands, sources } = claimed
  const titles = ['case', 'preset', 'property', 'expected', 'found', 'steps', 'states']
  return [
    `<section id="${escaped(id)}">`,
    element('h2', id),
    element('p', `${claim} (${stands})`),
    element('p', `Sources: ${sources.join('; ')}`),
    ...gridsOf(claimed, runs).map(gridOf),
    tableOf(
      titles,
      runs.flatMap((run) => run.judged.properties.map((property) => rowOf(run, property))),
    ),
    ...runs.flatMap(({ one }) =>
      one.because === undefined ? [] : [element('p', `${one.name}: ${one.because}`)],
    ),
    ...runs.flatMap((run) => run.judged.properties.flatMap((property) => storyOf(run, property))),
    '</section>',
  ].join('\n')
}

function rowOf(run: RunCase, { name, expected, found, differs, result }: JudgedProperty): string {
  const kind = differs === undefined ? undefined : 'differs'
  const steps = result.depth === undefined ? '' : String(result.depth - 1)
  return `<tr>${[
    element('td', run.one.name),
    element('td', presetOf(run) ?? ''),
    element('td', name),
    element('td', expected),
    element('td', differs ?? found, kind),
    element('td', steps, 'count'),
    element('td', grouped(run.judged.result.states.distinct), 'count'),
  ].join('')}</tr>`
}

/** The shortest trace, to be unfolded. */
function storyOf({ one }: RunCase, { name, result: { trace } }: JudgedProperty): string[] {
  if (trace === undefined) return []
  const lines = [...stepLines(trace, { brief: true }), '', ...failureLines(trace)]
  const title = element('summary', `${one.name}: ${name}, ${trace.steps.length} steps`)
  return [`<details>${title}${element('pre', lines.join('\n'))}</details>`]
}
