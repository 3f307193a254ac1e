/** What is learnt about the lines of a schedule while they are searched for. */
import { labelOf } from '../../checker/instances.ts'
import type { NamedStep } from '../../checker/player.ts'
import { stepTitle } from '../text/steps.ts'
import { matches, type Told } from './matching.ts'
import type { Watch } from './product.ts'
import type { ScheduleLine } from './schedule.ts'

type Named = Pick<NamedStep, 'action' | 'args'>

/** What steps are called; more would only make it slow to find the nearest. */
const titlesMax = 5000

export class Overheard implements Watch {
  readonly #lines: readonly ScheduleLine[]
  readonly #meant = new Map<ScheduleLine, Map<string, Named>>()
  readonly #titles: Set<string>
  readonly #participants: Set<string>
  readonly #nearest = new Map<string, { readonly guard: string; readonly passed: number }>()

  /** @param earlier another one that has heard something already */
  constructor(lines: readonly ScheduleLine[], earlier?: Overheard) {
    this.#lines = lines
    this.#titles = new Set(earlier?.titles)
    this.#participants = new Set(earlier?.participants)
    for (const line of lines) this.#meant.set(line, new Map())
  }

  stepped = (told: Told): void => {
    const label = labelOf(told.action, told.args)
    for (const line of this.#lines) {
      const meant = this.#meant.get(line)!
      if (!meant.has(label) && matches(line.pattern, told)) {
        meant.set(label, { action: told.action, args: told.args })
      }
    }
    for (const { lane } of told.events) this.#participants.add(lane)
    if (this.#titles.size < titlesMax) this.#titles.add(stepTitle(told))
  }

  blocked = (action: string, args: Told['args'], guard: string, passed: number): void => {
    const label = labelOf(action, args)
    const known = this.#nearest.get(label)
    if (known === undefined || known.passed < passed) this.#nearest.set(label, { guard, passed })
  }

  /** Instances of actions that a line meant, wherever in the search. */
  meantBy(line: ScheduleLine): readonly Named[] {
    return [...(this.#meant.get(line)?.values() ?? [])]
  }

  /** The guard that disabled an instance after it had passed the most others: so near did it come. */
  nearestGuard({ action, args }: Named): string | undefined {
    return this.#nearest.get(labelOf(action, args))?.guard
  }

  get participants(): ReadonlySet<string> {
    return this.#participants
  }

  /** What the steps that were met are called. */
  get titles(): readonly string[] {
    return [...this.#titles]
  }
}
