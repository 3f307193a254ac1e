/**
 * Clients by what they do if nobody configures them, as far as it is documented. What is not known for sure is left
 * out.
 */
export interface ClientProfile {
  readonly name: string
  /** enable.idempotence, or what the client calls it. */
  readonly idempotent: boolean
  /** isolation.level of its consumers. */
  readonly isolation: 'read_uncommitted' | 'read_committed'
  /** Whether it names only the group when it sends offsets to a transaction; absent if it is not known. */
  readonly groupIdOnly?: boolean
  /** It speaks transaction.version 1 to any broker. */
  readonly oldProtocol?: true
  readonly sources: readonly string[]
}

export const clientProfiles: readonly ClientProfile[] = [
  {
    name: 'java',
    idempotent: true,
    isolation: 'read_uncommitted',
    groupIdOnly: false,
    sources: ['KIP-679', 'isolation.level', 'KIP-447, KafkaConsumer.groupMetadata'],
  },
  {
    name: 'librdkafka',
    idempotent: false,
    isolation: 'read_committed',
    sources: ['librdkafka, CONFIGURATION.md'],
  },
  {
    name: 'kafkajs',
    idempotent: false,
    isolation: 'read_committed',
    groupIdOnly: true,
    oldProtocol: true,
    sources: ['KafkaJS documentation: Transactions, Consuming Messages'],
  },
  {
    name: 'franz-go',
    idempotent: true,
    isolation: 'read_uncommitted',
    sources: ['franz-go, kgo.DisableIdempotentWrite', 'franz-go, kgo.FetchIsolationLevel'],
  },
  { name: 'sarama', idempotent: false, isolation: 'read_uncommitted', sources: ['Sarama, Config'] },
]
