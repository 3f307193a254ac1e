/** Who still asks a coordinator that was replaced. */
import type { Protocol } from '../protocol/protocol.ts'
import { clientsOf, partitionsOf } from '../protocol/topology.ts'
import type { CoordinatorEntry, KafkaState } from '../state.ts'

/** The old coordinator goes on with what it had in memory; nobody has asked the new one yet. */
export function stayBehind(
  protocol: Protocol,
  state: KafkaState,
  id: number,
  entry: CoordinatorEntry | null,
): void {
  const coordinator = state.coordinator[id]
  if (coordinator === undefined) return
  coordinator.former = {
    entry,
    clients: clientsOf(protocol),
    partitions: partitionsOf(protocol),
  }
}

/** Who was answered by the successor asks the former coordinator no more. */
export function answeredBySuccessor(
  state: KafkaState,
  id: number,
  kind: 'clients' | 'partitions',
  index: number,
): void {
  const coordinator = state.coordinator[id]
  const former = coordinator?.former
  if (coordinator === undefined || former === undefined || former === null) return
  if (!former[kind].includes(index)) return
  former[kind] = former[kind].filter((other) => other !== index)
  if (former.clients.length + former.partitions.length === 0) coordinator.former = null
}
