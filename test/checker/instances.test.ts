/** The instances of actions: which there are, and in which order they are tried. */
import { describe, expect, test } from 'vitest'
import { action, always, reachable } from '../../checker/index.ts'
import { checkBoth } from './tiny.ts'

interface Counter {
  n: number
}

describe('instances', () => {
  test('are expanded and tried in declared order, the last argument varying fastest', async () => {
    const act = action('Act', { x: ['b', 'a'], y: [2, 1] }, (state: { seen: string }, { x, y }, step) => {
      step.when('first', state.seen === '')
      state.seen = `${x}${y}`
    })
    const result = await checkBoth({
      initial: { seen: '' },
      components: ['seen'],
      actions: [act],
      properties: ['b2', 'b1', 'a2', 'a1'].map((text) =>
        reachable(text, ({ seen }: { seen: string }) => seen === text),
      ),
    })
    expect(result.properties.map(({ trace }) => trace?.steps[0]?.args)).toEqual([
      { x: 'b', y: 2 },
      { x: 'b', y: 1 },
      { x: 'a', y: 2 },
      { x: 'a', y: 1 },
    ])
  })

  test('of an empty domain there are none', async () => {
    const act = action('Act', { x: [], y: [1] }, () => {})
    const result = await checkBoth({ initial: { n: 0 }, components: ['n'], actions: [act] })
    expect(result.coverage.actions[0]).toEqual({
      name: 'Act',
      tried: 0,
      fired: 0,
      newStates: 0,
      recipeRuns: 0,
    })
  })

  test('more than any search could try are refused before they fill the memory', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => index)
    const act = action('Act', { x: many, y: many }, () => {})
    const result = checkBoth({ initial: { n: 0 }, components: ['n'], actions: [act] })
    await expect(result).rejects.toThrow(/action Act: its arguments have 100000000 combinations/)
  })

  test('more than a mask of them keep their order', async () => {
    const many = Array.from({ length: 100 }, (_, index) => index)
    const act = action('Act', { x: many }, (state: Counter, { x }, step) => {
      step.when('at zero or hundred', state.n === 0 || state.n === 100)
      state.n = state.n === 0 && x === 0 ? 100 : 200 + (x % 7)
    })
    const result = await checkBoth({
      initial: { n: 0 },
      components: ['n'],
      actions: [act],
      properties: [always('not 206', ({ n }: Counter) => n !== 206)],
    })
    expect(result.properties[0]?.trace?.steps.map(({ args }) => args.x)).toEqual([6])
  })
})
