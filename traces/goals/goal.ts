/** A goal: a property of the model by name, or an expression over its states; and the shortest way to it. */
import { check } from '../../checker/check.ts'
import type { Model, Property, ReachableProperty } from '../../checker/model.ts'
import { Player } from '../../checker/player.ts'
import { deadlockFreedom, type Prepared, prepare } from '../../checker/prepare.ts'
import type { CheckOptions, CheckResult } from '../../checker/result.ts'
import { nearest, unknownName } from '../../checker/suggest.ts'
import type { Trace } from '../../checker/trace.ts'
import { Evaluator, type Trouble } from './evaluate.ts'
import { asGoal } from './found.ts'
import { refuseUnknownPaths } from './known.ts'
import { withViolated } from './on-the-way.ts'
import { parseExpression } from './parse.ts'
import { wrong } from './tokens.ts'

export type GoalOptions = Omit<CheckOptions, 'properties' | 'continueAfterViolation' | 'counterexamples'>

/** Names a witness of no property, and so never clashes with the name of one in a selection. */
const denied = 'the goal is not reached'

/**
 * Looks for the shortest behaviour that violates (or witnesses) a property, or that reaches a state in which an
 * expression is true.
 *
 * The first property of the result is the goal. If it is reached in a state, the others are those that the way to it
 * violates.
 *
 * @throws UsageError (rejects) for an expression that is none, that names what is in no state, and as `check` does
 */
export async function reach<Config, State>(
  model: Model<Config, State>,
  config: unknown,
  goal: string,
  options: GoalOptions = {},
): Promise<CheckResult> {
  const prepared = prepare(model, config, options)
  const named = allProperties(prepared).find(({ name }) => name === goal)
  if (goal === deadlockFreedom || (named !== undefined && named.kind !== 'reachable')) {
    return check(model, config, { ...options, properties: [goal] })
  }
  const { holds, evaluator } =
    named === undefined ? compiled(goal, prepared) : { ...named, evaluator: undefined }
  const asked = withProperty(model, { kind: 'always', name: denied, holds: (state: State) => !holds(state) })
  // An expression may tell interchangeable participants apart.
  const symmetry = named === undefined ? { symmetry: false } : {}
  const found = await check(asked, config, { ...options, ...symmetry, properties: [denied] })
  const result = asGoal(found, denied, goal)
  const trace = result.properties[0]?.trace
  if (trace !== undefined) return withViolated(result, trace, new Player(prepared))
  const [trouble] = evaluator?.troubles ?? []
  if (trouble !== undefined) throw neverThere(trouble)
  const [hint] = evaluator?.neverEqual ?? []
  if (hint === undefined || result.properties[0]?.verdict !== 'unwitnessed') return result
  return { ...result, properties: [{ ...result.properties[0], reason: hintText(hint) }] }
}

/** More would not be read. */
const shownTexts = 8

function hintText({ at, wanted, seen }: Evaluator['neverEqual'][number]): string {
  const shown = seen.slice(0, shownTexts).map((text) => `'${text}'`)
  const more = seen.length > shownTexts ? ', ...' : ''
  return `wherever the comparison at character ${at} was made, what was there was never '${wanted}', but ${shown.join(', ')}${more}`
}

/** A model that also has the goal of a trace, if its goal is no property that the model has. */
export function withGoalOf<Config, State>(
  model: Model<Config, State>,
  { property }: Trace,
): Model<Config, State> {
  if (property?.kind !== 'reachable') return model
  const { name } = property
  return {
    ...model,
    build: (config, context) => {
      const body = model.build(config, context)
      const known = [...body.properties, ...(body.questions ?? [])].some((each) => each.name === name)
      const [first = {}] = body.initialStates ?? [body.initial]
      if (known || !isExpression(name, Object.keys(first as object))) return body
      const evaluator = new Evaluator(parseExpression(name))
      const goal: ReachableProperty<State> = {
        kind: 'reachable',
        name,
        holds: (state) => evaluator.holds(state),
      }
      return { ...body, questions: [...(body.questions ?? []), goal] }
    },
  }
}

const allProperties = ({ body }: Prepared): readonly Property<unknown>[] => [
  ...body.properties,
  ...(body.questions ?? []),
]

function withProperty<Config, State>(
  model: Model<Config, State>,
  property: Property<State>,
): Model<Config, State> {
  return {
    ...model,
    build: (config, context) => ({ ...model.build(config, context), properties: [property], questions: [] }),
  }
}

function compiled(text: string, prepared: Prepared) {
  const { shape } = prepared
  if (!isExpression(text, [...shape.root.children.keys()])) {
    const names = [...allProperties(prepared).map(({ name }) => name), deadlockFreedom]
    throw unknownName('property', text, names, 'goal')
  }
  const expression = parseExpression(text)
  refuseUnknownPaths(expression, shape)
  const evaluator = new Evaluator(expression)
  return { evaluator, holds: (state: unknown) => evaluator.holds(state) }
}

/** Names of properties are words; an expression compares, has brackets, or begins with a part of the state. */
function isExpression(text: string, parts: readonly string[]): boolean {
  const [, word = ''] = /^\s*(?:not\s+)?([\p{L}\p{N}_$]+)/u.exec(text) ?? []
  return /[=<>!()[\].]/.test(text) || parts.includes(word)
}

function neverThere({ at, found, known }: Trouble) {
  const [, key] = /^there is no '(.*)' in /.exec(found) ?? []
  const near = key === undefined ? undefined : nearest(key, known)
  return wrong(
    `${found}, in every state that was looked at`,
    at,
    known.length === 0 ? 'what makes sense in at least one state' : `one of: ${known.join(', ')}`,
    near === undefined ? undefined : `did you mean '${near}'?`,
  )
}
