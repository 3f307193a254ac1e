/** Refuses events that no view could show, and that no reader of traces would take. */
import { ModelError } from './errors.ts'
import type { Plain } from './model.ts'
import { displayed } from './plain.ts'
import { eventKinds, type StepEvent } from './view.ts'

const kinds: readonly unknown[] = eventKinds
const texts = ['peer', 'message', 'text']

/**
 * An event as it is kept in traces: plain data.
 * @throws ModelError 'model-failed' if it is of no known kind, or one of its fields is not of the type it must be
 */
export function checkedEvent(emitted: unknown, label: string): StepEvent {
  const event = displayed(emitted)
  if (!isRecord(event)) throw refused(label, `an event that is ${shown(event)}`, 'an object')
  const { kind, lane, fields } = event
  if (!kinds.includes(kind)) {
    throw refused(label, `an event of the kind ${shown(kind)}`, `one of ${eventKinds.join(', ')}`)
  }
  const wrongText = texts.find((key) => event[key] !== undefined && typeof event[key] !== 'string')
  const wrong = typeof lane === 'string' ? wrongText : 'lane'
  if (wrong !== undefined) {
    throw refused(label, `an event whose ${wrong} is ${shown(event[wrong])}`, 'a string')
  }
  if (event.late !== undefined && event.late !== true) {
    throw refused(label, `an event whose late is ${shown(event.late)}`, 'true, or nothing')
  }
  if (fields !== undefined && !isRecord(fields)) {
    throw refused(label, `an event whose fields are ${shown(fields)}`, 'an object')
  }
  return event as unknown as StepEvent
}

const isRecord = (value: Plain | undefined): value is { [key: string]: Plain } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shown = (value: Plain | undefined): string => (value === undefined ? 'missing' : JSON.stringify(value))

const refused = (where: string, found: string, expected: string) =>
  new ModelError({ code: 'model-failed', found: `it emits ${found}`, where, expected })
