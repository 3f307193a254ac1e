/**
 * A trace as JSON, one object a line, for jq and other tools that read line by line: first what it is a trace of, then
 * its initial state, then its steps, each with the state that it leads to.
 */
import type { Trace } from '../../checker/trace.ts'
import { sortKeys } from '../plain.ts'
import { eventText } from '../text/event.ts'
import { visible } from '../text/value.ts'

export function writeJsonl({ states, steps, ...about }: Trace): string {
  const [initial, ...others] = states
  const lines = [
    { kind: 'trace', ...about, length: steps.length },
    { kind: 'initial', step: 0, state: initial },
    ...steps.map((step, index) => ({
      kind: 'step',
      step: index + 1,
      ...step,
      told: step.events.map(eventText),
      state: others[index],
    })),
  ]
  return lines.map((line) => `${visible(JSON.stringify(sortKeys(line as never)))}\n`).join('')
}
