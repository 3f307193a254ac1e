/** From which step on a violation could not be avoided any more. */
import type { PlayedStep } from '../../checker/player.ts'
import type { TraceStep } from '../../checker/trace.ts'
import type { Path, Rehearsal } from '../replay/rehearsal.ts'
import { type Outlook, outlookFrom } from './outlook.ts'

/**
 * A state is sealed if no way leads past the violation: from each state that can be reached from it without a further
 * fault and without the violation, the violation can still be reached, and none of them is an end. Then only a fault,
 * or never taking a step that can be taken, keeps it from happening.
 */
export interface Sealing {
  /** After this step of the trace the outcome is sealed, and stays sealed; 0: from the initial state on. */
  readonly step: number
  /** It may have been sealed earlier: from the state before this step more states can be reached than were explored. */
  readonly atLatest: boolean
  /** A step that could have been taken instead, after which the violation could still be avoided. */
  readonly instead?: Pick<TraceStep, 'action' | 'args' | 'choices' | 'events'>
  /** States explored from all states of the trace together. */
  readonly states: number
}

/** Backwards, up to the first state that is not sealed: what comes after it is. */
export function sealingOf(rehearsal: Rehearsal, { taken }: Path, statesMax: number): Sealing {
  let states = 0
  for (const step of taken.toReversed()) {
    const outlook = outlookFrom(rehearsal, step.before, statesMax - states)
    states += outlook.states
    if (outlook.kind === 'sealed') continue
    return { step: step.number, atLatest: outlook.kind === 'unknown', ...insteadOf(outlook), states }
  }
  return { step: 0, atLatest: false, states }
}

function insteadOf({ firstStep }: Outlook): Pick<Sealing, 'instead'> {
  if (firstStep === undefined) return {}
  const { next: _, ...instead }: PlayedStep = firstStep
  return { instead }
}
