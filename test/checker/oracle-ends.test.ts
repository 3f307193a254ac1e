/** How the oracle ends: deadlocks, cut states, limits. Every expected number was found by hand. */
import { describe, expect, test } from 'vitest'
import { action, always, reachable } from '../../checker/model.ts'
import { type Counter, countUp, explore } from './counter.ts'

describe('ends', () => {
  const initial = { n: 0 }

  test('a state without successors is a deadlock unless the model says that it may end there', () => {
    const ending = (properTermination?: (state: Counter) => boolean) =>
      explore({ initial, actions: [countUp(2)], properTermination }).properties.map(({ verdict, depth }) => [
        verdict,
        depth,
      ])
    expect(ending()).toEqual([])
    expect(ending(({ n }) => n === 2)).toEqual([['proved', undefined]])
    expect(ending(({ n }) => n === 3)).toEqual([['violated', 3]])
  })

  test('a self-loop is a successor', () => {
    const rest = action('Rest', {}, () => {})
    const result = explore({ initial, actions: [rest], properTermination: () => false })
    expect(result.properties[0]?.verdict).toBe('proved')
  })

  test('a cut state is counted and judged, not expanded, and no deadlock; the verdict is bounded', () => {
    const properties = [
      always('below three', ({ n }: Counter) => n < 3),
      always('below nine', ({ n }: Counter) => n < 9),
    ]
    const cut = (limit: number) =>
      explore({
        initial,
        actions: [countUp(20)],
        properties,
        properTermination: () => false,
        constraint: ({ n }: Counter) => n < limit,
      })
    const result = cut(2)
    expect(result.states).toEqual({ distinct: 3, generated: 3 })
    expect(result.limit).toEqual({ kind: 'constraint', value: 1, completeToDepth: 2 })
    expect(result.properties.map(({ verdict }) => verdict)).toEqual(['bounded', 'bounded', 'bounded'])
    expect(result.verdict).toBe('bounded')
    expect(cut(3).properties[0]).toMatchObject({ verdict: 'violated', depth: 4 })
  })

  test('limits end the search between levels, and what was not settled is bounded', () => {
    const properties = [
      always('below nine', ({ n }: Counter) => n < 9),
      reachable('one', ({ n }: Counter) => n === 1),
      reachable('eight', ({ n }: Counter) => n === 8),
    ]
    const body = { initial, actions: [countUp(5)], properties }
    const byDepth = explore(body, { maxDepth: 3 })
    expect(byDepth.limit).toEqual({ kind: 'depth', value: 3, completeToDepth: 2 })
    expect(byDepth.states).toEqual({ distinct: 3, generated: 3 })
    expect(byDepth.properties.map(({ verdict }) => verdict)).toEqual(['bounded', 'witnessed', 'bounded'])
    expect(byDepth.verdict).toBe('bounded')
    const byStates = explore(body, { maxStates: 4 })
    expect(byStates.limit).toEqual({ kind: 'states', value: 4, completeToDepth: 3 })
    expect(byStates.states.distinct).toBe(4)
    expect(explore(body, { maxStates: 7 }).limit).toBeUndefined()
  })

  test('a level is finished even if it passes the limit', () => {
    const split = action('Split', { into: [1, 2, 3] }, (state: Counter, { into }, step) => {
      step.when('whole', state.n === 0)
      state.n = into
    })
    expect(explore({ initial, actions: [split] }, { maxStates: 2 }).states.distinct).toBe(4)
  })
})
