/** What properties see, when they are evaluated, and what they report. */
import { describe, expect, test } from 'vitest'
import { action, always, alwaysForEach, check, reachable, transition } from '../../checker/index.ts'
import { explore } from '../../checker/interning/engine.ts'
import { prepare } from '../../checker/prepare.ts'
import { checkBoth, errorOf, tiny } from './tiny.ts'

interface State {
  a: number
  b: number
  c: number
}
const initial: State = { a: 0, b: 0, c: 0 }
const components = ['a', 'b', 'c']
const up = (key: keyof State, limit = 2) =>
  action(`Up ${key}`, {}, (state: State, _, step) => {
    step.when('below', state[key] < limit)
    state[key] += 1
  })
const reset = (key: keyof State) =>
  action(`Reset ${key}`, {}, (state: State) => {
    state[key] = 0
  })

describe('state properties', () => {
  test('are evaluated once per combination of what they read, and serve every state', async () => {
    const sees: State[] = []
    const properties = [
      always('small', ({ a }: State) => {
        sees.push({ a, b: 0, c: 0 })
        return a < 9
      }),
    ]
    const model = tiny({ initial, components, actions: [up('a'), up('b'), up('c')], properties })
    const { coverage } = await check(model, {})
    expect(coverage.properties).toEqual([{ name: 'small', evaluations: 3, served: 27 }])
    // Twice each, and a sample again later.
    expect(sees.length).toBeGreaterThan(6)
    expect(new Set(sees.map(({ a }) => a))).toEqual(new Set([0, 1, 2]))
  })

  test('the first violation in breadth-first order is reported, although memoised judgements come from elsewhere', async () => {
    const properties = [
      always('never b', ({ a, b, c }: State, claim) => {
        claim.given('c is up', c > 0)
        claim.that('b stays', b === 0 || a === 0, { a, b })
      }),
    ]
    const result = await checkBoth({ initial, components, actions: [up('a'), up('b'), up('c')], properties })
    expect(result.properties[0]).toMatchObject({ verdict: 'violated', depth: 4, vacuous: false })
    expect(result.properties[0]?.failed).toEqual({ part: 'b stays', values: { a: 1, b: 1 } })
    expect(result.properties[0]?.trace?.steps.map((step) => step.action)).toEqual(['Up a', 'Up b', 'Up c'])
  })

  test('of several things alike are evaluated once per value of each, not per combination', async () => {
    const keys: (keyof State)[] = ['a', 'b', 'c']
    const small = alwaysForEach('small', keys, (state: State, key, claim) => {
      claim.that('below nine', state[key] < 9, { key })
    })
    const model = tiny({ initial, components, actions: keys.map((key) => up(key)), properties: [small] })
    const { coverage } = await check(model, {})
    expect(coverage.properties).toEqual([{ name: 'small', evaluations: 9, served: 81 }])
  })

  test('of several things alike report the first one that is wrong, and are vacuous if none was ever meant', async () => {
    const keys: (keyof State)[] = ['a', 'b', 'c']
    const upTo = (name: string, least: number) =>
      alwaysForEach(name, keys, (state: State, key, claim) => {
        claim.given('it is up', state[key] >= least)
        claim.that('never b or c', key === 'a', { key })
      })
    const result = await checkBoth(
      {
        initial,
        components,
        actions: keys.map((key) => up(key)),
        properties: [upTo('one', 1), upTo('nine', 9)],
      },
      { continueAfterViolation: true },
    )
    const [one, nine] = result.properties
    expect(one).toMatchObject({ verdict: 'violated', depth: 2, vacuous: false })
    expect(one?.failed).toEqual({ part: 'never b or c', values: { key: 'b' } })
    expect(nine).toMatchObject({ verdict: 'proved', vacuous: true })
  })

  test('the values of a failed part may be anything', async () => {
    const properties = [
      always('never', (_: State, claim) =>
        claim.that('no', false, { odd: undefined, half: 0.5, many: new Set() }),
      ),
    ]
    const result = await check(tiny({ initial, components, properties }), {})
    expect(result.properties[0]?.failed).toEqual({ part: 'no', values: { half: '0.5', many: {} } })
  })

  test('a reachable property is witnessed in passing and does not end the run', async () => {
    const properties = [
      reachable('a is one', ({ a }: State) => a === 1),
      reachable('a is five', ({ a }: State) => a === 5),
    ]
    const result = await checkBoth({ initial, components, actions: [up('a'), up('b')], properties })
    expect(result.states.distinct).toBe(9)
    expect(result.properties.map(({ verdict, vacuous }) => [verdict, vacuous])).toEqual([
      ['witnessed', false],
      ['unwitnessed', true],
    ])
    expect(result.verdict).toBe('violated')
  })

  test('an antecedent that held somewhere makes a property meaningful, whichever judgement is remembered', async () => {
    const given = (name: string, value: number) =>
      always(name, ({ a }: State, claim) => {
        claim.given('a is up', a >= value)
        claim.that('true', true)
      })
    const result = await checkBoth({
      initial,
      components,
      actions: [up('a'), up('b')],
      properties: [given('late', 2), given('never', 3), always('none', () => true)],
    })
    expect(result.properties.map(({ vacuous }) => vacuous)).toEqual([false, true, false])
  })

  test('a property that throws is a model error with the way to the state', async () => {
    const properties = [
      always('throws', ({ a, b }: State) => {
        if (a + b === 2) throw new TypeError('two')
      }),
    ]
    const run = check(tiny({ initial, components, actions: [up('a'), up('b')], properties }), {})
    await expect(run).rejects.toMatchObject({ code: 'model-failed', trace: { states: { length: 3 } } })
    await expect(run).rejects.toThrow(/property 'throws': it throws TypeError: two/)
  })

  test('a state or claim that leaked from an evaluation is refused', async () => {
    let leaked: { state: State; claim: Parameters<Parameters<typeof always<State>>[1]>[1] } | undefined
    const leak = always('leaks', (state: State, claim) => {
      leaked = { state, claim }
      return true
    })
    await check(tiny({ initial, components, properties: [leak] }), {})
    expect(() => leaked!.state.a).toThrow(/outside of the evaluation/)
    expect(() => leaked!.claim.that('late', true)).toThrow(/outside of this evaluation/)
    expect(() => leaked!.claim.given('late', true)).toThrow(/outside of this evaluation/)
  })
})

describe('what is no answer', () => {
  const wrong: [string, unknown][] = [
    ['0', 0],
    ['null', null],
    ['""', ''],
    ['"yes"', 'yes'],
    ['1', 1],
    ['an object', {}],
    ['an array', []],
    ['a function', () => true],
  ]
  const bodies = (answer: () => unknown): [string, object][] => [
    ["property 'odd'", { properties: [always('odd', answer as () => boolean)] }],
    ["property 'odd'", { properties: [transition('odd', answer as () => boolean)] }],
    ["property 'odd'", { properties: [reachable('odd', answer as () => boolean)] }],
    ['properTermination', { properTermination: answer }],
    ['constraint', { constraint: answer }],
  ]
  const actions = [up('a')]
  const errorFrom = (body: object, memoBytes?: number) =>
    errorOf(explore(prepare(tiny({ initial, components, actions, ...body }), {}, {}), { memoBytes }))

  test.each(wrong)('%s is refused, wherever it comes from, remembered or not', async (shown, value) => {
    for (const memoBytes of [undefined, 0]) {
      for (const [where, body] of bodies(() => value)) {
        const error = await errorFrom(body, memoBytes)
        expect(error.details).toMatchObject({ code: 'model-failed', where, found: `it returns ${shown}` })
        expect(error.details.expected).toMatch(/^true.* false/)
        expect(error.details.fix).toMatch(/comparison/)
        expect(error.trace?.states[0]).toEqual(initial)
      }
    }
  })

  test('a promise is refused, even if it is rejected or the claim was settled before', async () => {
    const settling = async (_: State, claim: { that(name: string, condition: boolean): void }) =>
      claim.that('never', false)
    const settled = always('odd', settling as unknown as () => boolean)
    const promises = bodies(async () => true)
    for (const [where, body] of [...promises, ["property 'odd'", { properties: [settled] }] as const]) {
      const error = await errorFrom(body)
      expect(error.message).toMatch(`${where}: it returns a promise`)
      expect(error.details.fix).toMatch(/properties are synchronous/)
    }
  })

  test('nothing is an answer of a property that may make claims, and of no other', async () => {
    for (const [index, [where, body]] of bodies(() => undefined).entries()) {
      const run = check(tiny({ initial, components, actions, ...body }), {})
      if (index < 2) expect((await run).verdict).toBe('proved')
      else {
        const { details } = await errorOf(run)
        expect(details).toMatchObject({ where, found: 'it returns undefined', expected: 'true or false' })
      }
    }
  })
})

describe('transition properties', () => {
  test('are evaluated on transitions into known states, never on tree edges only', async () => {
    const properties = [
      transition('never back to zero', (before: State, after: State) => !(before.a === 1 && after.a === 0)),
    ]
    const result = await checkBoth({ initial, components, actions: [up('a'), reset('a')], properties })
    expect(result.properties[0]).toMatchObject({ verdict: 'violated', depth: 3 })
    expect(result.properties[0]?.trace?.states.map((state) => (state as unknown as State).a)).toEqual([
      0, 1, 0,
    ])
    expect(result.states).toEqual({ distinct: 3, generated: 5 })
  })

  test('see self-loops', async () => {
    const properties = [transition('moves', (before: State, after: State) => before.a !== after.a)]
    const result = await checkBoth({ initial, components, actions: [reset('a')], properties })
    expect(result.properties[0]).toMatchObject({ verdict: 'violated', depth: 2 })
    expect(result.properties[0]?.trace?.steps).toHaveLength(1)
  })

  test('before and after are told apart for every component', async () => {
    const properties = [
      transition('b is never ahead', (before: State, after: State) => after.b <= before.a),
      transition('only one moves', (before: State, after: State) => {
        return components.filter((key) => before[key as 'a'] !== after[key as 'a']).length === 1
      }),
    ]
    const result = await checkBoth(
      { initial, components, actions: [up('a'), up('b')], properties },
      {
        continueAfterViolation: true,
      },
    )
    expect(result.properties.map(({ verdict, depth }) => [verdict, depth])).toEqual([
      ['violated', 2],
      ['proved', undefined],
    ])
  })

  test('are keyed by action, arguments and choices too', async () => {
    const act = action('Act', { by: [1, 2] }, (state: State, { by }, step) => {
      const more = step.choose('more', [0, 1])
      state.a = Math.min(4, state.a + by + more)
    })
    const other = action('Other', {}, (state: State) => {
      state.a = Math.min(4, state.a + 2)
    })
    const properties = [
      transition('not Other', (_: State, __: State, ___, taken) => taken.action !== 'Other'),
      transition('not by two', (_: State, __: State, ___, taken) => taken.args.by !== 2),
      transition('not one more', (_: State, __: State, ___, taken) => taken.choices[0]?.value !== 1),
      transition(
        'no choice is renamed',
        (_: State, __: State, ___, { choices }) => choices[0]?.name !== 'less',
      ),
    ]
    const result = await checkBoth(
      { initial, components, actions: [act, other], properties },
      {
        continueAfterViolation: true,
      },
    )
    expect(result.properties.map(({ verdict }) => verdict)).toEqual([
      'violated',
      'violated',
      'violated',
      'proved',
    ])
    const last = result.properties.map(({ trace }) => trace?.steps.at(-1))
    expect(last.slice(0, 3).map((step) => [step!.action, step!.args, step!.choices[0]?.value])).toEqual([
      ['Other', {}, undefined],
      ['Act', { by: 2 }, 0],
      ['Act', { by: 1 }, 1],
    ])
  })

  test('what they learn of a step cannot be changed', async () => {
    const properties = [
      transition('writes', (_: State, __: State, ___, taken) => {
        ;(taken.args as Record<string, number>).more = 1
      }),
    ]
    await expect(
      check(tiny({ initial, components, actions: [up('a')], properties }), {}),
    ).rejects.toMatchObject({
      code: 'model-failed',
      trace: { steps: [{ action: 'Up a' }] },
    })
  })

  test('a write that follows a relayout is judged on the right values', async () => {
    // More and more values per component, so that fields grow while steps are judged.
    const properties = [
      transition('steps by one', (before: State, after: State) => {
        return after.a + after.b + after.c - (before.a + before.b + before.c) === 1
      }),
    ]
    const result = await checkBoth({
      initial,
      components,
      actions: [up('a', 12), up('b', 9), up('c', 5)],
      properties,
    })
    expect(result.verdict).toBe('proved')
    expect(result.states.distinct).toBe(13 * 10 * 6)
  })
})

describe('deadlock freedom', () => {
  test('is judged where nothing can happen, by whether the model may end there', async () => {
    const body = { initial, components, actions: [up('a'), up('b')] }
    const bad = await checkBoth({ ...body, properTermination: ({ a }: State) => a === 1 })
    expect(bad.properties[0]).toMatchObject({
      name: 'deadlock freedom',
      kind: 'deadlock',
      verdict: 'violated',
      depth: 5,
    })
    const good = await checkBoth({ ...body, properTermination: ({ a, b }: State) => a === 2 && b === 2 })
    expect(good.verdict).toBe('proved')
    expect((await checkBoth(body)).properties).toEqual([])
  })
})
