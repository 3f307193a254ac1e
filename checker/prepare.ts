/** What every engine does first: validates what it was given and builds the model for it. */
import { type BaseIssue, getDotPath, safeParse } from 'valibot'
import { FencepostError, ModelError, UsageError } from './errors.ts'
import { type Instance, instancesOf } from './instances.ts'
import { type Promised, promisedOf } from './liveness/fairness.ts'
import type {
  DefenceInfo,
  LivenessProperty,
  Model,
  ModelBody,
  Plain,
  Property,
  SafetyProperty,
} from './model.ts'
import { demandOneLine } from './one-line.ts'
import { canonical, displayed } from './plain.ts'
import { Rewriter, upTo } from './quotient.ts'
import type { FaultFilter } from './recipe-run.ts'
import type { CheckOptions } from './result.ts'
import { componentsOf, type Shape, shapeOf } from './shape.ts'
import { unknownName } from './suggest.ts'
import { Symmetries } from './symmetry/symmetries.ts'

/** The name under which deadlock freedom is selected and reported. */
export const deadlockFreedom = 'deadlock freedom'

/** A model built for one configuration and one set of defences. */
export interface Prepared {
  readonly name: string
  readonly config: Plain
  readonly defencesOff: readonly string[]
  readonly body: ModelBody<unknown>
  readonly shape: Shape
  /** The values of the components of each initial state, canonical. */
  readonly initial: readonly (readonly Plain[])[]
  readonly instances: readonly Instance[]
  /** Which kinds of faults may happen: all, unless somebody looks for what needs fewer. */
  readonly happens: FaultFilter
  /** The selected ones that are judged while states are found, as declared. */
  readonly properties: readonly SafetyProperty<unknown>[]
  /** The selected ones that are judged on the graph of all states, as declared. */
  readonly liveness: readonly Promised[]
  /** Whether deadlock freedom is selected (and defined). */
  readonly checksDeadlock: boolean
  /** What may be renamed, if there is anything. */
  readonly symmetries?: Symmetries
}

/**
 * @throws UsageError 'invalid-configuration' or 'unknown-name' if the configuration, a defence or a property does
 * not exist; ModelError 'invalid-model' if the model cannot be what it says
 */
export function prepare<Config, State>(
  model: Model<Config, State>,
  configuration: unknown,
  options: Pick<CheckOptions, 'defencesOff' | 'properties'> = {},
): Prepared {
  const config = validConfig(model, configuration)
  const defencesOff = validDefencesOff(model, config, options.defencesOff ?? [])
  const body = built(model, config, defencesOff) as ModelBody<unknown>
  const states = initialStatesOf(body)
  const shape = shapeOf(states[0]!, body.components)
  const { quotient } = body
  const instances = instancesOf(quotient === undefined ? body.actions : upTo(quotient, body.actions))
  const initial = states.map((state, index) => componentsOf(shape, state, `initial state ${index}`))
  const { properties, checksDeadlock } = selectedProperties(body, options.properties)
  const live = properties.filter(isLiveness)
  const symmetries = body.symmetry && new Symmetries(body.symmetry, shape, instances)
  return {
    name: model.name,
    config: displayed(config),
    defencesOff,
    body,
    shape,
    initial: quotient === undefined ? initial : rewritten(initial, new Rewriter(shape, quotient)),
    instances,
    happens: () => true,
    properties: properties.filter((property) => !isLiveness(property)) as SafetyProperty<unknown>[],
    liveness: live.map((property) => promisedOf(property, instances)),
    checksDeadlock,
    ...(symmetries === undefined ? {} : { symmetries }),
  }
}

const rewritten = (states: readonly (readonly Plain[])[], rewriter: Rewriter) =>
  states.map((values) => rewriter.rewritten(values))

const isLiveness = (property: Property<unknown>): property is LivenessProperty<unknown> => 'to' in property

function validConfig<Config, State>(model: Model<Config, State>, configuration: unknown): Config {
  const result = safeParse(model.config, configuration)
  if (result.success) return result.output
  const [issue] = result.issues
  const place = getDotPath(issue)
  throw new UsageError({
    code: 'invalid-configuration',
    found: foundIn(issue),
    where: place === null ? `configuration of ${model.name}` : `configuration of ${model.name}, ${place}`,
    ...(issue.expected === null ? {} : { expected: alternatives(issue.expected) }),
  })
}

/** What was found, without the repetition of what is expected. */
function foundIn({
  message,
  received,
  input,
}: Pick<BaseIssue<unknown>, 'message' | 'received' | 'input'>): string {
  if (!/^Invalid (type|value): /.test(message)) return message
  return `${typeof input === 'object' && input !== null ? 'an object' : received} will not do`
}

/** `("a" | "b")` in words: one of "a", "b". */
const alternatives = (expected: string): string =>
  expected.replace(/^\((.*)\)$/, (_, options: string) => `one of ${options.replaceAll(' | ', ', ')}`)

function validDefencesOff<Config, State>(
  model: Model<Config, State>,
  config: Config,
  names: readonly string[],
): readonly string[] {
  const known = model.defences ?? []
  for (const name of names) {
    const defence = known.find((candidate) => candidate.name === name)
    if (defence === undefined)
      throw unknownName(
        'defence',
        name,
        known.map((each) => each.name),
      )
    if (!applies(defence, config)) {
      throw new UsageError({
        code: 'unknown-name',
        found: `this configuration has no defence '${name}' that could be switched off`,
        expected: `one of: ${known
          .filter((each) => applies(each, config))
          .map((each) => each.name)
          .join(', ')}`,
      })
    }
  }
  return [...new Set(names)]
}

const applies = <Config>({ appliesTo }: DefenceInfo<Config>, config: Config) => appliesTo?.(config) ?? true

function built<Config, State>(
  model: Model<Config, State>,
  config: Config,
  defencesOff: readonly string[],
): ModelBody<State> {
  const active = new Map<string, boolean>()
  demandOneLine(
    'a defence',
    (model.defences ?? []).map(({ name }) => name),
  )
  for (const defence of model.defences ?? []) {
    active.set(defence.name, applies(defence, config) && !defencesOff.includes(defence.name))
  }
  const has = (name: string): boolean => {
    const known = active.get(name)
    if (known !== undefined) return known
    const { details } = unknownName('defence', name, [...active.keys()], `model ${model.name}`)
    throw new ModelError({ ...details, code: 'invalid-model' })
  }
  try {
    return model.build(config, { defences: { has } })
  } catch (error) {
    if (error instanceof FencepostError) throw error
    const found = `building it throws ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`
    throw new ModelError({ code: 'invalid-model', found, where: `model ${model.name}` }, { cause: error })
  }
}

function initialStatesOf({ initial, initialStates }: ModelBody<unknown>): readonly Plain[] {
  const states = initialStates ?? (initial === undefined ? [] : [initial])
  if (states.length === 0 || (initial !== undefined && initialStates !== undefined)) {
    throw new ModelError({
      code: 'invalid-model',
      found:
        states.length === 0 ? 'there is no initial state' : "both 'initial' and 'initialStates' are given",
      expected: "one initial state in 'initial', or at least one in 'initialStates'",
    })
  }
  return states.map((state, index) => canonical(state, `initial state ${index}`))
}

function selectedProperties(
  { properties, questions = [], properTermination }: ModelBody<unknown>,
  selection: readonly string[] | undefined,
): { readonly properties: readonly Property<unknown>[]; readonly checksDeadlock: boolean } {
  const all = [...properties, ...questions]
  const names = all.map(({ name }) => name)
  demandOneLine('a property', names)
  const duplicate = names.find((name, index) => names.indexOf(name) !== index || name === deadlockFreedom)
  if (duplicate !== undefined) {
    throw new ModelError({ code: 'invalid-model', found: `the property name '${duplicate}' is taken twice` })
  }
  const known = properTermination === undefined ? names : [...names, deadlockFreedom]
  for (const name of selection ?? []) if (!known.includes(name)) throw unknownName('property', name, known)
  const selected = (name: string) => selection?.includes(name) ?? true
  return {
    properties: selection === undefined ? properties : all.filter(({ name }) => selected(name)),
    checksDeadlock: properTermination !== undefined && selected(deadlockFreedom),
  }
}
