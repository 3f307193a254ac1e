/** Lines that say what follows, or that nothing does. */
import type { Heading, Place } from '../observation.ts'
import { detached } from './bytes.ts'
import { integer, known } from './fields.ts'

/** `Dumping /data/orders-0/00000000000000000000.log`. */
export function headingOfDump(text: string, place: Place): Heading | undefined {
  const path = /^Dumping (\S.*)$/.exec(text)?.[1]?.trim()
  return path === undefined ? undefined : headingOf(path, place)
}

/** The partition that a path names, and the offset in the name of the file. */
function headingOf(path: string, place: Place): Heading {
  const parts = path.split(/[/\\]/)
  const name = /^(\d{20})\.(?:log|snapshot|txnindex|index|timeindex)/.exec(parts.at(-1) ?? '')?.[1]
  const folder = parts.at(-2) ?? ''
  const partition = /^[\w.-]+-\d+$/.test(folder) ? folder : undefined
  return {
    kind: 'heading',
    place,
    path,
    ...known({
      partition: partition === undefined ? undefined : detached(partition),
      startOffset: integer(name),
    }),
  }
}

const tools = /kafka-(?:dump-log|run-class|transactions|console-consumer)|DumpLogSegments|TransactionsCommand/
const prompt = /^(?:[$#%>]|[\w@.:~/[\]() -]{1,80}[$#%])\s+\S/

export const isCommand = (text: string): boolean => tools.test(text) || prompt.test(text)

/** A command, with the lines that it goes on in: its options may name what is shown. */
export function headingOfCommand(text: string, place: Place): Heading | undefined {
  if (!tools.test(text)) return undefined
  const files = /--files?[ =]+(\S+)/.exec(text)?.[1]
  if (files !== undefined) {
    const heading = headingOf(files.replace(/^["']|["',]+$/g, ''), place)
    return heading.partition === undefined ? { kind: 'heading', place } : heading
  }
  const [topic, partition] = [
    /--topic[ =]+([\w.-]+)/.exec(text)?.[1],
    /--partition[ =]+(\d+)/.exec(text)?.[1],
  ]
  return topic !== undefined && partition !== undefined
    ? { kind: 'heading', place, partition: `${topic}-${partition}` }
    : { kind: 'heading', place }
}

/** `Starting offset: 0`, `Log starting offset: 0`. */
export const startOffsetOf = (text: string): number | undefined =>
  integer(/^(?:Log starting|Starting) offset: ?(\d+)\s*$/.exec(text)?.[1])

export const invalidBytesOf = (text: string): number | undefined =>
  integer(/^Found (\d+) invalid bytes? at the end of /.exec(text)?.[1])

/** Somebody left lines out, or `grep` did. */
export const isOmission = (text: string): boolean =>
  /^(?:\.{2,}|…+|-{2}|\[\.{2,}\]|\(\.{2,}\)|<(?:snip|snipped|cut|omitted)>|\[(?:snip|snipped|cut|omitted|truncated)\])$/i.test(
    text,
  )

/** Says nothing: blank, a fence of a code block, the line of a snapshot's own header. */
export const isEmptyLine = (text: string): boolean =>
  text === '' || /^(?:```\w*|~~~\w*)$/.test(text) || /^Snapshot end offset: \d+, epoch: \d+$/.test(text)
