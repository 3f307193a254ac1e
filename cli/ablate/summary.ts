/** The sentences under the table of an ablation, and the exit code that they amount to. */
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { counted } from '../report/numbers.ts'
import type { AblationPlan } from './plan.ts'
import type { Removal } from './removals.ts'

export function summaryLines(
  done: readonly Removal[],
  { targets, lacking }: AblationPlan,
  interrupted: boolean,
): string[] {
  const single = done.filter(isSingle)
  const having = (outcome: Removal['outcome']) => single.filter((removal) => removal.outcome === outcome)
  const [survivors, open] = [having('survives'), having('unsettled')]
  const together = done.filter(({ onlyTogether }) => onlyTogether.length > 0)
  return [
    `${counted(single.length, 'defence')} removed: without ${having('falls').length} something falls, ` +
      `${having('covered').length} covered by others, ${counted(survivors.length, 'unexplained survivor')}` +
      (open.length === 0 ? '' : `, ${open.length} left open by a limit`),
    ...survivors.map(({ defencesOff }) => `unexplained survivor: ${defencesOff.join()}`),
    ...together.map(({ defencesOff, onlyTogether }) => {
      const fall = onlyTogether.length === 1 ? '1 property falls' : `${onlyTogether.length} properties fall`
      return `only without all of ${defencesOff.join(' + ')}: ${fall}`
    }),
    ...(lacking.length === 0 ? [] : [`does not exist there: ${lacking.join(', ')}`]),
    ...(interrupted ? [`stopped by you after ${single.length} of ${targets.length} defences`] : []),
  ]
}

/** A survivor is a finding, however much a limit left open. */
export function exitCodeOfAblation(done: readonly Removal[], interrupted: boolean): ExitCode {
  if (done.some((removal) => isSingle(removal) && removal.outcome === 'survives')) return exitCodes.found
  const open = interrupted || done.some(({ outcome }) => outcome === 'unsettled')
  return open ? exitCodes.stopped : exitCodes.holds
}

const isSingle = ({ defencesOff }: Removal): boolean => defencesOff.length === 1
