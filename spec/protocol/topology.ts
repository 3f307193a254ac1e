/** Who is there: clients and partitions by their positions, and what is kept for each of them. */
import type { KafkaState, Partition, Verification } from '../state.ts'
import type { Protocol } from './protocol.ts'

const positions = (count: number): number[] => Array.from({ length: count }, (_, position) => position)

export const clientsOf = ({ config }: Protocol): number[] => positions(config.instances)
/** The partitions that outputs are written to. */
export const outputsOf = ({ config }: Protocol): number[] => positions(config.outputPartitions)
/** The partitions that the output of an input is written to. */
export const partitionsFor = (protocol: Protocol, input: number): number[] =>
  protocol.config.partitioning === 'all partitions'
    ? outputsOf(protocol)
    : [input % protocol.config.outputPartitions]
/** Those of all outputs and the group's. */
export const partitionsOf = ({ offsetsPartition }: Protocol): number[] => positions(offsetsPartition + 1)

/** A partition as its leader has it. */
export const partitionAt = ({ partition }: KafkaState, position: number) => partition[position] as Partition
/** The requests that the leader of a partition has not verified yet, or not appended since. */
export const verificationsAt = ({ verification }: KafkaState, position: number) =>
  verification[position] as Verification[]
