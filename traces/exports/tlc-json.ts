/**
 * A trace in the JSON that TLC writes with `-dumpTrace json` (module _JsonTrace): numbered states, and the action between
 * each two of them. Tools that read counterexamples of TLC read it, and TLC itself goes on from it with `-loadTrace json`.
 */
import type { Plain } from '../../checker/model.ts'
import type { Trace } from '../../checker/trace.ts'
import { isRecord, sortKeys } from '../plain.ts'
import { visible } from '../text/value.ts'

/** TLA+ has no null: it is written like the variant None, as in trace files. */
const none: Plain = { tag: 'None', value: [] }

export function writeTlcJson({ states, steps, loop }: Trace): string {
  const numbered = states.map((state, index): [number, Plain] => [index + 1, withoutNull(state)])
  const action = (name: string, context: Plain, from: number, to: number) => [
    numbered[from],
    { name, parameters: [], context, location: nowhere },
    numbered[to],
  ]
  const taken = steps.map(({ action: name, args, choices }, index) => {
    const chosen = choices.map((choice) => [choice.name, choice.value])
    return action(name, withoutNull({ ...args, ...Object.fromEntries(chosen) }), index, index + 1)
  })
  // The edge that leads back, as TLC has it, is the last one: its target is not after its source.
  const back = loop === undefined ? [] : [action('UnnamedAction', {}, states.length - 1, loop)]
  const [first] = states
  const vars = first !== undefined && isRecord(first) ? Object.keys(first).sort() : []
  const document = { counterexample: { state: numbered, action: [...taken, ...back] }, vars }
  const lines = JSON.stringify(document, null, 1).split('\n')
  // What a terminal would act on is written as JSON has it, too.
  return `${lines.map(visible).join('\n')}\n`
}

/** Of an action that stands in no module. */
const nowhere = { module: 'fencepost', beginLine: 0, beginColumn: 0, endLine: 0, endColumn: 0 }

function withoutNull(value: Plain): Plain {
  if (value === null) return none
  if (Array.isArray(value)) return value.map(withoutNull)
  if (!isRecord(value)) return value
  return sortKeys<Plain>(
    Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutNull(one)])),
  )
}
