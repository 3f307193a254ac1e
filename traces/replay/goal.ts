/** What a trace is there to show: a violated property, or one that is witnessed. */
import { UsageError } from '../../checker/errors.ts'
import { componentPlaces, type Place, placesIn } from '../../checker/places/places.ts'
import { readsOfJudgement } from '../../checker/places/reads.ts'
import type { PlayedStep, Player, Values } from '../../checker/player.ts'
import { deadlockFreedom } from '../../checker/prepare.ts'
import {
  type Evaluation,
  type Judge,
  judgesOf,
  PropertyRunner,
  terminationJudge,
} from '../../checker/property-run.ts'
import type { FailedPart } from '../../checker/trace.ts'

/** A state of a behaviour, and how it was reached. */
export interface Moment {
  readonly values: Values
  /** Absent for the initial state. */
  readonly reached?: { readonly from: Values; readonly by: PlayedStep }
}

/** That it was shown; with the part of the property that is false, if it names one. */
export interface Shown {
  readonly failed?: FailedPart
}

export class Goal {
  readonly name: string
  readonly kind: string
  readonly #player: Player
  readonly #runner: PropertyRunner
  readonly #judges: readonly Judge[]

  /**
   * Of the only property that the model was prepared for.
   *
   * @throws UsageError 'invalid-option' if only an infinite behaviour violates it
   */
  constructor(player: Player) {
    const { body, shape, properties, liveness } = player.prepared
    if (liveness[0] !== undefined) throw ofLiveness(liveness[0].property.name)
    const [property] = properties
    this.#player = player
    this.#runner = new PropertyRunner(shape)
    this.name = property?.name ?? deadlockFreedom
    this.kind = property?.kind ?? 'deadlock'
    this.#judges = property === undefined ? [terminationJudge(body.properTermination!)] : judgesOf(property)
  }

  /** Whether it is shown at this moment of a behaviour. */
  shownAt(moment: Moment): Shown | undefined {
    const found = this.#decisive(moment)
    if (found === undefined) return undefined
    const { failed } = found.evaluation
    return failed === undefined ? {} : { failed }
  }

  /** What decides that it is shown at a moment at which it is: places of the state before the step, and of the state. */
  readsAt(moment: Moment): { readonly before: ReadonlySet<Place>; readonly now: ReadonlySet<Place> } {
    const found = this.#decisive(moment)
    if (found === undefined) throw new Error('the property is not violated here')
    const now = this.#player.stateOf(moment.values)
    if (this.kind !== 'transition') {
      const { before: read } = readsOfJudgement(found.judge, now)
      return {
        before: new Set(),
        now: this.kind === 'deadlock' ? this.#withGuards(read, moment.values) : read,
      }
    }
    const { from, by } = moment.reached!
    const { before, after } = readsOfJudgement(found.judge, this.#player.stateOf(from), now, by)
    return { before, now: after }
  }

  #decisive({ values, reached }: Moment): { judge: Judge; evaluation: Evaluation } | undefined {
    for (const judge of this.#judges) {
      if (judge.judges === 'transitions' && reached === undefined) continue
      const evaluation =
        judge.judges === 'states'
          ? this.#runner.run(judge, values)
          : this.#runner.run(judge, reached!.from, values, reached!.by)
      if (evaluation.holds !== (this.kind === 'reachable')) continue
      if (this.kind === 'deadlock' && !this.#isStuck(values)) continue
      return { judge, evaluation }
    }
    return undefined
  }

  #isStuck(values: Values): boolean {
    return !this.#player.isCut(values) && this.#player.successors(values).next().done === true
  }

  /** Nothing can happen because of all that any action looks at. */
  #withGuards(read: ReadonlySet<Place>, values: Values): Set<Place> {
    const { instances, shape } = this.#player.prepared
    const runs = instances.flatMap((instance) => [...this.#player.runs(values, instance)])
    const components = runs.flatMap(({ path }) =>
      path.flatMap((item) => (item.kind === 'read' ? [item.component] : [])),
    )
    const placeOf = componentPlaces(shape)
    const places = new Set(read)
    for (const component of new Set(components)) placesIn(values[component]!, placeOf[component]!, places)
    return places
  }
}

const ofLiveness = (name: string) =>
  new UsageError({
    code: 'invalid-option',
    where: `property '${name}'`,
    found: 'only a behaviour without an end violates it, and this cannot be done for such behaviours',
    expected: 'a trace that ends: of a violated always, transition or deadlock freedom',
  })
