/** What would have prevented a violation: a defence that was switched off, or another rule. */
import { UsageError } from '../../checker/errors.ts'
import type { Model, Plain } from '../../checker/model.ts'
import { canonical, textOf } from '../../checker/plain.ts'
import type { Trace } from '../../checker/trace.ts'
import type { StepEvent } from '../../checker/view.ts'
import { type NumberedStep, numbered, type Path, type Rehearsal, rehearsalOf } from '../replay/rehearsal.ts'

/** Another configuration in which the same steps may come to something else. */
export interface Alternative {
  readonly label: string
  readonly config: unknown
}

/** What was put in place, so that the steps do not come to a violation any more. */
export interface Remedy {
  /** Names of defences that have to be there together, or the label of an alternative. */
  readonly names: readonly string[]
  /**
   * The first step that goes another way, or is blocked; 0 if the initial state is another one. Absent if all is the same
   * but for what the property says of it.
   */
  readonly step?: number
  /** What happens in this step then; empty if it is the one that is blocked. */
  readonly events: readonly StepEvent[]
  /** The step that cannot be taken, and what blocks it. Absent if all can, and come to nothing bad. */
  readonly blocked?: { readonly step: number; readonly found: string; readonly guard?: string }
}

export interface Prevention {
  /** Each of these would have prevented it. Of defences that only help together, one smallest set. */
  readonly defences: readonly Remedy[]
  /** Looked for only where no defence helps; of all that help, those that leave the behaviour as it is for longest. */
  readonly alternatives: readonly Remedy[]
}

interface Question<Config, State> {
  readonly model: Model<Config, State>
  readonly trace: Trace
  /** The steps that the violation depends on. */
  readonly slice: Path
}

/**
 * A remedy prevents the violation if the steps of the trace do not come to it any more, also when those that cannot be taken
 * are left out. That another behaviour comes to it is not ruled out: that is for a search to say.
 */
export function preventionOf<Config, State>(
  question: Question<Config, State>,
  alternatives: readonly Alternative[],
): Prevention {
  const { defencesOff } = question.trace
  const restoring = (names: readonly string[]): Remedy | undefined => {
    const others = defencesOff.filter((name) => !names.includes(name))
    return remedy(question, names, { defencesOff: others })
  }
  const alone = defencesOff.flatMap((name) => restoring([name]) ?? [])
  const defences = alone.length > 0 ? alone : smallestSet(defencesOff, restoring)
  if (defences.length > 0) return { defences, alternatives: [] }
  const others = alternatives.flatMap(({ label, config }) => {
    return remedy(question, [label], { config: config as Plain }) ?? []
  })
  const latest = Math.max(...others.map(lastStepAlike))
  return { defences, alternatives: others.filter((one) => lastStepAlike(one) === latest) }
}

const lastStepAlike = ({ step }: Remedy) => step ?? Number.POSITIVE_INFINITY

function smallestSet(
  names: readonly string[],
  restoring: (names: readonly string[]) => Remedy | undefined,
): Remedy[] {
  let best = names.length === 0 ? undefined : restoring(names)
  for (const name of best === undefined ? [] : names) {
    const fewer = best!.names.filter((other) => other !== name)
    best = (fewer.length > 0 ? restoring(fewer) : undefined) ?? best
  }
  return best === undefined ? [] : [best]
}

function remedy<Config, State>(
  { model, trace, slice }: Question<Config, State>,
  names: readonly string[],
  changed: Partial<Pick<Trace, 'config' | 'defencesOff'>>,
): Remedy | undefined {
  const rehearsal = rehearsalIfPossible(model, trace, changed)
  if (rehearsal === undefined) return undefined
  const happensAnyway = [numbered(trace), slice.taken].some((steps) => rehearsal.takeWhatApplies(steps))
  return happensAnyway ? undefined : { names, ...firstDifference(rehearsal, trace, slice) }
}

/** Not every configuration is valid, and not every one makes the same promise. */
function rehearsalIfPossible<Config, State>(
  model: Model<Config, State>,
  trace: Trace,
  changed: Partial<Pick<Trace, 'config' | 'defencesOff'>>,
): Rehearsal | undefined {
  try {
    return rehearsalOf(model, trace, changed)
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

function firstDifference(rehearsal: Rehearsal, trace: Trace, slice: Path): Omit<Remedy, 'names'> {
  const { player, initial } = rehearsal
  if (!isSame(player.stateOf(initial), trace.states[0]!)) return { step: 0, events: [] }
  const { taken, refused } = rehearsal.takeAll(slice.taken)
  const blocked = refused === undefined ? {} : { blocked: blockedAt(refused) }
  const first = taken.find(({ next }, index) => !isSame([...next], [...slice.taken[index]!.next]))
  if (first !== undefined) return { step: first.number, events: first.events, ...blocked }
  return { ...(refused === undefined ? {} : { step: refused.step.number }), events: [], ...blocked }
}

const isSame = (one: Plain, other: Plain) => textOf(one) === textOf(canonical(other, 'state'))

function blockedAt({ step, found, guard }: { step: NumberedStep; found: string; guard?: string }) {
  return { step: step.number, found, ...(guard === undefined ? {} : { guard }) }
}
