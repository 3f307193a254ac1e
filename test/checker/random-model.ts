/**
 * Random small models, as data, and what turns them into models. The programs that they are made of use everything
 * that a model may use: nested containers, blind and nested writes, reads after writes, copies between components,
 * choices (also nested, from the state, and empty), guards before and after writes, several initial states,
 * properties of every kind with antecedents and parts, a constraint, proper termination.
 */
import fc from 'fast-check'
import * as v from 'valibot'
import {
  type Action,
  always,
  alwaysForEach,
  type Claim,
  defineModel,
  type Model,
  type ModelBody,
  type Property,
  reachable,
  type Step,
  type Taken,
  transition,
} from '../../checker/index.ts'

/** Numbers in states stay below this, so that state spaces are small. */
const modulus = 3
const maximalLog = 2

interface RandomRecord {
  count: number
  marks: number[]
}

export interface RandomState {
  cells: number[]
  box: { inner: { left: number }; record: RandomRecord; log: number[] }
  whole: RandomRecord
}

const components = ['cells[]', 'box.inner.left', 'box.record', 'box.log', 'whole']

export type Place =
  | { readonly at: 'cell'; readonly index: number }
  | { readonly at: 'left' }
  | { readonly at: 'count'; readonly of: 'record' | 'whole' }
  | { readonly at: 'mark'; readonly of: 'record' | 'whole'; readonly index: number }

export type Term =
  | { readonly term: 'constant'; readonly value: number }
  | { readonly term: 'place'; readonly place: Place }
  | { readonly term: 'argument' }
  | { readonly term: 'chosen' }
  | { readonly term: 'logLength' }
  | { readonly term: 'sum'; readonly one: Term; readonly two: Term }

export interface Condition {
  readonly relation: 'equal' | 'less' | 'different'
  readonly one: Term
  readonly two: Term
}

export type Statement =
  | { readonly do: 'when'; readonly condition: Condition }
  | { readonly do: 'set'; readonly place: Place; readonly to: Term }
  | { readonly do: 'push'; readonly value: Term }
  | { readonly do: 'clear' }
  | { readonly do: 'copy'; readonly from: 'record' | 'whole'; readonly to: 'record' | 'whole' }
  | {
      readonly do: 'replace'
      readonly of: 'record' | 'whole'
      readonly count: Term
      readonly backwards: boolean
    }
  | { readonly do: 'choose'; readonly options: readonly Term[] }
  | { readonly do: 'chooseFromLog' }
  | { readonly do: 'snapshot' }
  | { readonly do: 'emit' }
  | { readonly do: 'if'; readonly condition: Condition; readonly body: readonly Statement[] }

export interface RandomAction {
  /** Comes first: what rules an action out at once, so that there are states without successors too. */
  readonly guard: Condition | undefined
  readonly argumentValues: readonly number[]
  readonly body: readonly Statement[]
}

export interface RandomProperty {
  readonly kind: 'always' | 'transition' | 'reachable'
  readonly given: Condition | undefined
  /** Each part holds if one of its conditions does, so that it is not violated at once. */
  readonly parts: readonly (readonly Condition[])[]
  /** Of a transition property: whether parts look at the state before, and for which action it says anything. */
  readonly before: boolean
  readonly ofAction: number | undefined
  /** Of an `always`: the arguments that it is judged for, one by one. */
  readonly each: readonly number[] | undefined
}

export interface RandomModel {
  readonly initial: readonly (readonly number[])[]
  readonly actions: readonly RandomAction[]
  readonly properties: readonly RandomProperty[]
  readonly constraint: Condition | undefined
  readonly termination: Condition | undefined
}

const cells = 3
const small = fc.integer({ min: 0, max: modulus - 1 })
const holder = fc.constantFrom('record' as const, 'whole' as const)

const place: fc.Arbitrary<Place> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ at: fc.constant('cell' as const), index: fc.nat(cells - 1) }) },
  fc.constant({ at: 'left' as const }),
  fc.record({ at: fc.constant('count' as const), of: holder }),
  fc.record({ at: fc.constant('mark' as const), of: holder, index: fc.nat(1) }),
)

/** Something that differs between states. */
const variable: fc.Arbitrary<Term> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ term: fc.constant('place' as const), place }) },
  fc.constant({ term: 'argument' as const }),
  fc.constant({ term: 'chosen' as const }),
  fc.constant({ term: 'logLength' as const }),
)
const constant: fc.Arbitrary<Term> = fc.record({ term: fc.constant('constant' as const), value: small })
const sum: fc.Arbitrary<Term> = fc.record({
  term: fc.constant('sum' as const),
  one: variable,
  two: fc.oneof(variable, constant),
})
const term: fc.Arbitrary<Term> = fc.oneof(constant, variable, { weight: 2, arbitrary: sum })

const condition: fc.Arbitrary<Condition> = fc.record({
  relation: fc.constantFrom('equal' as const, 'less' as const, 'different' as const, 'different' as const),
  one: fc.oneof(variable, sum),
  two: fc.oneof({ weight: 2, arbitrary: constant }, variable),
})

const { statement } = fc.letrec<{ statement: Statement }>((tie) => ({
  statement: fc.oneof(
    { depthSize: 'small' },
    { weight: 8, arbitrary: fc.record({ do: fc.constant('set' as const), place, to: term }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('when' as const), condition }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('push' as const), value: term }) },
    fc.constant({ do: 'clear' as const }),
    fc.record({ do: fc.constant('copy' as const), from: holder, to: holder }),
    fc.record({ do: fc.constant('replace' as const), of: holder, count: term, backwards: fc.boolean() }),
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('choose' as const),
        options: fc.array(term, { minLength: 0, maxLength: 3, size: 'max' }),
      }),
    },
    fc.constant({ do: 'chooseFromLog' as const }),
    fc.constant({ do: 'snapshot' as const }),
    fc.constant({ do: 'emit' as const }),
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('if' as const),
        condition,
        body: fc.array(tie('statement'), { minLength: 1, maxLength: 2 }),
      }),
    },
  ),
}))

/** Present in one of `times` cases. */
const sometimes = <Value>(arbitrary: fc.Arbitrary<Value>, times: number) =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

const property: fc.Arbitrary<RandomProperty> = fc.record({
  kind: fc.constantFrom('always' as const, 'transition' as const, 'reachable' as const),
  given: sometimes(condition, 2),
  parts: fc.array(fc.array(condition, { minLength: 1, maxLength: 4, size: 'max' }), {
    minLength: 1,
    maxLength: 2,
  }),
  before: fc.boolean(),
  ofAction: sometimes(fc.nat(3), 2),
  each: sometimes(fc.uniqueArray(small, { minLength: 1, maxLength: modulus }), 2),
})

/** Random models; most have some dozens of states, some a few thousand. */
export const randomModel: fc.Arbitrary<RandomModel> = fc.record({
  initial: fc.array(fc.array(small, { minLength: cells + 3, maxLength: cells + 3 }), {
    minLength: 1,
    maxLength: 3,
  }),
  actions: fc.array(
    fc.record({
      guard: sometimes(condition, 2),
      argumentValues: fc.uniqueArray(small, { minLength: 0, maxLength: 2, size: 'max' }),
      body: fc.array(statement, { minLength: 1, maxLength: 4, size: 'max' }),
    }),
    { minLength: 2, maxLength: 6, size: 'max' },
  ),
  properties: fc.array(property, { maxLength: 3, size: 'max' }),
  constraint: sometimes(condition, 5),
  termination: sometimes(condition, 2),
})

/** Makes a model of its data. */
export function modelOf(random: RandomModel): Model<Record<string, never>, RandomState> {
  return defineModel({
    name: 'random',
    config: v.object({}) as unknown as Model<Record<string, never>, RandomState>['config'],
    build: (): ModelBody<RandomState> => ({
      initialStates: random.initial.map(initialState),
      components,
      actions: random.actions.map(actionOf),
      properties: random.properties.map(propertyOf),
      ...(random.constraint && { constraint: (state) => holds(random.constraint!, state, 0, 0) }),
      ...(random.termination && { properTermination: (state) => holds(random.termination!, state, 0, 0) }),
    }),
  })
}

function initialState(numbers: readonly number[]): RandomState {
  const [left, count, mark, ...rest] = numbers
  return {
    cells: rest,
    box: { inner: { left: left! }, record: { marks: [mark!, 0], count: count! }, log: [] },
    whole: { count: 0, marks: [0, 0] },
  }
}

function actionOf(random: RandomAction, index: number): Action<RandomState> {
  const name = `Act${index}`
  const parameters: Record<string, readonly number[]> =
    random.argumentValues.length === 0 ? {} : { argument: random.argumentValues }
  const body: readonly Statement[] =
    random.guard === undefined ? random.body : [{ do: 'when', condition: random.guard }, ...random.body]
  const recipe: Action<RandomState>['recipe'] = (state, args, step) => {
    perform(body, {
      state,
      step,
      argument: (args as { argument?: number }).argument ?? 0,
      chosen: 0,
      made: 0,
    })
  }
  return { name, parameters, recipe }
}

interface Performing {
  readonly state: RandomState
  readonly step: Step
  readonly argument: number
  chosen: number
  /** Guards and choices made, for their names. */
  made: number
}

function perform(body: readonly Statement[], performing: Performing): void {
  for (const statement of body) performOne(statement, performing)
}

function performOne(statement: Statement, performing: Performing): void {
  const { state, step, argument } = performing
  const number = (term: Term) => evaluate(term, state, argument, performing.chosen)
  switch (statement.do) {
    case 'when':
      step.when(`guard ${performing.made++}`, holds(statement.condition, state, argument, performing.chosen))
      break
    case 'set':
      write(statement.place, number(statement.to), state)
      break
    case 'push':
      if (state.box.log.length < maximalLog) state.box.log.push(number(statement.value))
      break
    case 'clear':
      state.box.log = []
      break
    case 'copy':
      setHolder(state, statement.to, holderOf(state, statement.from))
      break
    case 'replace': {
      const [count, marks] = [number(statement.count), [0, number(statement.count)]]
      // The order of keys must make no difference.
      setHolder(state, statement.of, statement.backwards ? { marks, count } : { count, marks })
      break
    }
    case 'choose':
      performing.chosen = step.choose(`choice ${performing.made++}`, statement.options.map(number))
      break
    case 'chooseFromLog':
      performing.chosen = step.choose(`choice ${performing.made++}`, state.box.log)
      break
    case 'snapshot':
      state.whole.marks = state.cells.slice(0, 2)
      break
    case 'emit':
      step.emit({ kind: 'note', lane: 'model', fields: { left: state.box.inner.left } })
      break
    case 'if':
      if (holds(statement.condition, state, argument, performing.chosen)) perform(statement.body, performing)
  }
}

const holderOf = (state: RandomState, of: 'record' | 'whole') =>
  of === 'record' ? state.box.record : state.whole

function setHolder(state: RandomState, of: 'record' | 'whole', value: RandomRecord): void {
  if (of === 'record') state.box.record = value
  else state.whole = value
}

function write(place: Place, value: number, state: RandomState): void {
  if (place.at === 'cell') state.cells[place.index] = value
  else if (place.at === 'left') state.box.inner.left = value
  else if (place.at === 'count') holderOf(state, place.of).count = value
  else holderOf(state, place.of).marks[place.index] = value
}

function read(place: Place, state: RandomState): number {
  if (place.at === 'cell') return state.cells[place.index]!
  if (place.at === 'left') return state.box.inner.left
  if (place.at === 'count') return holderOf(state, place.of).count
  return holderOf(state, place.of).marks[place.index]!
}

function evaluate(term: Term, state: RandomState, argument: number, chosen: number): number {
  switch (term.term) {
    case 'constant':
      return term.value
    case 'place':
      return read(term.place, state)
    case 'argument':
      return argument
    case 'chosen':
      return chosen
    case 'logLength':
      return state.box.log.length
    case 'sum':
      return (
        (evaluate(term.one, state, argument, chosen) + evaluate(term.two, state, argument, chosen)) % modulus
      )
  }
}

function holds(
  { relation, one, two }: Condition,
  state: RandomState,
  argument: number,
  chosen: number,
): boolean {
  const [first, second] = [evaluate(one, state, argument, chosen), evaluate(two, state, argument, chosen)]
  if (relation === 'equal') return first === second
  return relation === 'less' ? first < second : first !== second
}

const holdsAny = (part: readonly Condition[], state: RandomState, argument: number) =>
  part.some((condition) => holds(condition, state, argument, 2))

/** How many times a property is judged in a state, or for a transition. */
export const judgements = ({ kind, each }: RandomProperty): number =>
  kind === 'always' && each !== undefined ? each.length : 1

function propertyOf(random: RandomProperty, index: number): Property<RandomState> {
  const name = `property ${index}`
  const { given, parts, before: looksBefore, ofAction, each } = random
  const judge = (state: RandomState, claim: Claim, argument = 1) => {
    if (given !== undefined) claim.given('given', holds(given, state, argument - 1, 0))
    parts.forEach((part, position) => {
      claim.that(`part ${position}`, holdsAny(part, state, argument), { left: state.box.inner.left })
    })
  }
  if (random.kind === 'always') {
    if (each === undefined) return always(name, (state: RandomState, claim) => judge(state, claim))
    return alwaysForEach(name, each, (state: RandomState, one, claim) => judge(state, claim, one))
  }
  if (random.kind === 'reachable') {
    return reachable(name, (state) => parts.flat().every((part) => holds(part, state, 1, 2)))
  }
  return transition(name, (before: RandomState, after: RandomState, claim, taken: Taken) => {
    if (ofAction !== undefined && taken.action !== `Act${ofAction}`) return true
    if (taken.choices.some(({ value }) => value === 2) && taken.args.argument === 1)
      return before.cells[0] === 0
    judge(looksBefore ? before : after, claim)
    return before.whole.count <= after.whole.count || before.box.inner.left === after.box.inner.left
  })
}
