/** The measurements as a table for people. */
import type { Kept, KeptFor, Measured } from './measure.ts'

const percent = (share: number): string => (100 * share).toFixed(1)
const both = ({ states, transitions }: Kept): string => `${percent(states)} / ${percent(transitions)}`
const keptCells = ({ footprints, trial }: KeptFor): string[] => [both(footprints), both(trial)]

const heading = [
  'model',
  'states',
  'transitions',
  'visible steps',
  'all, footprints',
  'all, trial',
  'one, footprints',
  'one, trial',
  'ends, footprints',
  'ends, trial',
]

export function tableOf(rows: readonly Measured[]): string {
  const cells = rows.map(({ name, states, transitions, steps, all, alone, ends }) => [
    name,
    states.toLocaleString('en-US'),
    transitions.toLocaleString('en-US'),
    `${all.visible} of ${steps}`,
    ...[all, alone, ends].flatMap(keptCells),
  ])
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...cells.map((line) => line[column]!.length)),
  )
  const line = (texts: readonly string[]) =>
    texts.map((text, at) => (at === 0 ? text.padEnd(widths[at]!) : text.padStart(widths[at]!))).join('  ')
  return [
    'What partial-order reduction leaves at the least: percent of states / percent of transitions',
    '',
    line(heading),
    ...cells.map(line),
    '',
    ...rows.map(meetingsOf),
    '',
  ].join('\n')
}

function meetingsOf({ name, meetings, alone }: Measured): string {
  const most = meetings.map(({ component, pairs }) => `${component} ${percent(pairs)}%`).join(', ')
  return `${name}: one is '${alone.property}'; pairs of steps meet most in ${most}`
}
