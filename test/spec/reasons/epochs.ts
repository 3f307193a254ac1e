/** What shows that an epoch was not raised, or not replaced when the last one was used up. */
import type { epochRules } from '../../../spec/defences/epochs.ts'
import type { TransactionRecord } from '../../../spec/state.ts'
import { isDecision, type Moment, newRecord } from './moments.ts'

/** The step appended a record that leaves the producer the epoch that it has. */
function keepsEpoch(moment: Moment, of: (record: TransactionRecord) => boolean): boolean {
  const appended = newRecord(moment)
  if (appended === null || !of(appended.record)) return false
  const { record, entry } = appended
  return (
    entry !== null &&
    entry.producerEpoch >= 0 &&
    record.producerId === entry.producerId &&
    record.producerEpoch === entry.producerEpoch
  )
}

export const epochReasons: Record<keyof typeof epochRules, (moment: Moment) => boolean> = {
  'epoch bump at initialisation': (moment) => keepsEpoch(moment, ({ state }) => state === 'Empty'),
  'epoch bump at fencing abort': (moment) =>
    moment.step.action === 'HandleInitProducerId' &&
    keepsEpoch(moment, ({ state }) => state === 'PrepareAbort'),
  'epoch bump at timeout': (moment) =>
    moment.step.action === 'AbortTimedOutTransaction' && keepsEpoch(moment, () => true),
  'epoch bump at every end': (moment) =>
    moment.step.action === 'HandleEndTxn' && keepsEpoch(moment, isDecision),
  'epoch bump after an error': ({ before, after, step }) =>
    step.action !== 'AbandonTransaction' &&
    before.instance.some(({ result }, client) => {
      const now = after.instance[client]
      return result === 'commit' && now?.result === 'abort' && !now.epochBumpRequired
    }),
  'rotation of an exhausted producer id': (moment) => {
    const { record, entry } = newRecord(moment) ?? {}
    const { producerId = -1, producerEpoch = -1, nextProducerId = -1 } = record ?? {}
    const beginsAgain = producerId === entry?.producerId && producerEpoch < entry.producerEpoch
    return producerId >= 0 && (nextProducerId === producerId || beginsAgain)
  },
  /** The largest epoch of the scenario is 2. */
  'an epoch is left for the abort': (moment) => {
    const { record } = newRecord(moment) ?? {}
    return record?.state === 'Ongoing' && record.producerEpoch === 2
  },
  'repeated initialisation': ({ before, step }) => {
    const claimed = step.events.find(({ message }) => message === 'InitProducerId')?.fields?.expectedEpoch
    const refused = step.events.some(({ fields }) => fields?.error === 'PRODUCER_FENCED')
    const known = before.coordinator.some(({ entry }) => entry?.lastProducerEpoch === claimed)
    return step.action === 'HandleInitProducerId' && refused && claimed !== -1 && known
  },
  'next producer id is durable': ({ before, after, step }) =>
    step.action === 'FailOver' &&
    after.coordinator.some(({ entry }, id) => {
      const { committed, tail } = before.transactionLog[id] ?? {}
      return [committed, tail].some(
        (record) =>
          record?.state === entry?.state &&
          record?.producerEpoch === entry?.producerEpoch &&
          record?.nextProducerId !== entry?.nextProducerId,
      )
    }),
}
