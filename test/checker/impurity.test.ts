/** Recipes and properties that depend on more than they may are caught, and named. */
import { describe, expect, test } from 'vitest'
import { action, always, check, type Property, type Step, transition } from '../../checker/index.ts'
import { errorOf, tiny } from './tiny.ts'

interface State {
  n: number
  m: number
}
const initial: State = { n: 0, m: 0 }
const components = ['n', 'm']
const up = action('Up', {}, (state: State, _, step) => {
  step.when('below', state.n < 40)
  state.n += 1
})

/** Counts its calls. */
function counter(): () => number {
  let calls = 0
  return () => calls++
}

const impure = { code: 'impure-recipe' }

describe('an impure recipe', () => {
  test('is caught when it writes something else the second time', async () => {
    const call = counter()
    const act = action('Act', { by: [1] }, (state: State) => {
      state.m = call() % 2
    })
    const run = check(tiny({ initial, components, actions: [act] }), {})
    await expect(run).rejects.toMatchObject({ ...impure, trace: { states: [initial] } })
    await expect(run).rejects.toThrow(/Act\(by: 1\)/)
  })

  test.each<[string, (state: State, odd: boolean) => void]>([
    ['reads', (state, odd) => void (odd && state.n)],
    ['touches', (state, odd) => odd && Object.assign(state, { m: 1 })],
    ['throws', (_, odd) => odd && JSON.parse('no json')],
  ])('is caught when it %s something else the second time', async (_, recipe) => {
    const call = counter()
    const act = action('Act', {}, (state: State) => recipe(state, call() % 2 === 1))
    await expect(check(tiny({ initial, components, actions: [act] }), {})).rejects.toMatchObject(impure)
  })

  test('is caught when it passes other guards, offers other options or is blocked by another guard', async () => {
    const call = counter()
    const odd = () => call() % 2 === 1
    const acts = [
      action('Guards', {}, (_: State, __, step) => step.when(odd() ? 'one' : 'other', true)),
      action('Blocked', {}, (_: State, __, step) => step.when(odd() ? 'one' : 'other', false)),
      action('Options', {}, (_: State, __, step) => void step.choose('which', odd() ? [1] : [2])),
      action('Sometimes', {}, (_: State, __, step) => step.when('sometimes', odd())),
    ]
    for (const act of acts) {
      await expect(check(tiny({ initial, components, actions: [act] }), {})).rejects.toMatchObject(impure)
    }
  })

  test('is caught when it tells plain copies from immer drafts', async () => {
    interface Boxed {
      box: { n: number }
    }
    const seen = new Set<unknown>()
    const act = action('Act', {}, (state: Boxed) => {
      const { box } = state
      seen.add(Object.getOwnPropertyDescriptor(box, 'n')?.value)
      state.box.n = seen.size === 1 && Object.isExtensible(box) ? 1 : 2
      seen.clear()
      if (call() > 0) state.box.n = 3
    })
    const call = counter()
    const run = check(tiny({ initial: { box: { n: 0 } }, components: ['box'], actions: [act] }), {})
    await expect(run).rejects.toMatchObject(impure)
  })

  test('is caught by a sample again later when it agrees with itself twice in a row', async () => {
    const call = counter()
    const act = action('Act', {}, (state: State) => {
      state.m = call() >= 2 ? 1 : 0
    })
    const run = check(tiny({ initial, components, actions: [act, up] }), {})
    await expect(run).rejects.toMatchObject(impure)
    await expect(run).rejects.toThrow(/Act: it behaves differently when it is run again later/)
  })

  test('is caught by a sample again later when it throws or is blocked then', async () => {
    for (const late of [() => JSON.parse('no json'), undefined]) {
      const call = counter()
      const act = action('Act', {}, (state: State, _, step) => {
        if (call() >= 2) (late ?? (() => step.when('late', false)))()
        state.m = 0
      })
      const run = check(tiny({ initial, components, actions: [act, up] }), {})
      await expect(run).rejects.toThrow(/run again later/)
    }
  })

  test('is caught by the sample in any option of a choice', async () => {
    const call = counter()
    const act = action('Act', {}, (state: State, _, step) => {
      const option = step.choose('which', ['a', 'b', 'c'])
      state.m = option === 'b' && call() >= 2 ? 1 : 0
    })
    await expect(check(tiny({ initial, components, actions: [act, up] }), {})).rejects.toThrow(/again later/)
  })

  describe('is caught when the way to a state cannot be told again', () => {
    type Late = [string, (state: State, isLate: boolean, step: Step) => void]
    const writes: Late = ['writes something else', (state, isLate) => Object.assign(state, { m: +isLate })]
    const others: Late[] = [
      ['is blocked', (_, isLate, step) => step.when('early', !isLate)],
      ['throws', (_, isLate) => isLate && JSON.parse('no json')],
    ]
    /** @param runsBefore the way is told: twice in the search, and once more in the sample of a level that is done */
    async function expectCaught(late: Late[1], property: Property<State>, runsBefore = 3): Promise<void> {
      const call = counter()
      const act = action('Act', { by: [1] }, (state: State, _, step) => {
        step.when('at zero', state.n === 0)
        late(state, call() >= runsBefore, step)
        state.n = 1
      })
      const error = await errorOf(
        check(tiny({ initial, components, actions: [act], properties: [property] }), {}),
      )
      expect(error.code).toBe('impure-recipe')
      expect(error.message).toMatch(/^Act\(by: 1\): it behaves differently .* to tell the way to a state/)
    }

    test.each([writes, ...others])('because the recipe %s', async (_, late) => {
      await expectCaught(
        late,
        always('never one', ({ n }: State) => n === 0),
      )
    })

    test.each(others)('whose last step is judged, because the recipe %s', async (_, late) => {
      await expectCaught(
        late,
        transition('never up', (_before, { n }: State) => n === 0),
      )
    })

    test.each([writes, ...others])('where a property throws, because the recipe %s', async (_, late) => {
      await expectCaught(
        late,
        always('throws', ({ n }: State) => n === 0 || JSON.parse('no json')),
        2,
      )
    })
  })

  test('is told with the expectation and the fix once, and with no error of the checker as its cause', async () => {
    const wrong = { choose: [undefined] }
    const call = counter()
    const act = action('Act', {}, (_: State, __, step) => {
      if (call() > 0) step.choose('which', wrong.choose)
    })
    const error = await errorOf(check(tiny({ initial, components, actions: [act] }), {}))
    expect(error.message.match(/expected: /g)).toHaveLength(1)
    expect(error.message).toMatch(/run a second time: undefined where plain data is needed/)
    expect(error.cause).toBeUndefined()
  })

  test('is told with what it threw the second time as the cause', async () => {
    const call = counter()
    const thrown = new TypeError('late')
    const act = action('Act', {}, () => {
      if (call() > 0) throw thrown
    })
    const error = await errorOf(check(tiny({ initial, components, actions: [act] }), {}))
    expect(error.cause).toBe(thrown)
  })

  test('is caught when what it had read stays the same and it reads on elsewhere', async () => {
    let last = -1
    const act = action('Act', {}, (state: State) => {
      // Decides by a component that it peeks at through a variable, not through the state.
      if (last > 3) state.m = 1
    })
    const spy = action('Spy', {}, (state: State) => {
      last = state.n
    })
    await expect(check(tiny({ initial, components, actions: [spy, act, up] }), {})).rejects.toMatchObject(
      impure,
    )
  })
})

describe('an impure property', () => {
  test('is caught when it judges differently the second time, or reads something else', async () => {
    const impureProperties = (call: () => number, odd = () => call() % 2 === 1) => [
      always('odd', () => odd()),
      always('reads', (state: State) => !odd() || state.n >= 0),
      always('values', (_: State, claim) => claim.that('no', false, { call: call() })),
      always('throws', () => !odd() || JSON.parse('no json')),
    ]
    for (const index of [0, 1, 2, 3]) {
      const property = impureProperties(counter())[index]!
      const run = check(tiny({ initial, components, properties: [property] }), {})
      await expect(run).rejects.toMatchObject(impure)
      await expect(run).rejects.toThrow(`property '${property.name}'`)
    }
  })

  test('is caught by a sample again later', async () => {
    for (const late of [() => false, () => JSON.parse('no json')]) {
      const call = counter()
      const property = always('late', () => call() < 2 || late())
      const run = check(tiny({ initial, components, actions: [up], properties: [property] }), {})
      await expect(run).rejects.toThrow(/property 'late'.*evaluated again later/)
    }
  })

  test('is caught by a sample again later, over transitions too', async () => {
    const call = counter()
    const property = transition('late', () => call() < 2)
    const run = check(tiny({ initial, components, actions: [up], properties: [property] }), {})
    await expect(run).rejects.toThrow(/property 'late'.*evaluated again later/)
  })
})

describe('pure models', () => {
  test('are not accused, whatever they do with their own variables', async () => {
    const table = [1, 2, 3]
    const act = action('Act', { by: [1, 2] }, (state: State, { by }, step) => {
      const cache = new Map<number, number>()
      for (const value of table) cache.set(value, (cache.get(value - 1) ?? 0) + by)
      state.m = Math.min(9, step.choose('which', [...cache.values()]))
    })
    const result = await check(tiny({ initial, components, actions: [act, up] }), {})
    expect(result.verdict).toBe('proved')
    expect(result.states.distinct).toBe(41 * 6)
  })
})
