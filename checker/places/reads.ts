/** Which places of a state a step and a judgement depend on. */
import { failed, impureRecipe } from '../errors.ts'
import type { Claim, Plain, Step, Taken } from '../model.ts'
import { canonical, mutableCopy, textOf } from '../plain.ts'
import type { NamedStep, Player } from '../player.ts'
import type { Judge } from '../property-run.ts'
import type { Place } from './places.ts'
import { Tracked } from './tracked.ts'

/**
 * What a step that can be taken reads: all on which its guards, its choices and its writes depend. From any state in
 * which these places have the same values it can be taken too, and writes the same.
 *
 * @param next the state that it leads to
 * @throws ModelError 'impure-recipe' if it does not lead there
 */
export function readsOfStep(player: Player, before: Plain, step: NamedStep, next: Plain): Set<Place> {
  const instance = player.instanceOf(step)
  if (instance === undefined) throw new Error(`the model has no step ${step.action}`)
  const tracked = new Tracked(before)
  try {
    instance.action.recipe(tracked.view, instance.argumentsForRun(), choosing(step, tracked))
  } catch (error) {
    throw failed(instance.label, error)
  }
  const after = canonical(tracked.result(), instance.label)
  if (textOf(after) !== textOf(next)) {
    throw impureRecipe(instance.label, 'it writes something else when it is run again to see what it reads')
  }
  return tracked.reads
}

/** Chooses as it was chosen, and lets everything pass. */
function choosing({ choices }: NamedStep, tracked: Tracked): Step {
  let made = 0
  return {
    when: () => undefined,
    choose: (name, options) => {
      const wanted = textOf(canonical(choices[made++]?.value, name))
      const found = options.map((option) => canonical(tracked.plain(option), name))
      const index = found.findIndex((option) => textOf(option) === wanted)
      if (index < 0) throw impureRecipe(name, 'it offers other options when it is run again')
      return mutableCopy(found[index]) as (typeof options)[number]
    },
    fault: () => undefined,
    emit: () => undefined,
  }
}

export interface JudgementReads {
  readonly before: ReadonlySet<Place>
  readonly after: ReadonlySet<Place>
}

/** What a judgement depends on; of a judge of states, all of it is in `before`. */
export function readsOfJudgement(judge: Judge, before: Plain, after?: Plain, taken?: Taken): JudgementReads {
  const [first, second] = [new Tracked(before), new Tracked(after ?? {})]
  const demand = (condition: boolean) => {
    if (!condition) throw settled
  }
  const claim: Claim = {
    given: (_, condition) => demand(condition),
    that: (_, condition) => demand(condition),
  }
  try {
    judge.evaluate(first.view, second.view, claim, taken)
  } catch (error) {
    if (error !== settled) throw failed(judge.label, error)
  }
  return { before: first.reads, after: second.reads }
}

/** Thrown inside a judging function to leave it; never seen outside. */
const settled = new Error('the property is settled here; let this exception pass')
