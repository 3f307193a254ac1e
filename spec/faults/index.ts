/** What can go wrong. Each fault takes from a budget of its own and from the budget of all faults. */
import type { Action } from '../../checker/model.ts'
import type { Protocol } from '../protocol/protocol.ts'
import type { KafkaState } from '../state.ts'
import { clientFaults } from './clients.ts'
import { coordinatorFaults } from './coordinator.ts'
import { groupFaults } from './group.ts'
import { networkFaults } from './network.ts'
import { partitionFaults } from './partitions.ts'
import { permissionFaults } from './permissions.ts'

/** The faults that the configuration has a budget for. */
export function faultActions(protocol: Protocol): Action<KafkaState>[] {
  const { config } = protocol
  const faults = [
    ...clientFaults(protocol),
    ...networkFaults(protocol),
    ...coordinatorFaults(protocol),
    ...groupFaults(protocol),
    ...partitionFaults(protocol),
    ...permissionFaults(protocol),
  ]
  return faults.flatMap(({ budget, actions }) => (config[budget] > 0 && config.faults > 0 ? actions : []))
}
