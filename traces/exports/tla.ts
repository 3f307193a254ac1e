/** A trace as a TLA+ module: each state a definition, all of them and the actions between them as sequences. */
import type { Plain } from '../../checker/model.ts'
import type { Trace, TraceStep } from '../../checker/trace.ts'
import { isRecord } from '../plain.ts'
import { callText, stepTitle } from '../text/steps.ts'

export interface TlaOptions {
  /** Has to be the name of the file without `.tla`. */
  readonly module?: string
}

export function writeTla(trace: Trace, { module = 'Trace' }: TlaOptions = {}): string {
  const { states, steps, property, loop } = trace
  const title = `---- MODULE ${isIdentifier(module) ? module : 'Trace'} ----`
  const names = states.map((_, index) => `State${index}`)
  return [
    title,
    comment(`a trace of ${trace.model}${property === undefined ? '' : `, about: ${property.name}`}`),
    'EXTENDS Integers, Sequences, TLC',
    '',
    comment('what is absent: null'),
    'None == [tag |-> "None", value |-> <<>>]',
    '',
    ...states.flatMap((state, index) => stateLines(state, index, steps[index - 1])),
    `Trace == <<${names.join(', ')}>>`,
    '',
    comment('Actions[n] leads from Trace[n] to Trace[n + 1]'),
    `Actions == <<${steps.map((step) => tlaText(callText(step))).join(',\n             ')}>>`,
    ...(loop === undefined
      ? []
      : ['', comment('the last state is this one of Trace again'), `Loop == ${loop + 1}`]),
    '='.repeat(title.length),
    '',
  ].join('\n')
}

function stateLines(state: Plain, index: number, step: TraceStep | undefined): string[] {
  const happened = step === undefined ? 'the initial state' : `${index}. ${stepTitle(step)}`
  return [comment(happened), `State${index} == ${tlaValue(state, '  ')}`, '']
}

/** The fields of a state stand on lines of their own. */
function tlaValue(value: Plain, indent?: string): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return tlaText(value)
  if (Array.isArray(value)) return `<<${value.map((element) => tlaValue(element)).join(', ')}>>`
  return isRecord(value) ? tlaRecord(Object.entries(value), indent) : ''
}

/** A record is a function of texts: what is no name for a field is written as such. Without fields it is the empty one. */
function tlaRecord(entries: readonly (readonly [string, Plain])[], indent?: string): string {
  if (entries.length === 0) return '<<>>'
  const sorted = entries.toSorted(([one], [other]) => (one < other ? -1 : 1))
  const [before, between] = indent === undefined ? ['', ' '] : [`\n${indent}`, `\n${indent}`]
  if (sorted.every(([key]) => isIdentifier(key))) {
    return `[${before}${sorted.map(([key, value]) => `${key} |-> ${tlaValue(value)}`).join(`,${between}`)}]`
  }
  return `(${before}${sorted.map(([key, value]) => `${tlaText(key)} :> ${tlaValue(value)}`).join(` @@${between}`)})`
}

const reserved = new Set(
  (
    'ASSUME ASSUMPTION AXIOM CASE CHOOSE CONSTANT CONSTANTS DOMAIN ELSE ENABLED EXCEPT EXTENDS IF IN INSTANCE LET ' +
    'LOCAL MODULE OTHER SF_ SUBSET THEN THEOREM UNCHANGED UNION VARIABLE VARIABLES WF_ WITH ACTION ASSUME BOOLEAN BY ' +
    'CORROLLARY COROLLARY DEF DEFINE DEFS FALSE HAVE HIDE LAMBDA LEMMA NEW OBVIOUS OMITTED ONLY PICK PROOF ' +
    'PROPOSITION PROVE QED RECURSIVE STATE STRING SUFFICES TAKE TEMPORAL TRUE USE WITNESS'
  ).split(' '),
)

const isIdentifier = (text: string): boolean =>
  /^\w*[A-Za-z]\w*$/.test(text) && !/^(?:WF|SF)_/.test(text) && !reserved.has(text)

const ascii = (text: string): string =>
  text.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Texts have printable ASCII characters alone; others are written by their numbers, as in JSON. */
const tlaText = (text: string): string => `"${ascii(text).replaceAll(/["\\]/g, '\\$&')}"`

const comment = (text: string): string => `\\* ${ascii(text)}`
