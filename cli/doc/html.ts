/** Pages about scenarios as one report that needs nothing else. */
import type { Trace } from '../../checker/index.ts'
import { logColumns } from '../../spec/log-picture.ts'
import { exporters, type Presentation, stepLines } from '../../traces/index.ts'
import { element, escaped, htmlPage, tableOf } from '../report/html.ts'
import type { ScenarioDocument, Story } from './document.ts'

export function documentsHtml(documents: readonly ScenarioDocument[], repeat: string): string {
  const [first] = documents
  const title = documents.length === 1 ? first!.name : 'Scenarios'
  return htmlPage(title, documents.map(sectionOf), repeat)
}

function sectionOf(document: ScenarioDocument): string {
  const { name, summary, preset, sources, settings, verdict, about, properties, stories } = document
  return [
    `<section id="${escaped(name)}">`,
    element('h2', `${name}, ${preset}: ${verdict}`),
    element('p', summary),
    ...about.map((line) => element('p', line)),
    tableOf(['setting', 'value', 'meaning'], settings.map(row)),
    tableOf(['property', 'verdict', 'steps'], properties.map(row)),
    ...stories.map(storyOf),
    element('p', `Sources: ${sources.join('; ')}`),
    '</section>',
  ].join('\n')
}

function storyOf({ title, trace, presentation, steps, outcome, logs }: Story): string {
  return [
    element('h3', title),
    pictureOf(trace, presentation),
    tableOf(['step', 'what happens', 'action'], steps.map(row)),
    element('pre', outcome.join('\n')),
    ...logs.flatMap((log) => [
      element('h4', `${log.title}, at the end`),
      tableOf(logColumns, log.rows.map(row)),
      element('p', log.marks),
    ]),
    `<details>${element('summary', 'what changes in each step')}${element('pre', stepLines(trace).join('\n'))}</details>`,
  ].join('\n')
}

/** The diagram as a part of the page: without what only a file of its own needs. */
const pictureOf = (trace: Trace, presentation: Presentation): string =>
  `<figure>${exporters
    .svg(trace, presentation)
    .replace(/^<\?xml.*?\?>\s*/, '')
    .replace(/ xmlns="[^"]*"/, '')}</figure>`

const row = (cells: readonly string[]): string =>
  `<tr>${cells.map((cell) => element('td', cell)).join('')}</tr>`
