/** The report of a check for people: verdict first, then the properties, the stories of how they break, and coverage. */
import type { CheckResult, PropertyResult } from '../../checker/index.ts'
import { failureLines, stepLines } from '../../traces/index.ts'
import { isVacuous } from '../exit-codes.ts'
import { type Asked, askedHeadline, askedSentences, askedStory } from './asked.ts'
import type { Colours } from './colours.ts'
import { type CoverageOptions, coverageLines } from './coverage.ts'
import { tableLines } from './table.ts'
import { shownVerdict, verdictSentences } from './verdict.ts'
import { waysLines } from './ways.ts'

export interface ReportOptions extends CoverageOptions {
  /** What was checked: scenario or file, preset, defences that are off. */
  readonly title: string
  readonly colours: Colours
  /** Trace files by the name of their property. */
  readonly files: ReadonlyMap<string, string>
  /** If one way was asked for. */
  readonly asked?: Asked
}

export function reportLines(result: CheckResult, options: ReportOptions): string[] {
  const { title, colours, files, asked } = options
  const headline = asked === undefined ? shownVerdict(result) : askedHeadline(result, asked)
  const stories = result.properties.filter(({ verdict }) => verdict === 'violated')
  return [
    colours.bold(`${title}: ${colours.verdict(weakest(result), headline)}`),
    ...indented(asked === undefined ? verdictSentences(result) : askedSentences(result, asked)),
    '',
    ...indented(propertyLines(result.properties, colours)),
    ...(asked === undefined
      ? stories.flatMap((property) => ['', ...storyLines(property, colours)])
      : askedStory(result, asked, colours)),
    '',
    ...indented(coverageLines(result, { ...options, brief: asked !== undefined })),
    ...indented(
      [...files].map(([name, file]) => `trace         ${file}${files.size > 1 ? `  (${name})` : ''}`),
    ),
  ]
}

/** What colour a run has: one that proves something vacuous fails. */
const weakest = ({ verdict, properties }: CheckResult) => (properties.some(isVacuous) ? 'violated' : verdict)

function propertyLines(properties: readonly PropertyResult[], colours: Colours): string[] {
  const rows = properties.map((property) => {
    const { name, verdict, depth } = property
    return [
      name,
      isVacuous(property) ? `${verdict}, vacuous` : verdict,
      depth === undefined ? '' : String(depth),
    ]
  })
  const columns = [
    { title: 'property' },
    { title: 'verdict' },
    { title: 'depth', align: 'right' } as const,
    { title: '' },
  ]
  return tableLines(columns, rows, (cell, row, column) => {
    const property = properties[row]
    if (column !== 1 || property === undefined) return cell
    return colours.verdict(isVacuous(property) ? 'violated' : property.verdict, cell)
  })
}

/** How it breaks: the steps, then what is false in the end. */
function storyLines(property: PropertyResult, colours: Colours): string[] {
  const { trace } = property
  if (trace === undefined) return []
  return [
    ...stepLines(trace, { style: colours.trace }),
    '',
    ...failureLines(trace, colours.trace),
    ...waysLines(property, colours),
  ]
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => (line === '' ? '' : `  ${line}`))
