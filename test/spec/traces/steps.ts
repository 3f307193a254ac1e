/** The steps of the loop under names that the traces share: one output partition 0, the group's partition 1. */
import { type PresetName, presetFlags } from '../../../spec/presets.ts'
import type { NamedStep } from './behaviour.ts'

export const output = 0
export const offsets = 1

export const live = (client = 0) => ({ client, copy: 'live' })
export const late = (client = 0) => ({ client, copy: 'late' })

export const replicateLog: NamedStep = ['ReplicateTransactionLog', { id: 0 }]
export const advance = (partition: number): NamedStep => ['AdvanceHighWatermark', { partition }]

/** From its start to the reply that carries its epoch. */
export const getEpoch = (client = 0): readonly NamedStep[] => [
  ['Start', { client }],
  ['HandleInitProducerId', live(client)],
  replicateLog,
]

/** Joins the group and begins the first transaction. */
export const begin = (client = 0): readonly NamedStep[] => [
  ['JoinGroup', { client }],
  ['FetchOffsets', { client }],
]

/** Before transaction.version 2: the partitions or the offsets' partition are added. */
export const add = (client = 0): readonly NamedStep[] => [['HandleAddPartitions', live(client)], replicateLog]

export const handleProduce = (client = 0): NamedStep => [
  'HandleProduce',
  { client, partition: output, copy: 'live' },
]
const verify = (partition: number): NamedStep => ['VerifyPartition', { partition }]
export const appendVerified = (partition: number): NamedStep => ['AppendVerified', { partition }]

/** The coordinator knows the partition: it verifies it. */
export const verified = (partition: number): readonly NamedStep[] => [verify(partition)]
/** The coordinator does not know the partition: it adds it. */
export const added = (partition: number): readonly NamedStep[] => [verify(partition), replicateLog]

/** Whether clients of a version add the partitions themselves. */
export const clientAdds = (preset: PresetName): boolean => presetFlags[preset].clientVersion === 1

/** Before transaction.version 2: what the client asks for before it sends. */
export const addFirst = (preset: PresetName, client = 0): readonly NamedStep[] =>
  clientAdds(preset) ? add(client) : []

/** What lies between the arrival of the transaction's first request at a leader and its append. */
export function question(preset: PresetName, partition: number): readonly NamedStep[] {
  const { clientVersion, verification, verifyOffsets } = presetFlags[preset]
  if (clientVersion === 2) return added(partition)
  return verification === 'off' || (partition === offsets && !verifyOffsets) ? [] : verified(partition)
}

/** The first request is verified or added, and appended; at once where the version does not ask. */
export function askAndAppend(preset: PresetName, partition: number): readonly NamedStep[] {
  const asked = question(preset, partition)
  return asked.length === 0 ? [] : [...asked, appendVerified(partition)]
}

export const produceFirst = (preset: PresetName, client = 0): readonly NamedStep[] => [
  handleProduce(client),
  ...askAndAppend(preset, output),
  advance(output),
]

export const handleOffsets = (client = 0): NamedStep => ['HandleOffsetCommit', live(client)]

export const commitOffsets = (preset: PresetName, client = 0): readonly NamedStep[] => [
  ...addFirst(preset, client),
  handleOffsets(client),
  ...askAndAppend(preset, offsets),
  advance(offsets),
]

/** Up to the first transaction's EndTxn on the wire: all that it sent is acknowledged. */
export const workOfFirstTransaction = (preset: PresetName, client = 0): readonly NamedStep[] => [
  ...getEpoch(client),
  ...begin(client),
  ...addFirst(preset, client),
  ...produceFirst(preset, client),
  ...commitOffsets(preset, client),
]

/** The decision is durable: it is answered, and the markers are on their way. */
export const decide = (client = 0): readonly NamedStep[] => [['HandleEndTxn', live(client)], replicateLog]

export const mark = (partition: number): readonly NamedStep[] => [
  ['AppendMarker', { partition }],
  advance(partition),
]

/** All markers are written, and the last word is durable. */
export const complete: readonly NamedStep[] = [...mark(output), ...mark(offsets), replicateLog]

export const abortTimedOut: NamedStep = ['AbortTimedOutTransaction', { id: 0 }]
export const timeOut: readonly NamedStep[] = [abortTimedOut, replicateLog]

/** The connection breaks with the reply of the step on it. */
export const replyLost = ([action, args = {}, choices = {}]: NamedStep, client = 0): NamedStep => [
  action,
  args,
  { ...choices, [`the reply to app-${client}`]: 'is lost' },
]

/** The process is gone; of what it had sent, the named requests may still be executed. */
export const crash = (client = 0, ...survivors: string[]): NamedStep =>
  survivors.length === 0
    ? ['Crash', { client }]
    : ['Crash', { client }, { 'requests that still arrive': survivors }]

/** A record that is not yet replicated is lost or kept; nothing is said where there is none. */
export const failOver = (fate?: 'kept' | 'lost'): NamedStep =>
  fate === undefined
    ? ['FailOver', { id: 0 }]
    : ['FailOver', { id: 0 }, { 'the record not yet replicated is': fate }]
