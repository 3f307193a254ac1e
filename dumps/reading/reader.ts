/** Reads the lines of one file, whatever tools have printed them, in the order in which they stand. */
import type { Observation, Place } from '../observation.ts'
import { Assembler } from './assembler.ts'
import { byteLength, detached } from './bytes.ts'
import {
  headingOfCommand,
  invalidBytesOf,
  isCommand,
  isEmptyLine,
  isOmission,
  startOffsetOf,
} from './headings.ts'
import { type Head, isFormatterLine, withoutPrefix } from './heads.ts'
import { hasMissing, type Logical, missingBytes, parsed, textOf } from './logical.ts'
import { rowOf, type Table, tableOf } from './tables.ts'

/** Lines of each kind; together they are all lines of the file. */
export interface LineCounts {
  /** Part of a dump, a table or a heading. */
  read: number
  /** Blank lines, fences, commands, and marks that something was left out. */
  empty: number
  /** No part of a dump. */
  foreign: number
  /** Part of a dump, and not readable. */
  damaged: number
}

const escapeCharacter = String.fromCharCode(27)
const colour = new RegExp(`${escapeCharacter}\\[[0-9;?]*[A-Za-z]`, 'g')

/** A line may be wrapped this often. */
const piecesMax = 64

export class DumpReader {
  readonly counts: LineCounts = { read: 0, empty: 0, foreign: 0, damaged: 0 }
  private readonly file: string
  private readonly emit: (observation: Observation) => void
  private readonly assembler: Assembler
  private open: Logical | undefined
  /** Bytes that the payload of the last record still has to have. */
  private missing = 0
  private table: Table | undefined
  private command: { text: string; place: Place } | undefined

  constructor(file: string, emit: (observation: Observation) => void) {
    this.file = file
    this.emit = emit
    this.assembler = new Assembler(emit)
  }

  line(number: number, given: string, cut = 0): void {
    const text = given.includes(escapeCharacter) ? given.replaceAll(colour, '') : given
    const place = { file: this.file, line: number }
    const plain = number === 1 && text.startsWith('\ufeff') ? text.slice(1) : text
    if (this.isMoreCommand(plain, place)) return
    const found = withoutPrefix(plain)
    if (this.missing > 0 && this.isPayload(plain, found)) {
      this.missing -= byteLength(plain) + 1 + cut
      this.counts.read += 1
      return
    }
    if (found !== undefined) return this.begin(found.text, found.head, place, cut)
    if (this.open !== undefined && this.goesOn(this.open, plain)) return
    this.finish()
    if (isFormatterLine(plain)) return this.begin(plain, 'formatter', place, cut)
    this.unstructured(plain, place)
  }

  end(): void {
    this.finish()
    if (this.command !== undefined) this.finishCommand(this.command)
    this.assembler.flush()
  }

  /** Something that a dump begins with. */
  private begin(text: string, head: Head, place: Place, cut: number): void {
    this.finish()
    this.table = undefined
    this.counts.read += 1
    if (head !== 'start offset') {
      this.open = { head, text, place, pieces: 1, parse: parsed(head, text, place) }
      if (hasMissing(this.open.parse)) this.missing = missingBytes(this.open.parse) - cut
      return
    }
    const startOffset = startOffsetOf(text)
    if (startOffset !== undefined) return this.assembler.other({ kind: 'start offset', place, startOffset })
    this.counts.read -= 1
    this.unread(text, place, 'it begins like the heading of a dump', true)
  }

  /** Whether the line is the next piece of one that was wrapped; if so it is taken. */
  private goesOn(open: Logical, text: string): boolean {
    const mayGoOn = open.parse.state === 'unfinished' || (open.parse.state === 'whole' && addsTo(open, text))
    if (!mayGoOn || open.pieces >= piecesMax || text.trim() === '') return false
    const glued = [open.text + text, `${open.text} ${text.trimStart()}`]
      .map((both) => ({ both, parse: parsed(open.head, both, open.place) }))
      .filter(({ parse }) => parse.state !== 'broken' && (parse.state !== 'whole' || parse.rest === ''))
      .filter(({ parse }) => open.head !== 'heading' || parse.state === 'whole')
    // A terminal cuts anywhere, a mail program between words: the former fits, or makes nonsense.
    const best = glued[0]
    if (best === undefined) return false
    this.open = { ...open, text: best.both, pieces: open.pieces + 1, parse: best.parse }
    this.missing = hasMissing(best.parse) ? missingBytes(best.parse) : 0
    this.counts.read += 1
    return true
  }

  /** The line that is open is all that there is of it. */
  private finish(): void {
    const { open } = this
    this.open = undefined
    this.missing = 0
    if (open === undefined) return
    const { parse, place } = open
    if (parse.state !== 'broken' && parse.value !== undefined) {
      const { value } = parse
      if ('content' in value) {
        if (value.offset === undefined && !this.assembler.hasBatch) {
          this.counts.read -= open.pieces
          return this.unread(textOf(open), place, 'no batch stands above this record', false)
        }
        this.assembler.record(value)
      } else if (value.kind === 'batch') this.assembler.batchLine(value)
      else this.assembler.other(value)
      if (parse.state === 'whole' && parse.rest !== '') this.remark(parse.rest, place)
      return
    }
    this.counts.read -= open.pieces
    this.counts.damaged += open.pieces
    const why = parse.state === 'broken' ? parse.why : 'it ends too early'
    this.report(textOf(open), place, why, true)
  }

  private unstructured(text: string, place: Place): void {
    const trimmed = text.trim()
    const bytes = invalidBytesOf(trimmed)
    const table = tableOf(text)
    const row = this.table === undefined ? undefined : rowOf(this.table, text, place)
    if (isEmptyLine(trimmed)) {
      this.table = undefined
      this.counts.empty += 1
    } else if (isOmission(trimmed)) {
      this.assembler.other({ kind: 'omission', place })
      this.counts.empty += 1
    } else if (bytes !== undefined) {
      this.assembler.other({ kind: 'invalid bytes', place, bytes })
      this.counts.read += 1
    } else if (table !== undefined) {
      this.table = table
      this.counts.read += 1
    } else if (row !== undefined) {
      this.assembler.other(row)
      this.counts.read += 1
    } else if (isCommand(trimmed)) {
      this.startCommand(trimmed, place)
    } else {
      this.unread(text, place, 'it is no line of a dump that is known here', false)
    }
  }

  /** A command may go on in lines of its own. */
  private isMoreCommand(text: string, place: Place): boolean {
    const { command } = this
    if (command === undefined) return false
    if (!command.text.endsWith('\\')) return false
    const whole = { text: `${command.text.slice(0, -1)} ${text.trim()}`, place: command.place }
    this.counts.empty += 1
    if (whole.text.endsWith('\\') && place.line - command.place.line < piecesMax) this.command = whole
    else this.finishCommand(whole)
    return true
  }

  private startCommand(text: string, place: Place): void {
    this.table = undefined
    this.counts.empty += 1
    if (text.endsWith('\\')) this.command = { text, place }
    else this.finishCommand({ text, place })
  }

  private finishCommand({ text, place }: { text: string; place: Place }): void {
    this.command = undefined
    const heading = headingOfCommand(text, place)
    if (heading !== undefined) this.assembler.other(heading)
  }

  /** Within a payload only what goes on with the log is taken for a line of its own. */
  private isPayload(text: string, found: { text: string; head: Head } | undefined): boolean {
    if (this.open?.parse.state !== 'whole') return false
    if (found === undefined) return byteLength(text) + 1 <= this.missing + 1
    if (found.head === 'heading' || found.head === 'start offset') return false
    const place = { file: this.file, line: 0 }
    const parse = parsed(found.head, found.text, place)
    if (parse.state === 'broken' || parse.value === undefined) return true
    const { value } = parse
    const { value: record } = this.open.parse
    if ('content' in value) {
      const before = 'content' in record ? (record.offset ?? -1) : -1
      const offset = value.offset ?? -1
      if (value.alone !== undefined) return offset <= before
      return offset !== before + 1 || !this.assembler.continues({ baseOffset: offset }, false)
    }
    return value.kind !== 'batch' || !this.assembler.continues(value, true)
  }

  /** Text behind a line that is whole: the line counts, and what was added is not passed over. */
  private remark(text: string, place: Place): void {
    this.report(text, place, 'it was added behind a line of a dump', false)
  }

  private unread(text: string, place: Place, why: string, damaged: boolean): void {
    if (damaged) this.counts.damaged += 1
    else this.counts.foreign += 1
    this.report(text, place, why, damaged)
  }

  private report(text: string, place: Place, why: string, damaged: boolean): void {
    this.emit({ kind: 'unread', place, damaged, text: detached(text.slice(0, 200)), why })
  }
}

/** Whether a line that could end here goes on: a number is cut, or the wrap falls between two of its parts. */
function addsTo({ head, text: before }: Logical, text: string): boolean {
  if (/^\s*\d+\s*$/.test(text)) return /\d$/.test(before)
  if (head === 'snapshot') return /^\s*\w+: ?\S/.test(text)
  return (
    head === 'record' &&
    /headerKeys: ?\[.*\] ?$/.test(before) &&
    /^\s*(?:key|payload|endTxnMarker|controlType):/.test(text)
  )
}
