/** Pages about scenarios as Markdown, for a documentation site. */
import { logColumns } from '../../spec/log-picture.ts'
import { writeMermaid } from '../../traces/index.ts'
import type { ScenarioDocument, Story } from './document.ts'

export function markdownOf(documents: readonly ScenarioDocument[], repeat: string): string {
  const pages = documents.flatMap((document) => pageOf(document))
  return `${[...pages, 'To repeat:', fenced('console', `$ ${repeat}\n`)].join('\n\n')}\n`
}

function pageOf(document: ScenarioDocument): string[] {
  const { name, summary, preset, sources, settings, verdict, about, properties, stories } = document
  return [
    `# ${escaped(name)}`,
    escaped(summary),
    '## Configuration',
    `Version: ${escaped(preset)}. What is not named has its default.`,
    table(['setting', 'value', 'meaning'], settings),
    '## Verdict',
    `**${escaped(verdict)}**`,
    about.map((line) => `- ${escaped(line)}`).join('\n'),
    table(['property', 'verdict', 'steps'], properties),
    ...stories.flatMap(storyOf),
    '## Sources',
    sources.map((source) => `- ${escaped(source)}`).join('\n'),
  ]
}

/** The diagram is Mermaid's text: most sites draw it. */
function storyOf({ title, trace, presentation: { lanes = [] }, steps, outcome, logs }: Story): string[] {
  return [
    `## ${escaped(title)}`,
    fenced('mermaid', writeMermaid(trace, { lanes })),
    table(['step', 'what happens', 'action'], steps),
    fenced('text', `${outcome.join('\n')}\n`),
    ...logs.flatMap((log) => [
      `${escaped(log.title)}, at the end:`,
      table(logColumns, log.rows),
      escaped(log.marks),
    ]),
  ]
}

const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
  [titles, titles.map(() => '---'), ...rows.map((row) => row.map(escaped))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

/** A fence longer than any in the text. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}${fence}`
}

/** Without what would be markup, in a table too, and on one line. */
const escaped = (text: string): string =>
  text.replaceAll(/[\\`*_{}[\]<>|#&~]/g, '\\$&').replaceAll(/\s*[\r\n]\s*/g, ' ')
