/** What a search up to renaming reports: counts, real names, and when it does not rename at all. */
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  action,
  always,
  check,
  defineModel,
  eventually,
  type ModelBody,
  type ModelError,
  type Symmetry,
  transition,
} from '../../../checker/index.ts'
import { explore } from '../../../checker/interning/engine.ts'
import { prepare } from '../../../checker/prepare.ts'

interface State {
  ready: boolean[]
  leader: number
}
const members = [0, 1, 2]
const symmetry: Symmetry = {
  sort: 'one',
  members,
  keys: ['ready[one]'],
  values: ['leader'],
  arguments: ['one'],
}

const modelOf = (body: Partial<ModelBody<State>> = {}) =>
  defineModel<unknown, State>({
    name: 'small',
    config: v.object({}),
    build: () => ({
      ...(body.initialStates === undefined
        ? { initial: { ready: members.map(() => false), leader: -1 } }
        : {}),
      components: ['ready[]', 'leader'],
      properties: [],
      actions: [
        action('BecomeReady', { one: members }, (state: State, { one }, step) => {
          step.when('it is not ready', !state.ready[one])
          state.ready[one] = true
        }),
        action('Lead', { one: members }, (state: State, { one }, step) => {
          step.when('it is ready', state.ready[one] === true)
          step.when('nobody leads', state.leader < 0)
          state.leader = one
        }),
      ],
      symmetry: [symmetry],
      ...body,
    }),
  })

describe('real names', () => {
  test('a story tells the faults of its steps, so that other ways to break a property are found', async () => {
    const faulty = (name: string, value: number) =>
      action(name, { one: members }, (state: State, { one }, step) => {
        step.fault(name)
        step.when('it is ready', state.ready[one] === true && state.leader === -1)
        state.leader = value
      })
    const body = modelOf().build({}, { defences: { has: () => true } })
    const model = modelOf({
      actions: [body.actions[0]!, faulty('losses', -2), faulty('crashes', -3)],
      properties: [always('nothing is odd', ({ leader }: State) => leader >= -1)],
    })
    const { properties, symmetry: used } = await check(model, {}, { counterexamples: 3 })
    expect(used?.unused).toBeUndefined()
    const { found, complete } = properties[0]!.ways!
    expect(found.map(({ faults }) => faults)).toEqual([['losses'], ['crashes']])
    expect(complete).toBe(true)
  })

  test('a story begins where the model begins, and a violation names who is in it', async () => {
    const alone = always('the leader is not alone', ({ ready, leader }: State, claim) => {
      claim.that('others are ready', leader < 0 || ready.filter(Boolean).length > 1, { leader })
    })
    const { properties } = await check(modelOf({ properties: [alone] }), {})
    const { trace, failed } = properties[0]!
    expect(trace?.states).toEqual([
      { ready: [false, false, false], leader: -1 },
      { ready: [true, false, false], leader: -1 },
      { ready: [true, false, false], leader: 0 },
    ])
    expect(trace?.steps.map(({ args }) => args)).toEqual([{ one: 0 }, { one: 0 }])
    expect(failed).toEqual({ part: 'others are ready', values: { leader: 0 } })
  })

  test('of an initial state in which one participant differs', async () => {
    const initialStates = [{ ready: [false, true, false], leader: -1 }]
    const led = always('nobody leads', ({ leader }: State, claim) => {
      claim.that('there is no leader', leader < 0, { leader })
    })
    const [reduced, whole] = await Promise.all(
      [true, false].map((used) =>
        check(
          modelOf({ properties: [led], initialStates }),
          {},
          { symmetry: used, continueAfterViolation: true },
        ),
      ),
    )
    expect(reduced!.properties).toEqual(whole!.properties)
    expect(reduced!.properties[0]!.trace?.states).toEqual([
      { ready: [false, true, false], leader: -1 },
      { ready: [false, true, false], leader: 1 },
    ])
    expect(reduced!.states.distinct).toBeLessThan(whole!.states.distinct)
  })

  test('initial states that are the same up to renaming are one', async () => {
    const initialStates = members.map((first) => ({
      ready: members.map((one) => one === first),
      leader: -1,
    }))
    const { states } = await check(modelOf({ initialStates, actions: [] }), {})
    expect(states).toEqual({ distinct: 1, generated: 3 })
  })

  test('properties of steps see the state after by the names of the state before', async () => {
    // Whoever leads goes on leading: renamed on the way, the leader would seem to change.
    const stays = transition('the leader stays', (before: State, after, claim) => {
      claim.given('there is one', before.leader >= 0)
      claim.that('it is the same', before.leader === after.leader, { leader: after.leader })
    })
    const result = await check(modelOf({ properties: [stays] }), {})
    expect(result.verdict).toBe('proved')
    expect(result.properties[0]!.vacuous).toBe(false)
  })

  test('a model that fails does so by the names of the way to it', async () => {
    const fails = always('no failure', ({ leader }: State) => {
      if (leader >= 0) throw new Error(`${leader} leads`)
    })
    const error: ModelError = await check(modelOf({ properties: [fails] }), {}).catch((caught) => caught)
    const last = error.trace!.states.at(-1) as unknown as State
    expect(error.details.found).toContain(`${last.leader} leads`)
    expect(error.trace!.states).toHaveLength(3)
  })
})

describe('who looks alike', () => {
  // Whoever knows as many as the others, and is known by as many, may still not be exchangeable: in a ring, say.
  test.each([
    [2, 3],
    [3, 16],
    [4, 218],
  ])('%i people who know one another or not: %i ways (OEIS A000273)', async (count, ways) => {
    const people = Array.from({ length: count }, (_, one) => one)
    const acquaintance = defineModel<unknown, { knows: boolean[][] }>({
      name: 'acquaintance',
      config: v.object({}),
      build: () => ({
        initial: { knows: people.map(() => people.map(() => false)) },
        components: ['knows[][]'],
        actions: [
          action(
            'Meet',
            { one: people, other: people },
            (state: { knows: boolean[][] }, { one, other }, step) => {
              step.when('it is another one', one !== other)
              state.knows[one]![other] = true
            },
          ),
        ],
        properties: [],
        symmetry: [{ sort: 'one', members: people, keys: ['knows[one][one]'], arguments: ['one', 'other'] }],
      }),
    })
    const { states, symmetry: used } = await check(acquaintance, {})
    expect(states.distinct).toBe(ways)
    expect(used?.complete).toBe(true)
  })
})

describe('without memory for what is remembered', () => {
  test('states are renamed all the same, but the result does not claim that every case was tested', async () => {
    const { states, symmetry: used } = await explore(prepare(modelOf(), {}), { memoBytes: 1 })
    expect(states.distinct).toBe((await check(modelOf(), {})).states.distinct)
    expect(used?.complete).toBe(false)
  })
})

describe('several sorts', () => {
  test('who talks to whom, up to renaming of both', async () => {
    const clients = ['ann', 'bob', 'cid']
    const brokers = [1, 2]
    const lines = Object.fromEntries(clients.map((client) => [client, { 0: false, 1: false, 2: false }]))
    const network = defineModel<unknown, { lines: Record<string, Record<number, boolean>> }>({
      name: 'network',
      config: v.object({}),
      build: () => ({
        initial: { lines },
        components: ['lines[][]'],
        actions: [
          action(
            'Call',
            { client: clients, broker: brokers },
            ({ lines }: { lines: Record<string, Record<number, boolean>> }, { client, broker }) => {
              lines[client]![broker] = true
            },
          ),
        ],
        properties: [],
        symmetry: [
          { sort: 'client', members: clients, keys: ['lines[client][broker]'], arguments: ['client'] },
          { sort: 'broker', members: brokers, arguments: ['broker'] },
        ],
      }),
    })
    const { states, symmetry: used } = await check(network, {})
    // Matrices of 3 x 2 bits up to exchanging rows and columns (Burnside): 13.
    expect(states.distinct).toBe(13)
    expect((await check(network, {}, { symmetry: false })).states.distinct).toBe(64)
    expect(used?.complete).toBe(true)
  })
})

describe('when nothing is renamed', () => {
  const some = eventually('somebody leads', ({ leader }: State) => leader >= 0, {
    fairness: { weak: ['BecomeReady', 'Lead'] },
  })

  test('with a property of whole behaviours, and the result says why', async () => {
    const { states, symmetry: used, verdict } = await check(modelOf({ properties: [some] }), {})
    expect(verdict).toBe('proved')
    expect(states.distinct).toBe(20)
    expect(used).toEqual({
      sorts: [],
      tests: 0,
      complete: true,
      unused: "'somebody leads' is about whole behaviours, in which everybody is followed by name",
    })
  })

  test('if it is switched off, or nothing is declared, or there is nobody to exchange', async () => {
    expect((await check(modelOf(), {}, { symmetry: false })).symmetry).toBeUndefined()
    expect((await check(modelOf({ symmetry: [] }), {})).symmetry).toBeUndefined()
    const alone = { sort: 'one', members: [0] }
    expect((await check(modelOf({ symmetry: [alone] }), {})).symmetry).toBeUndefined()
  })
})

describe('a declaration that does not fit', () => {
  const refused = async (part: Partial<Symmetry>) => {
    const declared = { ...symmetry, ...part }
    const error = await check(modelOf({ symmetry: [declared] }), {}).catch((caught) => caught)
    expect(error.code).toBe('invalid-model')
    return error.message.split('\n')[0]
  }

  test.each<[string, Partial<Symmetry>]>([
    ["symmetry: the sort 'a.b'", { sort: 'a.b' }],
    ["symmetry: a member of the sort 'one' is listed twice", { members: [0, 1, 1] }],
    ["symmetry: 0.5 among the members of 'one'", { members: [0, 1, 0.5] }],
    ["symmetry: 'ready' has no key '3', which is a one", { members: [0, 1, 2, 3] }],
    ["symmetry: the path 'ready[]' among the keys of 'one'", { keys: ['ready[]'] }],
    ["symmetry: 'ready..x' is no path to names", { values: ['ready..x'] }],
    [
      "symmetry: the path 'ready[two]' names the sort 'two', which is not declared",
      { values: ['ready[two]'] },
    ],
    ["symmetry: the path 'laeder' leads nowhere", { values: ['laeder'] }],
  ])('%s', async (message, part) => {
    expect(await refused(part)).toBe(message)
  })

  test('a sort that is declared twice', async () => {
    const error = await check(modelOf({ symmetry: [symmetry, symmetry] }), {}).catch((caught) => caught)
    expect(error.message).toContain("the sort 'one' is declared twice")
  })

  test('an action for some of the members only', async () => {
    const some = action('Lead', { one: [0, 1] }, (state: State, { one }) => {
      state.leader = one
    })
    const error = await check(modelOf({ actions: [some] }), {}).catch((caught) => caught)
    expect(error.message).toContain('Lead(one: 1) becomes an action with the arguments {"one":2}')
  })
})
