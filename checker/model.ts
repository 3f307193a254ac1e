/**
 * The vocabulary in which a model is written: state, actions, properties.
 *
 * A model is data and pure functions. The engines (and the oracle that they are tested against) only ever
 * see what is declared here.
 */
import type { GenericSchema } from 'valibot'
import type { Lane, StateView, StepEvent } from './view.ts'

/** What a state, an argument or a choice may consist of: JSON with safe integers, nothing else. */
export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain }

/** What a recipe may ask of the checker while it runs. */
export interface Step {
  /** Disables the action in this state unless `condition` holds. The name is shown where the action is blocked. */
  when(guard: string, condition: boolean): void
  /** Nondeterminism: every option is explored, the choice is recorded. No option means: disabled. */
  choose<Option>(name: string, options: readonly Option[]): Option
  /** Describes the step for people. Never part of the state. */
  emit(event: StepEvent): void
  /** Says that this step is a fault of a kind ('crashes'), so that one can ask which faults it takes to break something. */
  fault(kind: string): void
}

/** The finite domains of an action's arguments; an action has one instance for each combination of values. */
export type Domains = Record<string, readonly unknown[]>
/** The arguments of one instance. */
export type Arguments<Parameters extends Domains> = {
  readonly [Name in keyof Parameters]: Parameters[Name][number]
}

/** An atomic step of the system: a recipe that mutates a draft of the state and returns nothing. */
export interface Action<State> {
  readonly name: string
  readonly parameters: Domains
  readonly recipe: (state: State, args: Record<string, never>, step: Step) => void
}

/**
 * Declares an action.
 *
 * The recipe must be deterministic: same state and same choices, same writes. Annotate `state` so that the
 * argument types are inferred: `action('Prepare', { rm: [0, 1] }, (state: State, { rm }, step) => { ... })`.
 */
export function action<State, const Parameters extends Domains>(
  name: string,
  parameters: Parameters,
  recipe: (state: State, args: Arguments<Parameters>, step: Step) => void,
): Action<State> {
  return { name, parameters, recipe: recipe as unknown as Action<State>['recipe'] }
}

/** What a property may say about itself while it is evaluated. */
export interface Claim {
  /** The antecedent. Where it is false the property says nothing; if it is never true the verdict is vacuous. */
  given(name: string, condition: boolean): void
  /** One named part of the property. The first false part is reported, with `values`. */
  that(name: string, condition: boolean, values?: Record<string, unknown>): void
}

/** The transition that a transition property judges. */
export interface Taken {
  readonly action: string
  readonly args: Readonly<Record<string, Plain>>
  readonly choices: readonly Choice[]
}

export interface Choice {
  readonly name: string
  readonly value: Plain
}

interface PropertyBase {
  readonly name: string
  /** One sentence for people, and where the promise is made (class, KIP, documentation). */
  readonly summary?: string
  readonly sources?: readonly string[]
}

export interface AlwaysProperty<State> extends PropertyBase {
  readonly kind: 'always'
  /** What it is judged for, one by one; it holds if it holds for each. Absent: it is judged once. */
  readonly each?: readonly Plain[]
  readonly holds: (state: State, claim: Claim, one: Plain) => boolean | undefined | void
}
export interface TransitionProperty<State> extends PropertyBase {
  readonly kind: 'transition'
  readonly holds: (before: State, after: State, claim: Claim, taken: Taken) => boolean | undefined | void
}
export interface ReachableProperty<State> extends PropertyBase {
  readonly kind: 'reachable'
  readonly holds: (state: State) => boolean
}
/**
 * Which instances of actions are not put off for ever. Each instance of a named action is fair by itself; a label such
 * as `Deliver(client: 0)` names one alone.
 */
export interface Fairness {
  /** An instance that can always happen from some point on does happen again and again. */
  readonly weak?: readonly string[]
  /** An instance that can happen again and again does happen again and again. */
  readonly strong?: readonly string[]
  /**
   * What is not fair need not happen at all, such as faults: a behaviour may also stop for ever where nothing fair can
   * happen. If absent, it goes on as long as anything can.
   */
  readonly mayStop?: boolean
}

export interface LivenessProperty<State> extends PropertyBase {
  readonly kind: 'eventually' | 'leadsTo' | 'alwaysEventually'
  /** Of `leadsTo`: where the promise is made. */
  readonly from?: (state: State) => boolean
  /** Where the promise is kept. */
  readonly to: (state: State) => boolean
  readonly fairness: Fairness
}

/** A property that a finite behaviour violates or witnesses. */
export type SafetyProperty<State> =
  | AlwaysProperty<State>
  | TransitionProperty<State>
  | ReachableProperty<State>
export type Property<State> = SafetyProperty<State> | LivenessProperty<State>

type About = Pick<PropertyBase, 'summary' | 'sources'>

/** Holds in every reachable state. The predicate returns false, or a part of its claim fails, where it does not. */
export const always = <State>(
  name: string,
  holds: AlwaysProperty<State>['holds'],
  about: About = {},
): AlwaysProperty<State> => ({ kind: 'always', name, holds, ...about })

/**
 * As `always`, for each of several things alike: the partitions, the clients. It says the same as one property with a
 * loop, but what is known of one of them is remembered apart from what the others are like at that moment: judge
 * one by one what is decided by the components of one.
 */
export const alwaysForEach = <State, One extends Plain>(
  name: string,
  each: readonly One[],
  holds: (state: State, one: One, claim: Claim) => boolean | undefined | void,
  about: About = {},
): AlwaysProperty<State> => ({
  kind: 'always',
  name,
  each,
  holds: (state, claim, one) => holds(state, one as One, claim),
  ...about,
})

/** Holds on every transition, also on those into states already known and on self-loops. */
export const transition = <State>(
  name: string,
  holds: TransitionProperty<State>['holds'],
  about: About = {},
): TransitionProperty<State> => ({ kind: 'transition', name, holds, ...about })

/** Must be true in some reachable state, or the run fails: the cure for a model that proves things by doing nothing. */
export const reachable = <State>(
  name: string,
  holds: ReachableProperty<State>['holds'],
  about: About = {},
): ReachableProperty<State> => ({ kind: 'reachable', name, holds, ...about })

type AboutLiveness = About & { readonly fairness?: Fairness }

/**
 * Is true at some time in every behaviour that is fair. Behaviours go on as long as anything can happen; one that has
 * ended stays in its last state for ever. Without fairness any action may be put off for ever by others.
 */
export const eventually = <State>(
  name: string,
  to: LivenessProperty<State>['to'],
  { fairness = {}, ...about }: AboutLiveness = {},
): LivenessProperty<State> => ({ kind: 'eventually', name, to, fairness, ...about })

/** Whenever `from` is true, `to` is true then or later, in every fair behaviour. Vacuous if `from` is never true. */
export const leadsTo = <State>(
  name: string,
  from: (state: State) => boolean,
  to: LivenessProperty<State>['to'],
  { fairness = {}, ...about }: AboutLiveness = {},
): LivenessProperty<State> => ({ kind: 'leadsTo', name, from, to, fairness, ...about })

/** Is true again and again, without end, in every fair behaviour. */
export const alwaysEventually = <State>(
  name: string,
  to: LivenessProperty<State>['to'],
  { fairness = {}, ...about }: AboutLiveness = {},
): LivenessProperty<State> => ({ kind: 'alwaysEventually', name, to, fairness, ...about })

/** The protective rules that are active: a rule that is switched off is skipped, so that one sees what it was for. */
export interface Defences {
  has(name: string): boolean
}

/** A protective rule, by name. */
export interface DefenceInfo<Config = unknown> {
  readonly name: string
  readonly summary: string
  readonly sources: readonly string[]
  /** False where the configuration does not have this rule at all (an older version, say). */
  readonly appliesTo?: (config: Config) => boolean
}

/**
 * Participants that differ by their names alone: whatever they do, it could be any of them. States that are the same
 * up to renaming are then explored once. Paths are written like components, with `[sort]` in the place of `[]` where
 * the keys (or indices) are names: `'managers[manager]'`. What is declared is tested during the search; see the guide.
 */
export interface Symmetry {
  /** What they are: 'manager'. */
  readonly sort: string
  /** Their names. */
  readonly members: readonly (string | number)[]
  /** Where their names are keys or indices, in the state and inside of components: `'network[client][]'`. */
  readonly keys?: readonly string[]
  /** Where a value is a name, if it is one: `'coordinator.leader'`, `'log[].writer'`. */
  readonly values?: readonly string[]
  /** Where a sorted array holds names, so that it is sorted again: `'coordinator.participants'`. */
  readonly sets?: readonly string[]
  /** Parameters of actions that are names, where actions have them. */
  readonly arguments?: readonly string[]
  /** Choices, by what they are called in `step.choose`, whose options are names. */
  readonly choices?: readonly string[]
}

/** What `build` makes of a configuration. */
export interface ModelBody<State> {
  /** One initial state, or several in `initialStates`. Plain data; it fixes the shape of all states. */
  readonly initial?: State
  readonly initialStates?: readonly State[]
  /**
   * Paths that split the state into components, the units of drafting, interning and memoising: `'tm'`, `'rm[]'`
   * (each element), `'partition[].log'`, `'network[][]'`; `[]` also runs over the keys of an object. Every leaf
   * of the state lies in exactly one component.
   */
  readonly components: readonly string[]
  readonly actions: readonly Action<State>[]
  /**
   * Rewrites a state to the one that stands for all those that behave like it, so that what only grows comes back: renames
   * epochs and ids by their order, drops what nobody will ask for any more. It changes a draft, like a recipe, after
   * each action and in the initial states; searches, properties and traces know no other states. Whoever gives it
   * promises that every action, by the same arguments, and every property mean the same before and after it.
   */
  readonly quotient?: (state: State) => void
  readonly properties: readonly Property<State>[]
  /**
   * Judged only if they are selected by name: what may be asked of the model without being promised by it, such as
   * whether a record can be lost where nothing is done against it.
   */
  readonly questions?: readonly Property<State>[]
  /** If given, a state without successors in which this is false is a deadlock. If absent, deadlock is not looked for. */
  readonly properTermination?: (state: State) => boolean
  /** A state in which this is false is counted and checked, its successors are not made; the verdict is then 'bounded'. */
  readonly constraint?: (state: State) => boolean
  /** Participants that may be renamed without changing anything; see `Symmetry`. */
  readonly symmetry?: readonly Symmetry[]
  /** The participants, for people. */
  readonly lanes?: readonly Lane[]
  /** What a diagram shows of a state: a pure function that never changes it. */
  readonly view?: (state: State) => StateView
  /** Paths of bookkeeping, written like components, whose changes a printed trace leaves out unless asked for them. */
  readonly background?: readonly string[]
}

/** A model: a function from a validated configuration to states, actions and properties. */
export interface Model<Config, State> {
  readonly name: string
  readonly summary?: string
  /** Validates and completes a configuration. */
  readonly config: GenericSchema<unknown, Config>
  readonly defences?: readonly DefenceInfo<Config>[]
  readonly build: (config: Config, context: { readonly defences: Defences }) => ModelBody<State>
}

/** Gives a model its types; checks nothing until it is built. */
export const defineModel = <Config, State>(model: Model<Config, State>): Model<Config, State> => model
