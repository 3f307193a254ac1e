/** Demands of a counterexample of a liveness property that it is one: every step, the loop, and its fairness. */
import { expect } from 'vitest'
import type { LivenessProperty, Model, Plain, Trace } from '../../../checker/index.ts'
import type { Instance } from '../../../checker/instances.ts'
import { prepare } from '../../../checker/prepare.ts'
import { type Stepper, stepperOf } from '../../../checker/stepper.ts'
import type { FairByLabel, PlainGraph } from './oracle.ts'

/** All that can happen in the model, as plain text. */
export function plainGraphOf<Config, State>(model: Model<Config, State>) {
  const prepared = prepare(model, {})
  const stepper = stepperOf(prepared)
  const initial = stepper.initialStates.map((state) => JSON.stringify(state))
  const graph = new Map<string, { label: string; to: string }[]>()
  const waiting = [...new Set(initial)]
  for (const text of waiting) {
    if (graph.has(text)) continue
    const steps = prepared.instances.flatMap((instance) => {
      const { enabled } = stepper.of(JSON.parse(text), instance)
      return enabled.map(({ next }) => ({ label: instance.label, to: JSON.stringify(next) }))
    })
    graph.set(text, steps)
    waiting.push(...steps.map(({ to }) => to))
  }
  const fairOf = ({
    fairness: { weak = [], strong = [], mayStop = false },
  }: LivenessProperty<State>): FairByLabel => ({
    weak: labelsOf(weak, prepared.instances),
    strong: labelsOf(strong, prepared.instances),
    mayStop,
  })
  return { graph: graph as PlainGraph, initial, stepper, fairOf, instances: prepared.instances }
}

const labelsOf = (names: readonly string[], instances: readonly Instance[]) =>
  instances
    .filter(({ action, label }) => names.includes(action.name) || names.includes(label))
    .map(({ label }) => label)

interface Known {
  readonly graph: PlainGraph
  readonly stepper: Stepper
  readonly instances: readonly Instance[]
}

/** Fails unless the trace is a behaviour of the model that ends in a fair loop and breaks the property there. */
export function expectLasso<State>(
  trace: Trace,
  property: LivenessProperty<State>,
  fair: FairByLabel,
  { graph, stepper, instances }: Known,
): void {
  const texts = trace.states.map((state) => JSON.stringify(state))
  expect(stepper.initialStates.map((state) => JSON.stringify(state))).toContain(texts[0])
  trace.steps.forEach((step, index) => {
    expect(stepper.take(trace.states[index] as Plain, step).next).toEqual(trace.states[index + 1])
  })
  const loop = trace.loop!
  expect(texts.at(-1)).toBe(texts[loop])
  const loopTexts = texts.slice(loop)
  const labelOf = ({ action, args }: Trace['steps'][number]) =>
    instances.find((each) => {
      return each.action.name === action && JSON.stringify(each.args) === JSON.stringify(args)
    })!.label
  const taken = new Set(trace.steps.slice(loop).map(labelOf))
  if (taken.size === 0 && !fair.mayStop) expect(graph.get(texts.at(-1)!)).toEqual([])
  const can = (label: string) => (text: string) => graph.get(text)!.some((step) => step.label === label)
  for (const label of fair.weak) {
    expect([label, taken.has(label) || !loopTexts.every(can(label))]).toEqual([label, true])
  }
  for (const label of fair.strong) {
    expect([label, taken.has(label) || !loopTexts.some(can(label))]).toEqual([label, true])
  }
  const starved = instances.map(({ label }) => label).filter((label) => !taken.has(label))
  expect(trace.property!.lasso).toEqual({
    fairness: { weak: fair.weak, strong: fair.strong },
    brokenBy: {
      weak: starved.filter((label) => loopTexts.every(can(label))),
      strong: starved.filter((label) => loopTexts.some(can(label)) && !loopTexts.every(can(label))),
    },
  })
  expectBroken(trace, property)
}

/** Somewhere before the loop the promise is made, and from there on it is never kept. */
function expectBroken<State>({ states, loop }: Trace, property: LivenessProperty<State>): void {
  const isOpen = states.map((state) => !property.to(state as State))
  const lastKept = isOpen.lastIndexOf(false)
  expect(lastKept).toBeLessThan(loop!)
  const asked = states.findLastIndex((state, index) => {
    return index <= loop! && (property.from?.(state as State) ?? true)
  })
  expect(asked).toBeGreaterThan(lastKept)
  if (property.kind === 'eventually') expect(lastKept).toBe(-1)
}
