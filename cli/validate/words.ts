/** Words that the report and the page have in common. */
import type {
  Blame,
  Finding,
  Location,
  OpenTransaction,
  Outcome,
  Severity,
  Validation,
} from '../../dumps/index.ts'
import { counted, grouped } from '../report/numbers.ts'

export const severities: readonly Severity[] = ['critical', 'error', 'warning']

/** `2 critical, 1 warning` */
export function headline({ outcome, findings }: Validation): string {
  const parts = severities.flatMap((severity) => {
    const count = findings.filter((one) => one.severity === severity).length
    return count === 0 ? [] : [`${count} ${severity}`]
  })
  return parts.length === 0 ? outcome : `${outcome}: ${parts.join(', ')}`
}

export const meanings: Readonly<Record<Outcome, string>> = {
  explained: 'everything that was read is as the protocol has it',
  findings: 'the protocol does not allow what is listed below, or somebody should look at it',
  unreadable: 'in what could be read nothing is wrong; a file is no dump, or has lines that are damaged',
  inconclusive: 'nothing was found, and the dumps do not tell enough to be sure',
}

export function readLine({ files, unreadCount }: Validation): string {
  const lines = files.reduce(
    (sum, { lines: { read, empty, foreign, damaged } }) => sum + read + empty + foreign + damaged,
    0,
  )
  const left = unreadCount === 0 ? 'none left unread' : `${grouped(unreadCount)} not read`
  return `${counted(files.length, 'file')}, ${counted(lines, 'line')}, ${left}`
}

/** `orders-0, offset 2 (dump.txt:6)` */
export function placeOf({ file, line, log, offset }: Location): string {
  const where = [
    ...(log === undefined ? [] : [log]),
    ...(offset === undefined ? [] : [`offset ${offset}`]),
  ].join(', ')
  return where === '' ? `${file}:${line}` : `${where} (${file}:${line})`
}

export const findingsInOrder = (findings: readonly Finding[]): Finding[] =>
  severities.flatMap((severity) => findings.filter((one) => one.severity === severity))

export function blameOf({ producerId, producerEpoch, transactionalId }: Blame): string {
  const epoch = producerEpoch === undefined ? '' : `, epoch ${producerEpoch}`
  const id = transactionalId === undefined ? '' : `, transactional.id ${JSON.stringify(transactionalId)}`
  return `producer ${producerId}${epoch}${id}`
}

export function openSentence(open: OpenTransaction): string {
  const since = open.since === undefined ? '' : ` since ${timeOf(open.since)}`
  const blocks = open.blocks ? '; read_committed waits here' : ''
  return `${open.verdict}: ${blameOf(open)}${since}, ${counted(open.records, 'record')}${blocks}; coordinator: ${open.coordinator}`
}

/** In UTC; a number that is no time stays a number. */
export function timeOf(milliseconds: number): string {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? String(milliseconds) : date.toISOString()
}
