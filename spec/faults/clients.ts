/** What can happen to the application and its producers. */
import { action } from '../../checker/model.ts'
import { atWork, resumedActions } from '../actions/clients.ts'
import { spend } from '../actions/step.ts'
import { abortTransaction } from '../apps/batches.ts'
import { onCallTimeout } from '../apps/call-timeouts.ts'
import { giveUpOldest } from '../apps/expiry.ts'
import { leave } from '../apps/leaving.ts'
import { endWhenDone, isCalling } from '../apps/session.ts'
import { appLane, partitionLane } from '../lanes.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { clientsOf, outputsOf } from '../protocol/topology.ts'
import type { Instance, KafkaState } from '../state.ts'
import type { Fault } from './fault.ts'

export function clientFaults(protocol: Protocol): Fault[] {
  const client = clientsOf(protocol)
  const output = outputsOf(protocol)
  return [
    {
      budget: 'crashes',
      actions: [
        action('Crash', { client }, (state: KafkaState, { client }, step) => {
          spend(state, step, 'crashes')
          const instance = state.instance[client] as Instance
          step.when('it is running or paused', instance.status === 'running' || instance.status === 'paused')
          step.emit({ kind: 'crashed', lane: appLane(client) })
          leave({ protocol, state, step, client, instance }, 'crashed')
        }),
      ],
    },
    {
      budget: 'pauses',
      actions: [
        action('Pause', { client }, (state: KafkaState, { client }, step) => {
          spend(state, step, 'pauses')
          const { instance } = atWork(protocol, state, step, client)
          instance.status = 'paused'
          step.emit({ kind: 'paused', lane: appLane(client), text: 'stops answering; believed to be dead' })
        }),
        action('Resume', { client }, (state: KafkaState, { client }, step) => {
          const instance = state.instance[client] as Instance
          step.when('it is paused', instance.status === 'paused')
          instance.status = 'running'
          step.emit({ kind: 'resumed', lane: appLane(client), text: 'goes on as if nothing had happened' })
        }),
        ...resumedActions(protocol),
      ],
    },
    {
      budget: 'deliveryTimeouts',
      actions: [
        action(
          'ExpireBatch',
          { client, partition: output },
          (state: KafkaState, { client, partition }, step) => {
            spend(state, step, 'deliveryTimeouts')
            const worker = atWork(protocol, state, step, client)
            const waiting = worker.instance.unacknowledged[partition] as number
            step.when('a batch is not acknowledged', waiting > 0)
            const lane = partitionLane(protocol, partition)
            const text = 'given up by the client'
            step.emit({ kind: 'delayed', lane: appLane(client), peer: lane, message: 'Produce', text })
            giveUpOldest(worker, partition)
          },
        ),
      ],
    },
    {
      budget: 'applicationAborts',
      actions: [
        action('AbandonTransaction', { client }, (state: KafkaState, { client }, step) => {
          spend(state, step, 'applicationAborts')
          const worker = atWork(protocol, state, step, client)
          const { instance } = worker
          const open = instance.phase === 'sending' || instance.phase === 'adding partitions'
          step.when('its transaction is open', open && instance.result === 'commit')
          step.emit({ kind: 'note', lane: appLane(client), text: 'the application decides to abort' })
          abortTransaction(worker)
          if (instance.phase === 'sending') endWhenDone(worker)
        }),
      ],
    },
    {
      budget: 'callTimeouts',
      actions: [
        action('TimeOutCall', { client }, (state: KafkaState, { client }, step) => {
          spend(state, step, 'callTimeouts')
          const worker = atWork(protocol, state, step, client)
          step.when(
            'a call waits for initTransactions, commitTransaction or abortTransaction',
            isCalling(worker),
          )
          step.emit({
            kind: 'note',
            lane: appLane(client),
            text: 'the call times out, its outcome is unknown',
          })
          onCallTimeout(worker)
        }),
      ],
    },
  ]
}
