/** What is not symmetric is found out: each test plants one asymmetry that a reduction would otherwise be wrong about. */
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  action,
  always,
  alwaysForEach,
  check,
  defineModel,
  type ModelBody,
  ModelError,
  reachable,
  transition,
} from '../../../checker/index.ts'

interface State {
  ready: boolean[]
  leader: number
}
const members = [0, 1, 2]

const becomeReady = action('BecomeReady', { one: members }, (state: State, { one }, step) => {
  step.when('it is not ready', !state.ready[one])
  state.ready[one] = true
})

/** Three participants that become ready, in whatever order. */
const modelOf = (body: Partial<ModelBody<State>> = {}) =>
  defineModel<unknown, State>({
    name: 'planted',
    config: v.object({}),
    build: () => ({
      initial: { ready: members.map(() => false), leader: -1 },
      components: ['ready[]', 'leader'],
      properties: [],
      symmetry: [{ sort: 'one', members, keys: ['ready[one]'], values: ['leader'], arguments: ['one'] }],
      ...body,
      actions: [becomeReady, ...(body.actions ?? [])],
    }),
  })

const failure = async (body: Partial<ModelBody<State>>): Promise<ModelError> => {
  const error = await check(modelOf(body), {}, { continueAfterViolation: true }).catch((caught) => caught)
  expect(error).toBeInstanceOf(ModelError)
  return error
}

describe('actions', () => {
  test('the model without anything planted has four states for its eight', async () => {
    const { states, symmetry } = await check(modelOf(), {})
    expect(states.distinct).toBe(4)
    expect(symmetry).toEqual({
      sorts: [{ sort: 'one', members: 3 }],
      tests: expect.any(Number),
      complete: true,
    })
    expect((await check(modelOf(), {}, { symmetry: false })).states.distinct).toBe(8)
  })

  test('an action that nobody can take', async () => {
    const nobody: readonly number[] = []
    const never = action('Never', { one: nobody }, (_: State) => {})
    expect((await check(modelOf({ actions: [never] }), {})).symmetry?.complete).toBe(true)
  })

  test('one that treats a name in its own way', async () => {
    const planted = action('Elect', { one: members }, (state: State, { one }, step) => {
      step.when('it is the last one', one === 2)
      state.leader = one
    })
    const error = await failure({ actions: [planted] })
    expect(error.code).toBe('asymmetric-model')
    expect(error.message).toBe(
      [
        'Elect(one: 1): it tells one 1 and one 2 apart: in every state, it is disabled; with these names exchanged, in Elect(one: 2), it writes leader = 2',
        '  expected: the same up to the names of what is declared to be interchangeable',
        '  to fix: use names for comparing only, declare all places where they occur, or leave the symmetry out (--no-symmetry)',
      ].join('\n'),
    )
  })

  test('one that compares names by size', async () => {
    const planted = action('Elect', { one: members }, (state: State, { one }, step) => {
      step.when('it is larger', one > state.leader)
      state.leader = one
    })
    expect((await failure({ actions: [planted] })).code).toBe('asymmetric-model')
  })

  test('one that takes the first it finds, although no single run shows it', async () => {
    const planted = action('Elect', {}, (state: State, _, step) => {
      const first = members.find((one) => state.ready[one])
      step.when('somebody is ready', first !== undefined)
      state.leader = first!
    })
    const error = await failure({ actions: [planted] })
    expect(error.code).toBe('asymmetric-model')
    expect(error.message).toContain(
      'Elect: it tells one 1 and one 2 apart: where ready[0] = false, ready[1] = true, ready[2] = true, it writes leader = 1; with these names exchanged, in Elect, it writes leader = 1',
    )
  })

  test('one that takes the first it finds, where there is never a second, is no asymmetry', async () => {
    const alone = action('BecomeReadyAlone', { one: members }, (state: State, { one }, step) => {
      step.when('nobody is ready', !state.ready.some(Boolean))
      state.ready[one] = true
    })
    const elect = action('Elect', {}, (state: State, _, step) => {
      const first = members.find((one) => state.ready[one])
      step.when('somebody is ready', first !== undefined)
      state.leader = first!
    })
    const model = modelOf()
    const only = { ...model, build: () => ({ ...modelOf().build({}, none), actions: [alone, elect] }) }
    const result = await check(only, {})
    expect(result.states.distinct).toBe(3)
    expect(result.symmetry?.complete).toBe(true)
  })

  test('one that offers a choice to some names only', async () => {
    const planted = action('Elect', { one: members }, (state: State, { one }, step) => {
      state.leader = step.choose('whom', one === 1 ? [one, 0] : [one, -1])
    })
    expect((await failure({ actions: [planted] })).code).toBe('asymmetric-model')
  })

  test('one whose choices agree one by one, and not together', async () => {
    const planted = action('Elect', {}, (state: State, _, step) => {
      const one = step.choose('whom', members)
      const bound = one === 0 ? 2 : 1
      step.when('enough are ready', state.ready.filter(Boolean).length >= bound)
      state.leader = one
    })
    expect((await failure({ actions: [planted] })).code).toBe('asymmetric-model')
  })

  test('one that fails for one name', async () => {
    const codes = await Promise.all(
      members.map(async (which) => {
        const planted = action('Elect', { one: members }, (state: State, { one }, step) => {
          step.when(
            'it alone is ready',
            state.ready[one] === true && state.ready.filter(Boolean).length === 1,
          )
          if (one === which) throw new Error('never')
        })
        return (await failure({ actions: [planted] })).code
      }),
    )
    // Where the search comes to the state itself it is an error like any other.
    expect(codes.toSorted()).toEqual(['asymmetric-model', 'asymmetric-model', 'model-failed'])
  })

  test('a name that is stored where none is declared', async () => {
    const planted = action('Elect', { one: members }, (state: State, { one }) => {
      state.leader = one
    })
    const symmetry = [{ sort: 'one', members, keys: ['ready[one]'], arguments: ['one'] }]
    const error = await failure({ actions: [planted], symmetry })
    expect(error.code).toBe('asymmetric-model')
    expect(error.message).toContain('in every state, it writes leader = 0')
    expect(error.message).toContain('in Elect(one: 1), it writes leader = 1')
  })
})

const none = { defences: { has: () => false } }

describe('properties', () => {
  const names = (body: Partial<ModelBody<State>>) =>
    failure(body).then(({ code, message }) => [code, message])

  test('an invariant that speaks of one participant', async () => {
    const [code, message] = await names({
      properties: [always('the first is not the only one', ({ ready }) => !ready[0] || ready[1] === true)],
    })
    expect(code).toBe('asymmetric-model')
    expect(message).toContain("property 'the first is not the only one': it tells one")
  })

  test('a witness that speaks of one participant', async () => {
    expect(await names({ properties: [reachable('the first', ({ ready }) => ready[0] === true)] })).toContain(
      'asymmetric-model',
    )
  })

  test('one that stops at the first it finds', async () => {
    const [code] = await names({
      properties: [
        always('whoever is ready first is not the last', ({ ready }) => {
          const first = members.find((one) => ready[one])
          return first === undefined || first === 0 || !ready[2]
        }),
      ],
    })
    expect(code).toBe('asymmetric-model')
  })

  test('one that is judged for each and means something else for some', async () => {
    const [code] = await names({
      properties: [alwaysForEach('odd', members, ({ ready }: State, one) => !ready[one] || one < 2)],
    })
    expect(code).toBe('asymmetric-model')
  })

  test('one that is judged for each of several numbers, which are no names', async () => {
    const enough = alwaysForEach('counted', members, ({ ready }: State, many, claim) => {
      claim.given('so many are ready', ready.filter(Boolean).length === many)
      claim.that('they are not all', many < 3)
    })
    const result = await check(modelOf({ properties: [enough] }), {})
    expect(result.properties[0]!.verdict).toBe('proved')
    expect(result.symmetry?.complete).toBe(true)
  })

  test('one of steps that speaks of one participant', async () => {
    const [code, message] = await names({
      properties: [
        transition('by others', (_: State, __, claim, { args }) => {
          claim.that('not the last', args.one !== 2)
        }),
      ],
    })
    expect(code).toBe('asymmetric-model')
    expect(message).toContain("property 'by others' on BecomeReady(one: 2), it is false")
  })

  test('a constraint', async () => {
    expect(await names({ constraint: ({ ready }) => !ready[1] })).toContain('asymmetric-model')
  })

  test('proper termination', async () => {
    const stops = action('Stop', { one: members }, (state: State, { one }, step) => {
      step.when('nobody leads', state.leader < 0)
      state.leader = one
    })
    const model = modelOf()
    const only = {
      ...model,
      build: () => ({
        ...model.build({}, none),
        actions: [stops],
        properTermination: ({ leader }: State) => leader === 0,
      }),
    }
    await expect(check(only, {})).rejects.toMatchObject({ code: 'asymmetric-model' })
  })
})
