/** Records of __consumer_offsets as --offsets-decoder prints them: text up to 3.7, JSON since. */
import type { OffsetRecord, Place } from '../observation.ts'
import { detached } from './bytes.ts'
import { integer, known } from './fields.ts'
import { jsonOf, numberOf, objectOf, stringOf } from './json.ts'

/** @returns undefined for anything else, such as the metadata of a group */
export function offsetOfContent(
  content: string,
  place: Place,
  recordOffset: number,
): OffsetRecord | undefined {
  const text =
    /^key: offset_commit::group=(.*),partition=(\S+) payload: (?:<DELETE>|offset=(-?\d+).*)$/s.exec(content)
  if (text !== null) {
    const [, group = '', partition = '', offset] = text
    return {
      kind: 'offset',
      place,
      recordOffset,
      group: detached(group),
      partition: detached(partition),
      ...known({ offset: integer(offset) }),
    }
  }
  return offsetOfJson(content, place, recordOffset)
}

function offsetOfJson(content: string, place: Place, recordOffset: number): OffsetRecord | undefined {
  if (!/(?:\}|null|>)$/.test(content.slice(-8))) return undefined
  const [, keyText, valueText] = /^key: (\{.*\}) payload: (\{.*\}|null|<DELETE>)$/s.exec(content) ?? []
  const key = objectOf(objectOf(jsonOf(keyText ?? ''))?.data)
  const [group, topic, partition] = [stringOf(key?.group), stringOf(key?.topic), numberOf(key?.partition)]
  if (group === undefined || topic === undefined || partition === undefined) return undefined
  const offset = numberOf(objectOf(objectOf(jsonOf(valueText ?? ''))?.data)?.offset)
  return {
    kind: 'offset',
    place,
    recordOffset,
    group,
    partition: `${topic}-${partition}`,
    ...known({ offset }),
  }
}
