/** What shows that a leader was not protected against transactions that nobody knows and against late markers. */
import type { verificationRules } from '../../../spec/defences/verification.ts'
import type { KafkaState } from '../../../spec/state.ts'
import { appended, appendedData, appendedMarkers, isDecision, type Moment, remembered } from './moments.ts'

/** How many partitions have not yet acknowledged the marker of a decided transaction. */
const markersAwaited = ({ coordinator }: KafkaState) =>
  coordinator
    .map(({ entry }) => (entry !== null && isDecision(entry) ? entry.partitions.length : 0))
    .reduce((sum, count) => sum + count, 0)

export const verificationReasons: Record<keyof typeof verificationRules, (moment: Moment) => boolean> = {
  'partition verification': (moment) =>
    appendedData(moment).some((one) => {
      const { coordinator, markers } = moment.before
      const isOpen = coordinator.some(
        ({ entry }) => entry?.state === 'Ongoing' && entry.partitions.includes(one.partition),
      )
      const takesPart = isOpen || (markers[one.partition] ?? []).length > 0
      return (remembered(moment, one)?.openOffset ?? -1) < 0 && !takesPart
    }),
  'verification guard': (moment) =>
    moment.step.action === 'AppendVerified' &&
    appended(moment).some(({ partition }) =>
      moment.before.verification[partition]?.some(
        ({ guard, phase }) => guard === 'cleared' && phase === 'verified',
      ),
    ),
  'open transaction counts only at its own epoch': (moment) =>
    appendedData(moment).some((one) => {
      const producer = remembered(moment, one)
      const isOpen = producer !== undefined && producer.openOffset >= 0
      return isOpen && producer.producerEpoch < one.record.producerEpoch
    }),
  'marker epoch check': (moment) =>
    appendedMarkers(moment).some((one) => {
      const producer = remembered(moment, one)
      return (
        producer !== undefined &&
        producer.openOffset >= 0 &&
        one.record.producerEpoch <= producer.producerEpoch
      )
    }),
  'marker coordinator epoch check': (moment) =>
    appendedMarkers(moment).some(
      (one) => one.record.coordinatorEpoch < (remembered(moment, one)?.coordinatorEpoch ?? -1),
    ),
  'marker acknowledged after replication': (moment) =>
    moment.step.action === 'AppendMarker' && markersAwaited(moment.after) < markersAwaited(moment.before),
}
