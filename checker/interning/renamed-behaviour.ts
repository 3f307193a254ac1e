/**
 * Tells behaviours by real names, of which a search up to renaming has kept representatives only.
 *
 * Each step of the search begins in a representative, and so does not continue the one before. But what one state of
 * an orbit can do every one can, renamed. So the behaviour is told from a real initial state on, each time by the first
 * step, in the order that breaks ties, that leads into the next orbit.
 */
import { impureRecipe, ModelError } from '../errors.ts'
import type { SafetyProperty } from '../model.ts'
import { deadlockFreedom } from '../prepare.ts'
import { type Judge, judgesOf, PropertyRunner, terminationJudge } from '../property-run.ts'
import { componentsOf, stateOf } from '../shape.ts'
import { type EnabledStep, stepperOf } from '../stepper.ts'
import type { FailedPart, Trace } from '../trace.ts'
import { traceFrom } from './behaviour.ts'
import type { JudgedProperty } from './judging.ts'
import type { Space } from './space.ts'

/** A behaviour with the part of the property that is false in the end. */
export interface Told {
  readonly trace: Trace
  readonly failed?: FailedPart
}

export class RenamedBehaviour {
  readonly #space: Space
  readonly #stepper: ReturnType<typeof stepperOf>
  readonly #runner: PropertyRunner

  constructor(space: Space) {
    this.#space = space
    this.#stepper = stepperOf(space.prepared)
    this.#runner = new PropertyRunner(space.prepared.shape)
  }

  /**
   * The first way into the orbit of a state.
   * @throws ModelError 'impure-recipe' if recipes do not do again what they did in the search
   */
  to(state: number): Trace {
    const { states, prepared } = this.#space
    const path = [state]
    while (states.parent(path[0]!) >= 0) path.unshift(states.parent(path[0]!))
    const orbits = path.map((each) => this.#textOfState(each))
    const first = prepared.initial.find((values) => this.#orbitText(values) === orbits[0])!
    let trace = traceFrom(prepared, [stateOf(prepared.shape, first)], [])
    for (const orbit of orbits.slice(1)) trace = this.#extended(trace, orbit)
    return trace
  }

  /**
   * A way to a state in which a property is settled, or to a step that settles it.
   * @throws ModelError 'asymmetric-model' if the property says something else of the state by its real names
   */
  settling({ name, kind, settled }: JudgedProperty): Told {
    const trace = this.to(settled!.state)
    const judges = this.#judgesOf(name)
    const told =
      kind === 'transition'
        ? this.#stepSettling(trace, judges[0]!)
        : this.#settledAt(trace, judges, kind === 'reachable')
    if (told !== undefined) return told
    throw new ModelError(
      {
        code: 'asymmetric-model',
        where: `property '${name}'`,
        found: 'it says something else of a state and of the same state with names exchanged',
        expected: 'the same up to the names of what is declared to be interchangeable',
        fix: 'declare all places where names occur, or leave the symmetry out (--no-symmetry)',
      },
      { trace },
    )
  }

  /**
   * Fails as the search did, by the real names.
   * @throws what the model throws there, with the way to it
   */
  failing(state: number, known: ModelError): never {
    const trace = this.to(state)
    const at = trace.states.at(-1)!
    try {
      const steps = this.#stepper.successors(at).enabled
      for (const judge of this.#space.prepared.properties.flatMap(judgesOf)) {
        if (judge.judges === 'states') this.#run(judge, at)
        else for (const step of steps) this.#run(judge, at, step)
      }
    } catch (error) {
      if (error instanceof ModelError) throw new ModelError(error.details, { cause: error.cause, trace })
      throw error
    }
    throw new ModelError(known.details, { cause: known.cause, trace })
  }

  #textOfState(state: number): string {
    const ids = new Int32Array(this.#space.components.count)
    this.#space.read(state, ids)
    return ids.join()
  }

  #orbitText(values: Parameters<Space['idsOf']>[0]): string {
    return this.#space.idsOf(values).join()
  }

  #extended(trace: Trace, orbit: string): Trace {
    const { prepared } = this.#space
    const { shape } = prepared
    const from = trace.states.at(-1)!
    for (const instance of prepared.instances) {
      for (const step of this.#stepper.of(from, instance).enabled) {
        if (this.#orbitText(componentsOf(shape, step.next, 'state')) === orbit) return extendedBy(trace, step)
      }
    }
    throw impureRecipe(
      'the model',
      'no action leads again to where one led in the search, when the way to a state is to be told',
    )
  }

  #judgesOf(name: string): Judge[] {
    const { properties, body } = this.#space.prepared
    const property = properties.find((each) => each.name === name) as SafetyProperty<unknown> | undefined
    if (property !== undefined) return judgesOf(property)
    if (name !== deadlockFreedom) throw new Error(`'${name}' is no property`)
    return [terminationJudge(body.properTermination!)]
  }

  #settledAt(trace: Trace, judges: readonly Judge[], settles: boolean): Told | undefined {
    for (const judge of judges) {
      const { holds, failed } = this.#run(judge, trace.states.at(-1)!)
      if (holds === settles) return { trace, ...(failed === undefined ? {} : { failed }) }
    }
    return undefined
  }

  #stepSettling(trace: Trace, judge: Judge): Told | undefined {
    const from = trace.states.at(-1)!
    for (const step of this.#stepper.successors(from).enabled) {
      const { holds, failed } = this.#run(judge, from, step)
      if (!holds) return { trace: extendedBy(trace, step), ...(failed === undefined ? {} : { failed }) }
    }
    return undefined
  }

  #run(judge: Judge, state: Trace['states'][number], step?: EnabledStep) {
    const { shape } = this.#space.prepared
    const before = componentsOf(shape, state, 'state')
    if (step === undefined) return this.#runner.run(judge, before)
    return this.#runner.run(judge, before, componentsOf(shape, step.next, 'state'), step)
  }
}

const extendedBy = (trace: Trace, { next, ...step }: EnabledStep): Trace => ({
  ...trace,
  states: [...trace.states, next],
  steps: [...trace.steps, step],
})
