/** Tables of kafka-transactions.sh: a row of titles, then rows of cells, padded with blanks or tabs. */
import type { Place, TransactionsRow } from '../observation.ts'
import { detached } from './bytes.ts'
import { integer } from './fields.ts'

const titles = new Set([
  'TransactionalId',
  'Coordinator',
  'CoordinatorId',
  'ProducerId',
  'TransactionState',
  'ProducerEpoch',
  'TransactionTimeoutMs',
  'CurrentTransactionStartTimeMs',
  'TransactionDurationMs',
  'TopicPartitions',
  'LatestCoordinatorEpoch',
  'LastSequence',
  'LastTimestamp',
  'CurrentTransactionStartOffset',
  'Topic',
  'Partition',
  'CoordinatorEpoch',
  'StartOffset',
])

export interface Table {
  readonly command: TransactionsRow['command']
  readonly columns: readonly { readonly title: string; readonly from: number }[]
}

/** The table that a row of titles begins; undefined if the line is something else. */
export function tableOf(text: string): Table | undefined {
  const columns = [...text.matchAll(/\S+/g)].map((match) => ({ title: match[0], from: match.index }))
  const isTitle = (title: string) => titles.has(title) || /^Duration\(\w+\)$/.test(title)
  const names = columns.map(({ title }) => title)
  if (columns.length < 3 || !names.includes('ProducerId') || !names.every(isTitle)) return undefined
  if (new Set(names).size < names.length) return undefined
  return { command: commandOf(names), columns }
}

function commandOf(names: readonly string[]): TransactionsRow['command'] {
  if (names.includes('Topic')) return 'find-hanging'
  if (!names.includes('TransactionalId')) return 'describe-producers'
  return names.includes('ProducerEpoch') ? 'describe' : 'list'
}

/** A row, by the number of its cells; where that does not fit, by where its titles stand. */
export function rowOf({ command, columns }: Table, text: string, place: Place): TransactionsRow | undefined {
  const apart = [text.trimStart().split(/\s*\t\s*|\s{2,}/), text.trim().split(/\s+/)]
  // A transaction without partitions has nothing in its last cell.
  const isFull = ({ length }: readonly string[]) => length === columns.length
  const inOrder = apart.find(isFull) ?? apart.map((words) => [...words, '']).find(isFull)
  const cells = Object.fromEntries(
    columns.map(({ title, from }, index) => [
      title,
      detached((inOrder?.[index] ?? text.slice(from, columns[index + 1]?.from)).trim()),
    ]),
  )
  return integer(cells.ProducerId) === undefined ? undefined : { kind: 'row', place, command, cells }
}
