/** What happens to the values that a recipe reads and stores, and what counts as a read. */
import { describe, expect, test } from 'vitest'
import { action, always, check, reachable } from '../../checker/index.ts'
import { stepper } from '../../checker/stepper.ts'
import { checkBoth, errorOf, tiny } from './tiny.ts'

describe('aliasing', () => {
  interface Part {
    n: number
    list: number[]
  }
  interface State {
    a: Part
    b: Part
    copy: { list: number[] } | null
    cells: Part[]
  }
  const part = (): Part => ({ n: 0, list: [] })
  const initial: State = { a: part(), b: part(), copy: null, cells: [part(), part()] }
  const components = ['a', 'b', 'copy', 'cells[]']

  test('a component stored in another is a copy once the step is over', async () => {
    const share = action('Share', {}, (state: State, _, step) => {
      step.when('fresh', state.b.n === 0)
      state.a = state.b
      state.b.n = 1
    })
    const grow = action('Grow', {}, (state: State, _, step) => {
      step.when('shared', state.a.n === 1)
      state.a.n = 2
    })
    const result = await checkBoth({
      initial,
      components,
      actions: [share, grow],
      properties: [reachable('apart', ({ a, b }: State) => a.n === 2 && b.n === 1)],
    })
    expect(result.properties[0]?.verdict).toBe('witnessed')
  })

  test('a part of a component, and a whole container, can be stored', async () => {
    const store = action('Store', {}, (state: State, _, step) => {
      step.when('none', state.copy === null)
      state.a.list.push(7)
      state.copy = { list: state.a.list }
      state.a.list.push(8)
      state.b = { n: 1, list: state.cells.map(({ n }) => n) }
    })
    const nest = action('Nest', {}, (state: State, _, step) => {
      step.when('no cells', state.a.list.length === 0)
      state.a = { n: 5, list: state.cells as unknown as number[] }
    })
    const result = await checkBoth({ initial, components, actions: [store, nest] })
    expect(result.states.distinct).toBe(4)
  })

  test('a constant or argument stored in a component is copied, and later writes through it are refused', async () => {
    const constant: Part = { n: 3, list: [] }
    const store = action('Store', { value: [{ n: 4, list: [] }] }, (state: State, { value }) => {
      state.a = constant
      state.b = value as unknown as Part
    })
    const grow = action('Grow', {}, (state: State, _, step) => {
      step.when('small', state.a.n === 3 && state.b.n === 4)
      state.a.n = 9
      state.b.n = 9
    })
    await checkBoth({ initial, components, actions: [store, grow] })
    expect(constant).toEqual({ n: 3, list: [] })
    const abuse = action('Abuse', {}, (state: State) => {
      state.a = constant
      state.a.n = 4
    })
    const error = await errorOf(check(tiny({ initial, components, actions: [abuse] }), {}))
    expect(error.message).toMatch(/read only/)
  })

  test('an argument may be changed: it is a copy for this run', async () => {
    const store = action('Store', { value: [{ n: 4, list: [1] }] }, (state: State, { value }, step) => {
      const argument = value as unknown as Part
      step.when('as declared', argument.n === 4 && argument.list.length === 1)
      state.a = argument
      state.a.n = 9
      argument.list.push(2)
    })
    const result = await checkBoth({
      initial,
      components,
      actions: [store],
      properties: [reachable('changed', ({ a }: State) => a.n === 9 && a.list.join() === '1,2')],
    })
    expect(result.properties[0]?.trace?.steps[0]?.args).toEqual({ value: { n: 4, list: [1] } })
    expect(result.states).toEqual({ distinct: 2, generated: 3 })
  })

  test('drafts are revoked: what leaked from one run cannot be read in another', async () => {
    let leaked: Part | undefined
    const leak = action('Leak', {}, (state: State, _, step) => {
      const old = leaked
      leaked = state.a
      // It is zero in every state, so that nothing but the revocation can tell.
      step.when('nothing yet', (old?.n ?? 0) === 0 && state.b.n < 3)
      state.b.n += 1
    })
    const error = await errorOf(check(tiny({ initial, components, actions: [leak] }), {}))
    expect(error.message).toMatch(/Leak: .*revoked/)
  })

  test('what the checker shows is frozen', async () => {
    const writes: ((state: State) => void)[] = [
      (state) => {
        state.a.n = 1
      },
      (state) => void state.a.list.push(1),
      (state) => {
        state.a = part()
      },
      (state) => {
        state.cells.length = 0
      },
    ]
    for (const write of writes) {
      const properties = [always('writes', (state: State) => void write(state))]
      const error = await errorOf(check(tiny({ initial, components, properties }), {}))
      expect(error.code).toBe('model-failed')
      expect(error.message).toMatch(/property 'writes'/)
    }
  })
})

describe('reads and writes', () => {
  interface State {
    a: number
    b: { n: number; m: number }
    c: number
  }
  const initial: State = { a: 0, b: { n: 0, m: 0 }, c: 0 }
  const components = ['a', 'b', 'c']
  const count = action('Count', {}, (state: State, _, step) => {
    step.when('below four', state.c < 4)
    state.c += 1
  })

  /** How often the recipe of the first action runs while `c` goes through five values. */
  async function runs(recipe: (state: State) => void): Promise<number> {
    const result = await checkBoth({ initial, components, actions: [action('Act', {}, recipe), count] })
    expect(result.coverage.actions[0]?.tried).toBe(result.states.distinct)
    return result.coverage.actions[0]!.recipeRuns
  }

  test('a blind write of a whole component is no read', async () => {
    expect(
      await runs((state) => {
        state.c = 0
      }),
    ).toBe(1)
    expect(
      await runs((state) => {
        state.b = { n: 1, m: 1 }
      }),
    ).toBe(1)
  })

  test('a nested write is a read', async () => {
    // Whatever the rest of the component holds must survive.
    expect(
      await runs((state) => {
        state.b.n = 1
      }),
    ).toBe(2)
  })

  test('after a write, reads see what was written and are not recorded', async () => {
    expect(
      await runs((state) => {
        state.c = 2
        state.a = state.c
      }),
    ).toBe(1)
  })

  test('a read before a write is recorded, also if the write does not depend on it', async () => {
    expect(
      await runs((state) => {
        if (state.c === 3) state.a = 1
        state.c = 0
      }),
    ).toBe(5)
  })

  test('a blind write serves every old value: the same value is a self-loop, another is a step', async () => {
    const reset = action('Reset', {}, (state: State) => {
      state.c = 0
    })
    const result = await checkBoth({ initial, components, actions: [reset, count] })
    expect(result.states).toEqual({ distinct: 5, generated: 10 })
    expect(result.coverage.actions[0]).toMatchObject({ fired: 5, newStates: 0, recipeRuns: 1 })
  })

  test('a write of the old value is a self-loop that is counted, and no deadlock', async () => {
    const same = action('Same', {}, (state: State) => {
      state.a = state.a + 0
      state.b.n = 0
    })
    const result = await checkBoth({ initial, components, actions: [same], properTermination: () => false })
    expect(result.states).toEqual({ distinct: 1, generated: 2 })
    expect(result.properties[0]?.verdict).toBe('proved')
  })

  test('what is read for an event alone is read, and the event is not part of the state', async () => {
    const tell = action('Tell', {}, (state: State, _, step) => {
      step.emit({ kind: 'note', lane: 'model', fields: { c: state.c } })
      state.a = 1
    })
    const result = await checkBoth({
      initial,
      components,
      actions: [tell, count],
      properties: [reachable('told late', ({ a, c }: State) => a === 1 && c === 4)],
    })
    expect(result.states.distinct).toBe(10)
    const events = result.properties[0]?.trace?.steps.map((step) => step.events)
    expect(events).toEqual([[{ kind: 'note', lane: 'model', fields: { c: 0 } }], [], [], [], []])
  })
})

describe('a write of what is not plain data', () => {
  interface State {
    b: { x: unknown; list: number[]; zero: number }
    n: number
  }
  const initial: State = { b: { x: {}, list: [1, 2], zero: 0 }, n: 0 }
  const components = ['b', 'n']
  const symbol = Symbol('tag')
  class Empty {}
  const writes: [string, RegExp, (state: State) => void][] = [
    ['a Set over {}', /b\.x: an instance of Set/, ({ b }) => Object.assign(b, { x: new Set([1]) })],
    ['a Map over {}', /b\.x: an instance of Map/, ({ b }) => Object.assign(b, { x: new Map([[1, 2]]) })],
    ['a Date over {}', /b\.x: an instance of Date/, ({ b }) => Object.assign(b, { x: new Date(0) })],
    ['an Error over {}', /b\.x: an instance of Error/, ({ b }) => Object.assign(b, { x: new Error('lost') })],
    ['a RegExp over {}', /b\.x: an instance of RegExp/, ({ b }) => Object.assign(b, { x: /x/ })],
    [
      'an object of a class over {}',
      /b\.x: an instance of Empty/,
      ({ b }) => Object.assign(b, { x: new Empty() }),
    ],
    ['a longer length', /b\.list: an array with holes/, ({ b }) => Object.assign(b.list, { length: 4 })],
    ['a symbol key', /b\.x: a symbol as a key/, ({ b }) => Object.assign(b.x as object, { [symbol]: 1 })],
    ['a symbol key of an array', /b\.list: .*extra keys/, ({ b }) => Object.assign(b.list, { [symbol]: 1 })],
    ['negative zero over zero', /b\.zero: negative zero/, ({ b }) => Object.assign(b, { zero: -0 })],
    [
      'negative zero over a component',
      /component n: negative zero/,
      (state) => Object.assign(state, { n: -state.n }),
    ],
  ]

  test.each(writes)('is refused although it looks like what was there: %s', async (_, message, write) => {
    const act = action('Act', { by: [1] }, (state: State) => {
      write(state)
    })
    const error = await errorOf(check(tiny({ initial, components, actions: [act] }), {}))
    expect(error.code).toBe('invalid-model')
    expect(error.message).toMatch(message)
    expect(error.message).toMatch(/^Act\(by: 1\), component [bn]/)
    expect(error.trace?.states).toEqual([initial])
  })

  test('and so it is by the stepper, whose immer drafts take no -0 for 0 and no symbol into an array', () => {
    for (const [name, message, write] of writes) {
      if (name.startsWith('negative zero') || name === 'a symbol key of an array') continue
      const act = action('Act', { by: [1] }, (state: State) => {
        write(state)
      })
      const walk = stepper(tiny({ initial, components, actions: [act] }), {})
      expect(() => walk.successors(walk.initialStates[0]!)).toThrow(message)
    }
  })
})
