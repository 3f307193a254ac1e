/** How the oracle judges properties: each is evaluated wherever it applies until it is settled, nothing is remembered. */
import type { Claim, ModelBody, Plain } from './model.ts'
import type { PropertyResult, PropertyVerdict } from './result.ts'
import type { FailedPart, Trace, TraceStep } from './trace.ts'

/** A state as JSON text, its level, and how it was reached. */
export type Found = { key: string; level: number; from?: Found; step?: TraceStep }
export type Judged = Pick<PropertyResult, 'name' | 'kind'> & {
  /** One for each thing that it is judged for. */
  holds: ((found: Found, claim: Claim) => unknown)[]
  /** Whether the antecedent has ever held; undefined if the property has none. */
  given?: boolean
  /** Where it was settled, that is: violated or, a `reachable`, witnessed. */
  at?: Found
  failed?: FailedPart
}

/** Those that are selected by name; all but the questions if there is no selection. */
export function judgedProperties<State>(
  { properties, questions = [], properTermination }: ModelBody<State>,
  selection: readonly string[] | undefined,
): Judged[] {
  const state = ({ key }: Found): State => JSON.parse(key)
  const judged = (selection === undefined ? properties : [...properties, ...questions]).flatMap(
    (property): Judged | [] => {
      // Liveness has an oracle of its own.
      if ('to' in property) return []
      const { name, kind } = property
      if (kind === 'reachable') return { name, kind, holds: [(found) => property.holds(state(found))] }
      if (kind === 'always') {
        const each = property.each ?? [null]
        return { name, kind, holds: each.map((one) => (at, claim) => property.holds(state(at), claim, one)) }
      }
      return {
        name,
        kind,
        holds: [(at, claim) => property.holds(state(at.from!), state(at), claim, at.step!)],
      }
    },
  )
  if (properTermination) {
    judged.push({
      name: 'deadlock freedom',
      kind: 'deadlock',
      holds: [(at) => properTermination(state(at))],
    })
  }
  return judged.filter(({ name }) => selection?.includes(name) ?? true)
}

/** Thrown to end an evaluation: the antecedent is false, or a part is. */
const SAID_ALL = new Error('the property has said all it has to say')

/** Evaluates a property, for one thing after the other, until it is settled. */
export function judge(property: Judged, at: Found): void {
  for (const holds of property.holds) if (!property.at) judgeBy(holds, property, at)
}

function judgeBy(holds: Judged['holds'][number], property: Judged, at: Found): void {
  const said: { given?: boolean; failed?: FailedPart; answer?: unknown } = {}
  const saidAll = () => said.given === false || said.failed !== undefined
  const endHereIfAllIsSaid = () => {
    if (saidAll()) throw SAID_ALL
  }
  const claim: Claim = {
    given(_, condition) {
      endHereIfAllIsSaid()
      said.given = condition
      endHereIfAllIsSaid()
    },
    that(part, condition, values = {}) {
      endHereIfAllIsSaid()
      if (!condition) said.failed = { part, values: JSON.parse(JSON.stringify(values)) }
      endHereIfAllIsSaid()
    },
  }
  try {
    said.answer = holds(at, claim)
  } catch (error) {
    if (!saidAll()) throw error
  }
  if (said.given !== undefined) property.given ||= said.given
  const violated = saidAll() ? said.failed !== undefined : said.answer === false
  const settled = property.kind === 'reachable' ? said.answer === true : violated
  if (settled) Object.assign(property, { at, failed: said.failed })
}

/** The verdict, with `unsettled` for what the search did not settle before it stopped. */
export function resultOf(
  { name, kind, given, at, failed }: Judged,
  about: Pick<Trace, 'model' | 'config' | 'defencesOff' | 'background'>,
  unsettled?: PropertyVerdict,
): PropertyResult {
  const reachable = kind === 'reachable'
  if (!at) {
    const verdict = unsettled ?? (reachable ? 'unwitnessed' : 'proved')
    return { name, kind, verdict, vacuous: reachable || given === false }
  }
  const path = [at]
  while (path[0]!.from) path.unshift(path[0]!.from)
  const states = path.map(({ key }): Plain => JSON.parse(key))
  const steps = path.flatMap(({ step }) => step ?? [])
  const trace: Trace = { ...about, states, steps, property: { name, kind, failed } }
  const verdict = reachable ? 'witnessed' : 'violated'
  return { name, kind, verdict, vacuous: false, depth: at.level, failed, trace }
}
