/** On random models a reduced search says the same of states as the full one. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FullGraph } from '../../../bench/partial-order/full-graph.ts'
import { fullGraph } from '../../../bench/partial-order/full-graph.ts'
import { check } from '../../../checker/index.ts'
import { prepare } from '../../../checker/prepare.ts'
import { judgesOf, PropertyRunner } from '../../../checker/property-run.ts'
import { modelOf, randomModel } from '../../checker/random-model.ts'
import { fieldsOfAll, isEnd, reduce, relations, statesOf } from './reduced.ts'

/** By property of states, whether it is settled in some of these states: violated, or witnessed. */
function settledIn(graph: FullGraph, states: readonly number[]): Record<string, boolean> {
  const { prepared, space, ids } = graph
  const runner = new PropertyRunner(prepared.shape)
  return Object.fromEntries(
    prepared.properties.map((property) => {
      const wanted = property.kind === 'reachable'
      const settled = judgesOf(property).some((judge) =>
        states.some((state) => runner.run(judge, space.components.values(ids(state))).holds === wanted),
      )
      return [property.name, settled]
    }),
  )
}

test('a reduced search finds every end, and settles the properties of states that the full search settles', async () => {
  const seen = { reduced: 0, reducedMore: 0, settled: 0, ends: 0 }
  await fc.assert(
    fc.asyncProperty(randomModel, fc.boolean(), async (random, withProperties) => {
      const ofStates = random.properties.filter(({ kind }) => kind !== 'transition')
      const properties = withProperties ? ofStates : ofStates.slice(0, 1)
      const model = modelOf({ ...random, properties, constraint: undefined })
      const { limit } = await check(model, {}, { maxStates: 800, continueAfterViolation: true })
      fc.pre(limit === undefined)
      const graph = fullGraph(prepare(model, {}))
      const all = statesOf(graph)
      const ends = all.filter((state) => isEnd(graph, state))
      const fields = fieldsOfAll(graph)
      const settled = settledIn(graph, all)
      for (const dependenceOf of Object.values(relations)) {
        const dependence = dependenceOf(graph)
        const { found, states } = reduce(graph, { dependence, fields })
        expect(ends.filter((state) => !found[state])).toEqual([])
        expect(
          settledIn(
            graph,
            all.filter((state) => found[state]),
          ),
        ).toEqual(settled)
        if (states < graph.states) seen.reduced++
        const free = reduce(graph, { dependence, isCareful: false })
        expect(ends.filter((state) => !free.found[state])).toEqual([])
        if (free.states < graph.states) seen.reducedMore++
      }
      seen.ends += ends.length
      if (Object.values(settled).some(Boolean)) seen.settled++
    }),
    { numRuns: 150 },
  )
  // The comparison is worth something only if there was something to lose.
  expect(seen.reduced).toBeGreaterThan(20)
  expect(seen.reducedMore).toBeGreaterThan(40)
  expect(seen.settled).toBeGreaterThan(20)
  expect(seen.ends).toBeGreaterThan(10)
})
