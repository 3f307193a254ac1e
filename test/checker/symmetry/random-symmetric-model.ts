/**
 * Random models whose participants are interchangeable, because their actions do nothing with a name but compare it:
 * each participant has a component of its own, their names occur as values, in a set and as keys inside of a component.
 */
import fc from 'fast-check'
import * as v from 'valibot'
import {
  type Action,
  action,
  always,
  alwaysForEach,
  defineModel,
  type Model,
  type Plain,
  type Property,
  reachable,
  type Symmetry,
  transition,
} from '../../../checker/index.ts'

export interface State {
  /** What each participant is up to. */
  local: number[]
  /** What each has told each other one. */
  told: boolean[][]
  leader: number
  waiting: number[]
  marks: Record<string, number>
  shared: number
}

/** What an action asks and does, of the participant that it is given, and perhaps of another one. */
interface Rule {
  readonly when: number
  readonly leader: 'any' | 'self' | 'other' | 'nobody'
  readonly local: number
  readonly effect: 'lead' | 'retire' | 'wait' | 'serve' | 'mark' | 'tell' | 'share' | 'nothing' | 'appoint'
  readonly pairs: boolean
  readonly early: boolean
}

export interface SymmetricModel {
  readonly members: number
  readonly rules: readonly Rule[]
  /** The participants that begin differently: their number. */
  readonly odd: number
  readonly limit: number
  readonly goal: number
}

const rule: fc.Arbitrary<Rule> = fc.record({
  when: fc.integer({ min: 0, max: 2 }),
  leader: fc.constantFrom('any', 'any', 'self', 'other', 'nobody'),
  local: fc.integer({ min: 0, max: 2 }),
  effect: fc.constantFrom('lead', 'retire', 'wait', 'serve', 'mark', 'tell', 'share', 'nothing', 'appoint'),
  pairs: fc.boolean(),
  early: fc.boolean(),
})

export const symmetricModel: fc.Arbitrary<SymmetricModel> = fc.record({
  members: fc.integer({ min: 2, max: 4 }),
  rules: fc.array(rule, { minLength: 1, maxLength: 4 }),
  odd: fc.integer({ min: 0, max: 1 }),
  limit: fc.integer({ min: 0, max: 3 }),
  goal: fc.integer({ min: 0, max: 2 }),
})

const declared = (members: readonly number[]): Symmetry => ({
  sort: 'one',
  members,
  keys: ['local[one]', 'told[one][one]', 'marks[one]'],
  values: ['leader'],
  sets: ['waiting'],
  arguments: ['one', 'other'],
  choices: ['whom'],
})

export function modelOf({ members, rules, odd, limit, goal }: SymmetricModel): Model<unknown, State> {
  const all = Array.from({ length: members }, (_, one) => one)
  const initial: State = {
    local: all.map((one) => (one < odd ? 1 : 0)),
    told: all.map(() => all.map(() => false)),
    leader: -1,
    waiting: [],
    marks: {},
    shared: 0,
  }
  return defineModel<unknown, State>({
    name: 'symmetric',
    config: v.object({}),
    build: () => ({
      initial,
      components: ['local[]', 'told[][]', 'leader', 'waiting', 'marks', 'shared'],
      actions: rules.map((each, index) => actionOf(`rule ${index}`, each, all)),
      properties: propertiesOf(all, limit, goal),
      properTermination: ({ waiting }) => waiting.length === 0,
      constraint: ({ local }) => local.filter((value) => value === 2).length < 3,
      symmetry: [declared(all)],
    }),
  })
}

function actionOf(name: string, rule: Rule, all: readonly number[]): Action<State> {
  const domains = rule.pairs ? { one: all, other: all } : { one: all }
  return action(name, domains as Record<'one' | 'other', number[]>, (state: State, { one, other }, step) => {
    if (rule.pairs) step.when('it is another one', other !== one)
    step.when('it is so far', state.local[one] === rule.when)
    step.when('the leader is right', isRight(rule, state.leader, one))
    // Looks at participants in the order of their names, and stops at the first.
    if (rule.early) {
      step.when(
        'somebody is as far',
        state.local.some((value) => value === rule.local),
      )
    }
    act(rule, state, one, rule.pairs ? other : one, step.choose)
    state.local[one] = rule.local
  })
}

function isRight({ leader }: Rule, now: number, one: number): boolean {
  if (leader === 'any') return true
  if (leader === 'nobody') return now === -1
  return leader === 'self' ? now === one : now !== one && now !== -1
}

function act(
  { effect }: Rule,
  state: State,
  one: number,
  other: number,
  choose: <Option>(name: string, options: readonly Option[]) => Option,
): void {
  switch (effect) {
    case 'lead':
      state.leader = other
      return
    case 'retire':
      state.leader = -1
      return
    case 'wait':
      state.waiting = [...new Set([...state.waiting, other])].sort()
      return
    case 'serve':
      state.waiting = state.waiting.filter((each) => each !== other)
      return
    case 'mark':
      state.marks[other] = Math.min(2, (state.marks[other] ?? 0) + 1)
      return
    case 'tell':
      state.told[one]![other] = true
      return
    case 'share':
      state.shared = Math.min(2, state.shared + 1)
      return
    case 'appoint':
      state.leader = choose('whom', [...state.waiting, one])
      return
    case 'nothing':
  }
}

const propertiesOf = (all: readonly number[], limit: number, goal: number): Property<State>[] => [
  always('not too many', ({ local }, claim) => {
    const many = local.filter((value) => value === 2).length
    claim.that('at most the limit', many <= limit, { many })
  }),
  alwaysForEach('who waits has not told all', all, ({ waiting, told }, one, claim) => {
    claim.given('it waits', waiting.includes(one))
    claim.that('it has not', !told[one]!.every(Boolean), { one })
  }),
  transition('a leader does not mark', (before: State, after, claim, taken) => {
    const marked = all.filter((one) => before.marks[one] !== after.marks[one])
    claim.that('it is not', !marked.includes(before.leader), { marked, by: taken.args.one as Plain })
  }),
  reachable('the goal', ({ local, leader }) => leader >= 0 && local[leader] === goal),
]
