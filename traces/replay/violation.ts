/** The behaviour that a trace tells, as the model makes it now. */
import { UsageError } from '../../checker/errors.ts'
import type { Trace } from '../../checker/trace.ts'
import { numbered, type Path, type Rehearsal } from './rehearsal.ts'
import { doesNotApply } from './replay.ts'

/**
 * All steps of a trace, up to the one at which it shows what it says.
 *
 * @throws UsageError 'trace-does-not-apply' if a step cannot be taken, or nothing is shown
 */
export function violationOf(rehearsal: Rehearsal, trace: Trace): Path {
  const { taken, shown, refused } = rehearsal.takeAll(numbered(trace))
  if (shown !== undefined) return { taken, shown }
  if (refused !== undefined) throw doesNotApply(refused.step, trace, refused.found)
  const { name, kind } = rehearsal.goal
  throw new UsageError({
    code: 'trace-does-not-apply',
    where: 'the trace',
    found: `all steps can be taken, but '${name}' is not ${kind === 'reachable' ? 'witnessed' : 'violated'}`,
    expected: 'a trace of the model as it is now',
    fix: 'check it again with --trace',
  })
}
