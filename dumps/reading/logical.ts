/** A line as the tool printed it, which may have arrived in pieces. */
import type {
  AbortedTransaction,
  Batch,
  Heading,
  Place,
  ProducerSnapshot,
  TransactionRecord,
} from '../observation.ts'
import { parseBatch } from './batch-line.ts'
import { byteLength } from './bytes.ts'
import { headingOfDump } from './headings.ts'
import type { Head } from './heads.ts'
import { jsonOf } from './json.ts'
import { broken, type Parsed } from './parsed.ts'
import { parseAborted, parseSnapshot } from './producer-lines.ts'
import { parseRecord, type RecordLine } from './record-line.ts'
import {
  transactionOfContent,
  transactionOfFormatter,
  transactionOfFormatterJson,
} from './transaction-content.ts'

type Value = Heading | Batch | RecordLine | ProducerSnapshot | AbortedTransaction | TransactionRecord

export interface Logical {
  readonly head: Head
  readonly text: string
  readonly place: Place
  readonly pieces: number
  readonly parse: Parsed<Value>
}

export function parsed(head: Head, text: string, place: Place): Parsed<Value> {
  switch (head) {
    case 'heading':
      return wholePath(headingOfDump(text, place))
    case 'batch':
      return parseBatch(text, place)
    case 'record':
      return decodedOrMore(parseRecord(text.replace(/^\| ?/, ''), place))
    case 'bare record':
      return { state: 'whole', value: { place, content: text.replace(/^\| ?/, '') }, rest: '' }
    case 'snapshot':
      return parseSnapshot(text, place)
    case 'index':
      return parseAborted(text, place)
    case 'formatter':
      return whole(transactionOfFormatter(text, place), /txnLastUpdateTimestamp=-?\d+.*\)$/.test(text))
    case 'formatter json':
      return whole(transactionOfFormatterJson(text, place), jsonOf(text) !== undefined)
    default:
      return broken('it begins nothing that goes on')
  }
}

/** A path that is cut has no ending yet. */
function wholePath(value: Heading | undefined): Parsed<Heading> {
  if (value === undefined) return broken('it names no file')
  const ends = /\.(?:log|snapshot|txnindex|index|timeindex|checkpoint)$/.test(value.path ?? '')
  return ends ? { state: 'whole', value, rest: '' } : { state: 'unfinished', value }
}

function whole(value: TransactionRecord | undefined, ended: boolean): Parsed<TransactionRecord> {
  if (value !== undefined) return { state: 'whole', value, rest: '' }
  return ended
    ? broken('it is no record of a transaction that is known here')
    : { state: 'unfinished', value: undefined }
}

const decodedStarts = [
  'key: transaction_metadata::',
  'key: offset_commit::',
  'key: group_metadata::',
  'key: {"type":',
]

/** What is longer is no decoded record; what is shorter may become one. */
const isDecoded = (content: string): boolean =>
  content.length < 1 << 18 &&
  content !== '' &&
  decodedStarts.some((start) => content.startsWith(start) || start.startsWith(content))

/** The size of a decoded record is not that of its text: it ends where it can be read, or with a bracket. */
function decodedOrMore(parse: Parsed<RecordLine>): Parsed<RecordLine> {
  if (parse.state !== 'whole' || !isDecoded(parse.value.content)) return parse
  const { content, place } = parse.value
  const ends = /(?:\}|<DELETE>| payload: null| payload: offset=-?\d+\S*)$/.test(content)
  if (ends || transactionOfContent(content, place) !== undefined) return parse
  return { state: 'unfinished', value: parse.value }
}

export const hasMissing = (parse: Parsed<Value>): boolean =>
  parse.state === 'whole' && 'content' in parse.value && !isDecoded(parse.value.content)

/** How many bytes of key and payload have not been printed in this line: there is a line feed among them. */
export function missingBytes(parse: Parsed<Value>): number {
  if (parse.state !== 'whole' || !('content' in parse.value)) return 0
  const { content, keySize = -1, valueSize = -1 } = parse.value
  if (content === '' || valueSize < 0) return 0
  const labels = content.startsWith('key: ')
    ? 'key:  payload: '.length + Math.max(keySize, 0)
    : 'payload: '.length
  return Math.max(labels + valueSize - byteLength(content), 0)
}

/** The text, for a message. */
export const textOf = ({ text }: Logical): string => text
