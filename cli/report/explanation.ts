/** An explanation as text. */
import type { Trace } from '../../checker/index.ts'
import {
  callText,
  differenceText,
  type Explanation,
  failureLines,
  namesText,
  type Remedy,
  type Sealing,
  stepLines,
} from '../../traces/index.ts'
import type { Colours } from './colours.ts'
import { counted, grouped, numberRanges } from './numbers.ts'
import { headLines } from './trace-head.ts'

interface ExplanationStyle {
  readonly colours: Colours
  /** Whether to show what each step changes in the state. */
  readonly changes: boolean
}

export function explanationLines(explanation: Explanation, style: ExplanationStyle): string[] {
  const { colours } = style
  const { trace, sealing, prevention, sentence } = explanation
  return [
    ...headLines(trace, colours),
    '',
    colours.bold(sentence),
    '',
    ...sliceLines(explanation, style),
    '',
    ...failureLines(trace, colours.trace),
    '',
    ...sealingLines(trace, sealing),
    '',
    ...preventionLines(trace, [...prevention.defences, ...prevention.alternatives]),
  ]
}

function sliceLines(
  { trace, slice, incidental }: Explanation,
  { colours, changes }: ExplanationStyle,
): string[] {
  const only = new Set(slice.map(({ number }) => number))
  const others = incidental.length === 0 ? '' : `; incidental: ${numberRanges(incidental)}`
  return [
    `depends on ${slice.length} of ${counted(trace.steps.length, 'step')}${others}`,
    '',
    ...stepLines(trace, { style: colours.trace, brief: !changes, only }),
  ]
}

function sealingLines(trace: Trace, { step, atLatest, instead, states }: Sealing): string[] {
  const explored = `${grouped(states)} states explored, without further faults`
  if (step === 0) return [`bound to happen from the initial state on (${explored})`]
  const when = atLatest ? ' at the latest' : ''
  return [
    `bound to happen after step ${step}${when} (${explored})`,
    `    before: ${beforeText(trace, { step, atLatest, states, ...(instead && { instead }) })}`,
  ]
}

function beforeText({ steps }: Trace, { step, atLatest, instead }: Sealing): string {
  if (atLatest)
    return `not known whether it could be avoided after step ${step - 1}; --max-states explores more`
  if (instead !== undefined) return `a way past it was open, beginning with ${callText({ ...instead })}`
  return `without ${callText(steps[step - 1]!)} or another fault nothing more happens`
}

function preventionLines(trace: Trace, remedies: readonly Remedy[]): string[] {
  if (remedies.length === 0)
    return [
      'prevented by nothing that was tried: neither a defence that is switched off nor a single rule of another version',
    ]
  return remedies.flatMap((remedy) => [
    `prevented by ${namesText(remedy)}: ${differenceText(trace, remedy)}`,
    ...laterBlock(trace, remedy),
  ])
}

/** Where it comes to a halt, if that is later than where it goes another way. */
function laterBlock({ steps }: Trace, { step, blocked }: Remedy): string[] {
  if (blocked === undefined || blocked.step === step) return []
  return [
    `    then step ${blocked.step} ${callText(steps[blocked.step - 1]!)} cannot follow: ${blocked.found}`,
  ]
}
