/** What a recipe may do, what it may not, and what its runs mean. Each test names the mistake that it would catch. */
import { describe, expect, test } from 'vitest'
import { action, always, check, reachable, type Step } from '../../checker/index.ts'
import { checkBoth, errorOf, tiny } from './tiny.ts'

describe('choices', () => {
  interface State {
    picked: number[]
    done: boolean
  }
  const initial: State = { picked: [], done: false }
  const components = ['picked', 'done']

  test('every option is explored, and equal outcomes of two options are two transitions', async () => {
    const pick = action('Pick', {}, (state: State, _, step) => {
      step.when('not done', !state.done)
      step.choose('which', [1, 2, 1])
      state.done = true
    })
    const result = await checkBoth({ initial, components, actions: [pick] })
    expect(result.states).toEqual({ distinct: 2, generated: 4 })
    expect(result.coverage.actions[0]).toMatchObject({ tried: 2, fired: 3, newStates: 1 })
  })

  test('each path of choices is run to its end, whatever was written and read before and after a choice', async () => {
    const pick = action('Pick', {}, (state: State, _, step) => {
      step.when('room', state.picked.length === 0)
      const first = step.choose('first', [0, 1])
      state.picked.push(first)
      const second = step.choose('second', first === 0 ? [5] : [6, 7, 8])
      state.picked.push(second)
      step.when('not seven', second !== 7)
    })
    const result = await checkBoth({
      initial,
      components,
      actions: [pick],
      properties: [reachable('one, eight', ({ picked }: State) => picked[1] === 8)],
    })
    expect(result.states).toEqual({ distinct: 4, generated: 4 })
    expect(result.properties[0]?.trace?.steps[0]?.choices).toEqual([
      { name: 'first', value: 1 },
      { name: 'second', value: 8 },
    ])
    expect(result.coverage.guards).toEqual([
      { action: 'Pick', guard: 'room', passed: 1, blocked: 3 },
      { action: 'Pick', guard: 'not seven', passed: 3, blocked: 1 },
    ])
  })

  test('options are explored in order, those of the last choice first', async () => {
    const pick = action('Pick', {}, (state: State, _, step) => {
      step.when('not done', !state.done)
      state.done = true
      const first = step.choose('first', [0, 1, 2])
      state.picked = first === 1 ? [1] : [first, step.choose('second', [0, 1, 2])]
    })
    const order = ['0,0', '0,1', '0,2', '1', '2,0', '2,1', '2,2']
    const properties = order.map((earliest, from) =>
      always(`none from ${earliest} on`, ({ picked }: State) => order.indexOf(picked.join()) < from),
    )
    const options = { continueAfterViolation: true }
    const result = await checkBoth({ initial, components, actions: [pick], properties }, options)
    expect(result.states.distinct).toBe(8)
    const choices = result.properties.map(({ trace }) =>
      trace?.steps[0]?.choices.map(({ value }) => value).join(),
    )
    // Picking nothing is before all of them.
    expect(choices).toEqual(order)
  })

  test('no option disables the action, under the name of the choice', async () => {
    const pick = action('Pick', {}, (state: State, _, step) => {
      state.done = true
      step.choose('from nothing', [])
    })
    const result = await checkBoth({ initial, components, actions: [pick] })
    expect(result.states.distinct).toBe(1)
    expect(result.coverage.guards).toEqual([{ action: 'Pick', guard: 'from nothing', passed: 0, blocked: 1 }])
  })

  test('an option is a value: changing it changes neither the state nor the recorded choice', async () => {
    interface Letters {
      box: { size: number }[]
      out: { size: number } | null
    }
    const take = action('Take', {}, (state: Letters, _, step) => {
      step.when('nothing out', state.out === null)
      const letter = step.choose('letter', state.box)
      letter.size += 10
      state.out = letter
    })
    const result = await checkBoth({
      initial: { box: [{ size: 1 }, { size: 2 }], out: null },
      components: ['box', 'out'],
      actions: [take],
      properties: [
        always('the box is as it was', ({ box }: Letters) => box[0]?.size === 1 && box[1]?.size === 2),
        reachable('twelve', ({ out }: Letters) => out?.size === 12),
      ],
    })
    expect(result.properties.map(({ verdict }) => verdict)).toEqual(['proved', 'witnessed'])
    expect(result.properties[1]?.trace?.steps[0]?.choices).toEqual([{ name: 'letter', value: { size: 2 } }])
  })

  test('an option that is no plain value is refused', async () => {
    const pick = action('Pick', {}, (_: State, __, step) => void step.choose('which', [undefined]))
    const error = await errorOf(check(tiny({ initial, components, actions: [pick] }), {}))
    expect(error.message).toMatch(/Pick, which\[0\]: undefined/)
  })

  test('choosing inside a property is an error, with a step that leaked from a recipe', async () => {
    let leaked: { choose(name: string, options: number[]): number } | undefined
    const pick = action('Pick', {}, (state: State, _, step) => {
      leaked = step
      state.done = true
    })
    const properties = [always('chooses', ({ done }: State) => !done || leaked!.choose('which', [1]) === 1)]
    const error = await errorOf(check(tiny({ initial, components, actions: [pick], properties }), {}))
    expect(error.code).toBe('model-failed')
    expect(error.message).toMatch(/property 'chooses'.*outside of this run/)
    expect(error.trace?.steps.map((step) => step.action)).toEqual(['Pick'])
  })
})

describe('exceptions', () => {
  interface State {
    n: number
    flag: boolean
  }
  const initial: State = { n: 0, flag: false }
  const components = ['n', 'flag']
  const up = action('Up', {}, (state: State, _, step) => {
    step.when('below three', state.n < 3)
    state.n += 1
  })

  test('a guard stays in force even if the recipe catches, and nothing written before counts', async () => {
    const stubborn = action('Stubborn', {}, (state: State, _, step) => {
      state.flag = true
      try {
        step.when('never', false)
      } catch {
        // Goes on as if nothing had happened.
      }
      try {
        step.when('afterwards', true)
        step.choose('which', [1, 2])
      } catch {
        state.n = 100
      }
    })
    const model = { initial, components, actions: [up, stubborn] }
    const result = await checkBoth(model)
    expect(result.states).toEqual({ distinct: 4, generated: 4 })
    expect(result.coverage.guards.at(-1)).toEqual({
      action: 'Stubborn',
      guard: 'never',
      passed: 0,
      blocked: 4,
    })
  })

  test('an exception that the recipe catches itself is its own affair', async () => {
    const careful = action('Careful', {}, (state: State) => {
      try {
        throw new Error('its own')
      } catch {
        state.flag = true
      }
    })
    expect((await checkBoth({ initial, components, actions: [careful] })).states.distinct).toBe(2)
  })

  test('any other exception is a model error with the way to the state, never "disabled"', async () => {
    const fails = action('Fail', {}, ({ n }: State) => {
      if (n === 2) throw new RangeError('two')
    })
    const error = await errorOf(check(tiny({ initial, components, actions: [up, fails] }), {}))
    expect(error.code).toBe('model-failed')
    expect(error.message).toMatch(/Fail: it throws RangeError: two/)
    expect(error.trace?.states.at(-1)).toEqual({ n: 2, flag: false })
    expect(error.trace?.steps.map((step) => step.action)).toEqual(['Up', 'Up'])
  })

  test('so it is in a choice that is not the first', async () => {
    const fails = action('Fail', {}, (_: State, __, step) => {
      if (step.choose('which', ['good', 'bad']) === 'bad') throw new Error('bad choice')
    })
    const error = await errorOf(check(tiny({ initial, components, actions: [fails] }), {}))
    expect(error.message).toMatch(/bad choice/)
  })

  test.each<[string, (state: State, step: Step) => Promise<unknown>]>([
    ['does nothing', async () => {}],
    ['throws', async () => JSON.parse('no json')],
    ['is blocked', async (_, step) => step.when('never', false)],
    ['does what is forbidden', async (state) => Object.assign(state, { more: 1 })],
  ])('a recipe must do all its work at once, even one that %s', async (_, recipe) => {
    const later = action('Later', {}, (state: State, __, step) => recipe(state, step))
    const { details } = await errorOf(check(tiny({ initial, components, actions: [later] }), {}))
    expect(details).toMatchObject({ code: 'model-failed', where: 'Later', found: 'it returns a promise' })
    expect(details.fix).toMatch(/recipes are synchronous/)
  })

  test('a recipe changes the state that it is given, and returns no other', async () => {
    const returns: [string, (state: State) => object][] = [
      ['an object', (state) => ({ ...state, n: state.n + 1 })],
      ['an object', () => Object.create(null)],
      ['an array', ({ n }) => [n]],
    ]
    for (const [shown, recipe] of returns) {
      const next = action('Next', { by: [1] }, recipe as (state: State) => void)
      const error = await errorOf(check(tiny({ initial, components, actions: [next] }), {}))
      expect(error.details).toMatchObject({ code: 'model-failed', where: 'Next(by: 1)' })
      expect(error.message).toMatch(`it returns ${shown}`)
      expect(error.message).toMatch(/changes the state that it is given, and returns nothing/)
      expect(error.trace?.states).toEqual([initial])
    }
  })

  test('what a single expression comes to may be returned, and so may the state itself', async () => {
    const expressions: ((state: State) => unknown)[] = [
      (state) => Object.assign(state, { n: 1 }),
      (state) => state.n === 0 && Reflect.set(state, 'n', 1),
      (state) => state.n || null,
    ]
    const actions = expressions.map((expression, index) =>
      action(`Act${index}`, {}, (state: State) => expression(state)),
    )
    const result = await checkBoth({ initial, components, actions })
    expect(result.states.distinct).toBe(2)
  })
})

describe('shape', () => {
  interface State {
    cells: number[]
    box: { left: number; right: number; extra?: number }
  }
  const initial: State = { cells: [1, 2], box: { left: 0, right: 0 } }
  const components = ['cells[]', 'box.left', 'box.right']
  const forbidden: Record<string, (state: State) => void> = {
    'adding an element': (state) => void state.cells.push(3),
    'removing an element': (state) => void state.cells.pop(),
    'cutting an array': (state) => {
      state.cells.length = 1
    },
    'replacing an array': (state) => {
      state.cells = [1, 2]
    },
    'replacing an object': (state) => {
      state.box = { left: 0, right: 0 }
    },
    'adding a key': (state) => {
      state.box.extra = 1
    },
    'deleting a key': (state) => void delete (state.box as Partial<State['box']>).left,
    'defining a key': (state) => void Object.defineProperty(state.box, 'left', { value: 1 }),
    'changing a prototype': (state) => void Object.setPrototypeOf(state.box, null),
    freezing: (state) => void Object.freeze(state.box),
  }
  for (const [what, recipe] of Object.entries(forbidden)) {
    test(`${what} of a container is refused, even if the recipe catches`, async () => {
      const catching = action('Act', {}, (state: State) => {
        try {
          recipe(state)
        } catch {
          // Goes on.
        }
      })
      for (const act of [action('Act', {}, recipe), catching]) {
        const error = await errorOf(check(tiny({ initial, components, actions: [act] }), {}))
        expect(error.code).toBe('model-failed')
        expect(error.message).toMatch(/Act: .* in '(cells|box)'|Act: .* in the state/)
        expect(error.trace?.states).toHaveLength(1)
      }
    })
  }

  test('what only looks at containers is allowed, and keys and lengths are no reads', async () => {
    const look = action('Look', {}, (state: State, _, step) => {
      step.when('two', state.cells.length === 2 && Object.keys(state.box).join() === 'left,right')
      step.when('in', 'left' in state.box && !('middle' in state.box) && Array.isArray(state.cells))
      state.box.left = 1
    })
    const result = await checkBoth({ initial, components, actions: [look] })
    expect(result.states).toEqual({ distinct: 2, generated: 3 })
    // Nothing was read, so that one run serves all states.
    expect(result.coverage.actions[0]?.recipeRuns).toBe(1)
  })

  test('containers can be iterated, spread, searched and serialised', async () => {
    const look = action('Look', {}, (state: State, _, step) => {
      step.when('sum', state.cells.reduce((sum, cell) => sum + cell, 0) === 3)
      step.when('spread', [...state.cells, ...Object.values(state.box)].join() === '1,2,0,0')
      step.when('json', JSON.stringify(state) === '{"box":{"left":0,"right":0},"cells":[1,2]}')
      step.when('find', state.cells.indexOf(2) === 1 && state.cells.includes(1))
      state.cells.reverse()
    })
    const result = await checkBoth({ initial, components, actions: [look] })
    expect(result.states).toEqual({ distinct: 2, generated: 2 })
  })
})
