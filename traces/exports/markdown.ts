/** A trace as a section of a Markdown page (GitHub's kind): what it shows, then a table of its steps. */
import type { Plain } from '../../checker/model.ts'
import type { Trace } from '../../checker/trace.ts'
import { changes } from '../changes.ts'
import type { Presentation } from '../presentation.ts'
import { changeText } from '../text/change.ts'
import { eventText } from '../text/event.ts'
import { failureLines } from '../text/failure.ts'
import { callText, endText, isBackground, toldEvents } from '../text/steps.ts'
import { visible } from '../text/value.ts'

export function writeMarkdown(trace: Trace, { slice }: Pick<Presentation, 'slice'> = {}): string {
  const { model, property, steps, loop } = trace
  const title = property === undefined ? `A trace of ${model}` : property.name
  const rows = steps.map((step, index) => {
    const matters = slice?.has(index + 1) ? `**${index + 1}**` : String(index + 1)
    const told = toldEvents(step).map(eventText)
    return row(matters, [told, [callText(step)], changeTexts(trace, index)])
  })
  return [
    `## ${escaped(visible(title))}`,
    '',
    ...failureLines(trace).flatMap((line) => [`- ${escaped(line.trim())}`]),
    ...(property === undefined && trace.defencesOff.length === 0 ? [] : ['']),
    '| step | what happens | action | what changes |',
    '|---:|---|---|---|',
    ...rows,
    ...(loop === undefined ? [] : ['', escaped(endOf(trace, loop))]),
    '',
  ].join('\n')
}

const row = (number: string, cells: readonly (readonly string[])[]): string =>
  `| ${[number, ...cells.map((lines) => lines.map(escaped).join('<br>'))].join(' | ')} |`

function changeTexts({ states, background = [] }: Trace, index: number): string[] {
  return changes(states[index] as Plain, states[index + 1] as Plain)
    .filter(({ path }) => !isBackground(path, background))
    .map(changeText)
}

const endOf = (trace: Trace, loop: number): string =>
  loop === trace.steps.length ? `After that ${endText(trace)}.` : `And so on for ever from state ${loop}.`

/** What may begin something in Markdown or HTML stands for itself, addresses become no links; blanks are one blank. */
const escaped = (text: string): string =>
  text
    .replaceAll(/ +/g, ' ')
    .replaceAll(/[\\`*_{}[\]#|~$@!]|:(?=\/\/)|(?<=www)\./gi, '\\$&')
    .replaceAll(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/^(\d*)(?=[-+=:.)])/, '$1\\')
