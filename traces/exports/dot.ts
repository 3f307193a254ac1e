/** A trace as a graph for Graphviz: states with what changed, steps as edges between them, a loop as an edge back. */
import type { Plain } from '../../checker/model.ts'
import type { Trace, TraceStep } from '../../checker/trace.ts'
import { changes } from '../changes.ts'
import type { Presentation } from '../presentation.ts'
import { changeText } from '../text/change.ts'
import { eventText } from '../text/event.ts'
import { failureLines } from '../text/failure.ts'
import { callText, isBackground, toldEvents } from '../text/steps.ts'
import { visible } from '../text/value.ts'

export function writeDot(trace: Trace, { slice }: Pick<Presentation, 'slice'> = {}): string {
  const { states, steps, loop } = trace
  const last = states.length - 1
  return [
    'digraph trace {',
    `  graph [label=${quoted(titleLines(trace))}, labelloc=t, labeljust=l, fontname="Helvetica"]`,
    '  node [shape=box, style=rounded, fontname="Helvetica", fontsize=10]',
    '  edge [fontname="Helvetica", fontsize=10]',
    ...states.map(
      (_, index) => `  s${index} [label=${quoted(nodeLines(trace, index))}${emphasis(trace, index)}]`,
    ),
    ...steps.map((step, index) => {
      const weight = slice === undefined || slice.has(index + 1) ? ', penwidth=2' : ', style=dashed'
      return `  s${index} -> s${index + 1} [label=${quoted(edgeLines(step, index + 1))}${weight}]`
    }),
    ...(loop === undefined || loop === last
      ? []
      : [`  s${last} -> s${loop} [label="again", constraint=false]`]),
    ...(loop === last ? [`  s${last} -> s${last} [label="for ever"]`] : []),
    '}',
    '',
  ].join('\n')
}

const titleLines = (trace: Trace): string[] => [
  visible(`a trace of ${trace.model}`),
  ...failureLines(trace).map((line) => line.trim()),
]

const edgeLines = (step: TraceStep, number: number): string[] => [
  `${number}. ${callText(step)}`,
  ...toldEvents(step).map(eventText),
]

/** More than this is not read in a graph. */
const shownChanges = 10

function nodeLines({ states, background = [] }: Trace, index: number): string[] {
  if (index === 0) return ['initial state']
  const found = changes(states[index - 1] as Plain, states[index] as Plain)
    .filter(({ path }) => !isBackground(path, background))
    .map(changeText)
  const more = found.length > shownChanges ? [`and ${found.length - shownChanges} more`] : []
  return [`state ${index}`, ...found.slice(0, shownChanges), ...more]
}

const emphasis = ({ property, states }: Trace, index: number): string =>
  property !== undefined && property.kind !== 'reachable' && index === states.length - 1
    ? ', color="#c0392b", penwidth=2'
    : ''

/** Lines, each to the left. Graphviz reads escapes and the entities of HTML in labels. */
const quoted = (lines: readonly string[]): string =>
  `"${lines.map((line) => `${line.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('&', '&amp;')}\\l`).join('')}"`
