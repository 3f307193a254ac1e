/** Which faults break a property, as lines of text. */
import type { Way, Ways } from '../../checker/result.ts'
import { visible } from './value.ts'

/** `lateRequests + crashes` */
export const faultsText = ({ faults }: Pick<Way, 'faults'>): string =>
  faults.length === 0 ? 'no fault' : visible(faults.join(' + '))

/** One line for each way, and one that says whether there may be others. */
export function waysSummary({ found, complete, reason }: Ways): string[] {
  const lines = found.map((way, index) => {
    const { steps } = way.trace
    const perhaps = way.isMinimal ? '' : ' (perhaps fewer do)'
    return `way ${index + 1}, ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}, needs ${faultsText(way)}${perhaps}`
  })
  const conclusion = complete
    ? 'whatever breaks it within these bounds has all the faults of one of these ways'
    : `there may be other ways: ${reason ?? 'not everything was searched'}`
  return [
    ...lines,
    found.some(({ faults }) => faults.length === 0) && complete ? 'it breaks by itself' : conclusion,
  ]
}
