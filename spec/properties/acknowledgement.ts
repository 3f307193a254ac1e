/** What was acknowledged or replicated stays. */
import { alwaysForEach, type Property, type Taken, transition } from '../../checker/model.ts'
import { batchName } from '../ghost.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { outputsOf, partitionAt } from '../protocol/topology.ts'
import type { KafkaState } from '../state.ts'
import { isData } from './logs.ts'
import { touchedPartitions } from './touched.ts'

export const acknowledgedStay = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'acknowledged batches are in the log',
    outputsOf(protocol),
    (state: KafkaState, partition, claim) => {
      const names = new Set(
        partitionAt(state, partition)
          .log.filter(isData)
          .map((record) => batchName(record, partition)),
      )
      for (const [batch, where] of Object.entries(state.ghost.acknowledged)) {
        if (where === partition) claim.that('it is there', names.has(batch), { batch })
      }
    },
    {
      summary: 'A batch that was acknowledged to its producer stays in the log for ever.',
      sources: ['acks', 'min.insync.replicas', 'Kafka documentation, Design: Replication'],
    },
  )

export const replicatedStay = (protocol: Protocol): Property<KafkaState> =>
  transition(
    'replicated records stay',
    (before: KafkaState, after: KafkaState, claim, taken: Taken) => {
      for (const partition of touchedPartitions(protocol, taken)) {
        const from = partitionAt(before, partition)
        const to = partitionAt(after, partition)
        const end = Math.min(from.highWatermark, from.log.length)
        const values = { partition, highWatermark: end, logEnd: to.log.length }
        claim.that('the log is not cut below the high watermark', to.log.length >= end, values)
        const same = JSON.stringify(from.log.slice(0, end)) === JSON.stringify(to.log.slice(0, end))
        claim.that('no record below the high watermark changes', same, values)
      }
    },
    {
      summary: 'No record below the high watermark is ever lost or changed, whoever leads.',
      sources: ['Kafka documentation, Design: Replication', 'Partition.makeLeader'],
    },
  )
