/** The step that seals the outcome, against a naive computation on random graphs. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { action, always, simulate, type Trace } from '../../../checker/index.ts'
import { explain } from '../../../traces/index.ts'
import { tiny } from '../../checker/tiny.ts'

/** By node: where one gets from there, and whether that takes a fault. */
type Graph = readonly (readonly { readonly to: number; readonly fault: boolean }[])[]

interface State {
  at: number
}

const size = 8
const violated = size - 1
const nodes = Array.from({ length: size }, (_, node) => node)
const edge = fc.record({ to: fc.nat(size - 1), fault: fc.nat(5).map((number) => number === 0) })
const graphs: fc.Arbitrary<Graph> = fc.array(
  fc.uniqueArray(edge, { maxLength: 3, selector: ({ to }) => to, size: 'max' }),
  { minLength: size, maxLength: size },
)

const modelOf = (graph: Graph) =>
  tiny<State>({
    initial: { at: 0 },
    components: ['at'],
    actions: [
      action('Go', { to: nodes }, (state: State, { to }, step) => {
        const found = graph[state.at]!.find((one) => one.to === to)
        step.when('there is an edge', found !== undefined)
        if (found?.fault) step.fault('breaks')
        state.at = to
      }),
    ],
    properties: [always('never there', ({ at }: State) => at !== violated)],
  })

/** Whether the violation comes, whatever happens from a node on without a fault. */
function isSealed(graph: Graph, from: number): boolean {
  const next = (node: number) => graph[node]!.filter(({ fault }) => !fault).map(({ to }) => to)
  const reached = (start: number) => {
    const found = new Set([start])
    for (const node of found) if (node !== violated) for (const to of next(node)) found.add(to)
    return found
  }
  return [...reached(from)].every((node) => reached(node).has(violated))
}

function sealingStep(graph: Graph, { states }: Trace): number {
  const path = states.map((state) => (state as unknown as State).at)
  return path.findLastIndex((node) => !isSealed(graph, node)) + 1
}

test('in any graph the outcome is sealed by the step that a naive search finds', async () => {
  const found = { last: 0, earlier: 0, atOnce: 0 }
  await fc.assert(
    fc.asyncProperty(graphs, fc.nat(1000), async (graph, seed) => {
      const model = modelOf(graph)
      const { properties } = await simulate(model, {}, { seed, walks: 5, depth: 15 })
      const trace = properties[0]?.trace
      if (trace === undefined) return
      const step = sealingStep(graph, trace)
      const { sealing } = explain(model, trace)
      expect(sealing).toMatchObject({ step, atLatest: false })
      const { instead } = sealing
      if (instead !== undefined) {
        const to = instead.args.to as number
        expect(isSealed(graph, to)).toBe(false)
      }
      if (step === 0) found.atOnce++
      else if (step === trace.steps.length) found.last++
      else found.earlier++
    }),
    { numRuns: 400 },
  )
  expect(Math.min(found.last, found.earlier, found.atOnce)).toBeGreaterThan(10)
})
