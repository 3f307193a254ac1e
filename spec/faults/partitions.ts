/** What can happen to the partitions and their leaders. */
import { action } from '../../checker/model.ts'
import { answerWithoutAppend } from '../actions/partitions.ts'
import { connectionTo, reply } from '../actions/replies.ts'
import { spend } from '../actions/step.ts'
import { nextRequest } from '../protocol/network.ts'
import { startVerification } from '../protocol/partition-leader.ts'
import type { Protocol } from '../protocol/protocol.ts'
import type { KafkaState, Partition, Verification } from '../state.ts'
import type { Fault } from './fault.ts'

export function partitionFaults(protocol: Protocol): Fault[] {
  const { config } = protocol
  const client = Array.from({ length: config.instances }, (_, index) => index)
  const output = Array.from({ length: config.outputPartitions }, (_, index) => index)
  return [
    {
      budget: 'refusedBatches',
      actions: [
        action(
          'RefuseBatch',
          { client, partition: output },
          (state: KafkaState, { client, partition }, step) => {
            const leader = state.partition[partition] as Partition
            const request = nextRequest(connectionTo(state, client, partition))
            const isBatch =
              request?.kind === 'Produce' && startVerification(protocol, leader, request) === 'append'
            step.when('a batch that needs no verification is on the wire', isBatch)
            spend(state, step, 'refusedBatches')
            reply({ protocol, state, step, client, broker: partition }, 'NOT_ENOUGH_REPLICAS')
          },
        ),
        action('RefuseVerifiedBatch', { partition: output }, (state: KafkaState, { partition }, step) => {
          const verifications = state.verification[partition] as Verification[]
          const index = verifications.findIndex(({ phase }) => phase === 'verified')
          step.when('a verified batch waits for its append', index >= 0)
          spend(state, step, 'refusedBatches')
          answerWithoutAppend(protocol, state, step, partition, index, 'NOT_ENOUGH_REPLICAS')
        }),
      ],
    },
  ]
}
