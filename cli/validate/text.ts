/** What was found of dumps, for people at a terminal. */
import { doubts, type LogSummary, rules, type Validation } from '../../dumps/index.ts'
import type { Colours } from '../report/colours.ts'
import { grouped } from '../report/numbers.ts'
import { type Column, tableLines } from '../report/table.ts'
import { blameOf, findingsInOrder, headline, meanings, openSentence, placeOf, readLine } from './words.ts'

/** So many lines of each kind are shown; --json and --html have them all. */
const shownMax = 20

export function reportLines(validation: Validation, colours: Colours): string[] {
  const parts = [
    [headLine(validation, colours), `  ${meanings[validation.outcome]}`, `  ${readLine(validation)}`],
    findingLines(validation, colours),
    openLines(validation, colours),
    logLines(validation, colours),
    idLines(validation, colours),
    offsetLines(validation, colours),
    doubtLines(validation, colours),
    noteLines(validation, colours),
    unreadLines(validation, colours),
  ]
  return parts
    .filter(({ length }) => length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
    .map(printable)
}

const verdictOf = {
  explained: 'proved',
  findings: 'violated',
  unreadable: 'bounded',
  inconclusive: 'bounded',
} as const

const headLine = (validation: Validation, { verdict, bold }: Colours): string =>
  bold(verdict(verdictOf[validation.outcome], headline(validation)))

/** Text of others must not steer the terminal; colours are our own. */
const printable = (line: string): string =>
  line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return code === 27 ? character : `\\u{${code.toString(16)}}`
  })

function limited<T>(
  list: readonly T[],
  linesOf: (one: T) => readonly string[],
  total = list.length,
): string[] {
  const lines = list.slice(0, shownMax).flatMap(linesOf)
  return total > shownMax ? [...lines, `  and ${grouped(total - shownMax)} more`] : lines
}

function findingLines({ findings, counts }: Validation, { bold, dim, trace }: Colours): string[] {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return limited(
    findingsInOrder(findings),
    ({ rule, severity, found, at, related, producer }) => [
      `${trace('failed', severity)}: ${bold(rule)} at ${clean(placeOf(at))}`,
      `  ${clean(found)}`,
      ...(producer === undefined ? [] : [`  by ${clean(blameOf(producer))}`]),
      ...related.map((one) => `  see ${clean(placeOf(one))}`),
      `  ${dim(`${rules[rule].because} [${rules[rule].sources.join('; ')}]`)}`,
    ],
    total,
  )
}

/** Text of others, with no character that a terminal obeys. */
const clean = (text: string): string => text.replaceAll('\u001b', '\\u{1b}')

const openLines = ({ open }: Validation, { bold }: Colours): string[] =>
  open.length === 0
    ? []
    : [
        bold('open at the end'),
        ...limited(open, (one) => [`  ${clean(placeOf(one.at))}`, `    ${clean(openSentence(one))}`]),
      ]

const logColumns: readonly Column[] = [
  { title: '  log' },
  { title: 'offsets' },
  { title: 'committed', align: 'right' },
  { title: 'aborted', align: 'right' },
  { title: 'open', align: 'right' },
  { title: 'LSO', align: 'right' },
  { title: 'read_uncommitted', align: 'right' },
  { title: 'read_committed', align: 'right' },
  { title: 'waiting', align: 'right' },
]

function logLines({ logs }: Validation, { dim }: Colours): string[] {
  if (logs.length === 0) return []
  const lines = tableLines(logColumns, logs.slice(0, shownMax).map(logRow), (cell) => clean(cell))
  return logs.length > shownMax ? [...lines, dim(`  and ${logs.length - shownMax} more`)] : lines
}

const logRow = ({
  name,
  firstOffset = 0,
  endOffset,
  transactions,
  lastStableOffset,
  readers,
}: LogSummary) => [
  `  ${clean(name)}`,
  `${firstOffset} to ${endOffset - 1}`,
  grouped(transactions.committed),
  grouped(transactions.aborted),
  grouped(transactions.open),
  String(lastStableOffset),
  grouped(readers.uncommitted),
  readers.committed === undefined ? '?' : grouped(readers.committed),
  grouped(readers.waiting),
]

const idLines = ({ transactionalIds }: Validation, { bold }: Colours): string[] =>
  transactionalIds.length === 0
    ? []
    : [
        bold('the coordinator, last'),
        ...limited(transactionalIds, ({ transactionalId, value, at }) => [
          `  ${clean(JSON.stringify(transactionalId))}  ${
            value === undefined
              ? 'expired'
              : `${value.state}, producer ${value.producerId}, epoch ${value.producerEpoch}`
          }  ${clean(placeOf(at))}`,
        ]),
      ]

const offsetLines = ({ offsets }: Validation, { bold }: Colours): string[] =>
  offsets.length === 0
    ? []
    : [
        bold('offsets of groups'),
        ...limited(offsets, ({ group, partition, offset, pending }) => [
          `  ${clean(JSON.stringify(group))}  ${clean(partition)}  ${offset ?? 'nothing'} committed${
            pending.length === 0 ? '' : `, ${pending.join(', ')} waiting for a marker`
          }`,
        ]),
      ]

const doubtLines = ({ doubts: found }: Validation, { bold, dim }: Colours): string[] =>
  found.length === 0
    ? []
    : [
        bold('not known'),
        ...limited(found, (one) => [
          `  ${one.about}: ${clean(one.found)}${one.count > 1 ? ` (and ${grouped(one.count - 1)} times more)` : ''}, ${clean(placeOf(one.at))}`,
          `    ${dim(doubts[one.about])}`,
        ]),
      ]

const noteLines = ({ notes }: Validation, { bold }: Colours): string[] =>
  notes.length === 0
    ? []
    : [bold('notes'), ...limited(notes, ({ found, at }) => [`  ${clean(found)}, ${clean(placeOf(at))}`])]

const unreadLines = ({ unread, unreadCount }: Validation, { bold, dim }: Colours): string[] =>
  unread.length === 0
    ? []
    : [
        bold('not read'),
        ...limited(
          unread,
          ({ place, damaged, text, why }) => [
            `  ${place.file}:${place.line}: ${damaged ? 'damaged, ' : ''}${why}`,
            `    ${dim(clean(text.trim().slice(0, 100)))}`,
          ],
          unreadCount,
        ),
      ]
