/**
 * Kafka as an application sees it. Every rule here is one that the Kafka model proves of the protocol under kafka-4.4; the
 * claim that does so stands beside it. What the protocol does on the way (markers that land one after the other, retries,
 * coordinators that move) is not seen here: a transaction is committed or aborted in one step.
 */
import type { DefenceInfo } from '../../checker/model.ts'
import type { Entry, Message, Producer, State } from './state.ts'
import type { Outcome, Turn, World } from './turn.ts'
import { note, tell } from './turn.ts'

export const fencingById = 'fencing by transactional.id'
export const fencingByGeneration = 'fencing by generation'
export const stableOffsets = 'stable offsets only'
export const isolation = 'read_committed'

export const defences: readonly DefenceInfo[] = [
  {
    name: fencingById,
    summary: 'A process whose epoch is not the newest of its transactional.id is refused.',
    sources: ['KIP-98', "claim-F1, claim-F2: 'fenced sessions write nothing visible'"],
  },
  {
    name: fencingByGeneration,
    summary: 'Offsets of a process that does not own the input any more are refused, in transactions too.',
    sources: ['KIP-447', "claim-F7: 'output and offset are atomic'"],
  },
  {
    name: stableOffsets,
    summary: 'The committed offset is not read while a transaction has one that is undecided.',
    sources: ['KIP-447', "claim-P9: 'output and offset are atomic'"],
  },
  {
    name: isolation,
    summary:
      'Readers that ask for it see no record of an open or aborted transaction, and none behind an open one.',
    sources: ['KIP-98', "claim-T11: 'aborted and open records stay invisible'"],
  },
]

/** claim-F1, claim-F2: whoever initialised the transactional.id last is the only one that is heard. */
export const isFenced = ({ producer, me, defences }: Turn): boolean =>
  defences.has(fencingById) && producer.current !== me.name

/** claim-F7: the group listens to its owner only. */
export const isReplaced = ({ state, me, defences }: Turn): boolean =>
  defences.has(fencingByGeneration) && state.group[me.app.name]?.owner !== me.name

/** ProducerFencedException: the producer is of no use any more, whatever the application makes of that. */
export function fenced(turn: Turn): Outcome {
  note(turn, 'is fenced: its transactional.id has a newer epoch')
  return turn.me.app.whenFenced === 'ends' ? 'end' : 'error'
}

export function replaced(turn: Turn): Outcome {
  note(turn, 'is refused: another instance owns its input')
  return 'end'
}

const decide = (producer: Producer) => {
  producer.isOpen = false
  producer.offset = null
  producer.isPrepared = false
  producer.lateCommit = false
}

const eachOpen = (state: State, id: string, change: (entry: Entry) => void) => {
  for (const entries of Object.values(state.topic)) {
    for (const entry of entries) if (entry.producer === id && entry.status === 'open') change(entry)
  }
}

/** claim-T1, claim-P1: once settled, all records and the offset, or none. */
export function commitTransaction({ placed }: World, state: State, id: string) {
  const producer = state.producer[id] as Producer
  eachOpen(state, id, (entry) => {
    entry.status = 'committed'
  })
  const group = state.group[placed.find((one) => one.producer === id)?.app.name ?? '']
  if (group !== undefined && producer.offset !== null) group.committed = producer.offset
  decide(producer)
}

/**
 * claim-T1, claim-T11. Where nobody reads them, aborted records are taken away: no reader of committed records has
 * passed them, since they were open until now.
 */
export function abortTransaction({ config, defences: active }: World, state: State, id: string) {
  const seen = config.apps.flatMap(({ reads, isolation: level }) =>
    reads !== undefined && (level === 'read_uncommitted' || !active.has(isolation)) ? [reads] : [],
  )
  eachOpen(state, id, (entry) => {
    entry.status = 'aborted'
  })
  for (const [topic, entries] of Object.entries(state.topic)) {
    const kept = seen.includes(topic) ? entries : entries.filter(({ status }) => status !== 'aborted')
    if (kept.length < entries.length) state.topic[topic] = kept
  }
  decide(state.producer[id] as Producer)
}

export function append(turn: Turn, topic: string, message: Message) {
  const { state, process, me, producer } = turn
  const inTransaction = process.inTransaction
  state.topic[topic]?.push({
    ...message,
    status: inTransaction ? 'open' : 'committed',
    producer: inTransaction ? me.producer : '',
  })
  if (inTransaction) {
    producer.isOpen = true
    producer.covers = process.position
  }
  tell(turn, topic, inTransaction ? 'send in transaction' : 'send', message)
}

/** The offset of the next record that a reader at `position` gets; undefined if there is none, or it has to wait. */
export function nextOffset(entries: readonly Entry[], position: number, committedOnly: boolean) {
  if (!committedOnly) return position < entries.length ? position : undefined
  for (let offset = position; offset < entries.length; offset += 1) {
    const status = entries[offset]?.status
    if (status === 'open') return undefined
    if (status === 'committed') return offset
  }
  return undefined
}

/** claim-R1: an open transaction holds readers of committed records back. */
export const waitsForTransaction = (entries: readonly Entry[], position: number): boolean =>
  entries.slice(position).some(({ status }) => status === 'open') &&
  nextOffset(entries, position, true) === undefined
