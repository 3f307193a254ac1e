/**
 * Clients by what they do if nobody configures them, as far as it is documented. What is not known for sure is left
 * out.
 */
import type { ProfileInfo } from './catalogue.ts'

/** The parameters of the Kafka model in which clients differ. */
export type ClientSettings = {
  /** Of a client that is not asked for transactions: enable.idempotence, or what the client calls it. */
  readonly producer: 'idempotent' | 'plain'
  /** isolation.level of its consumers. */
  readonly isolation: 'read_uncommitted' | 'read_committed'
  /** What it names when it sends offsets to a transaction, as far as it is known. */
  readonly groupMetadata?: 'owner' | 'group id only'
  /** Said where it initialises its transactional.id at the first transaction, which is after it has read the offsets. */
  readonly fetchOffsets?: 'before init'
}

export interface ClientProfile extends ProfileInfo {
  readonly name: ClientName
  readonly settings: ClientSettings
  /** It speaks transaction.version 1 to any broker. */
  readonly oldProtocol?: true
}

export const clientNames = ['java', 'librdkafka', 'kafkajs', 'franz-go', 'sarama'] as const
export type ClientName = (typeof clientNames)[number]

const described: Record<ClientName, Omit<ClientProfile, 'name'>> = {
  java: {
    summary:
      'The Java client: idempotent since 3.0 unless acks conflict with it, which switches it off in silence.',
    settings: { producer: 'idempotent', isolation: 'read_uncommitted', groupMetadata: 'owner' },
    sources: ['KIP-679', 'isolation.level', 'KIP-447, KafkaConsumer.groupMetadata'],
  },
  librdkafka: {
    summary: 'librdkafka and clients built on it: not idempotent, readers of committed records.',
    settings: { producer: 'plain', isolation: 'read_committed' },
    sources: ['librdkafka, CONFIGURATION.md'],
  },
  kafkajs: {
    summary:
      'KafkaJS 2.2.4: not idempotent; speaks transaction.version 1 to any broker, initialises its transactional.id at the first transaction, and names only the group when it sends offsets.',
    settings: {
      producer: 'plain',
      isolation: 'read_committed',
      groupMetadata: 'group id only',
      fetchOffsets: 'before init',
    },
    oldProtocol: true,
    sources: ['KafkaJS documentation: Transactions, Consuming Messages'],
  },
  'franz-go': {
    summary: 'franz-go: idempotent, readers of uncommitted records.',
    settings: { producer: 'idempotent', isolation: 'read_uncommitted' },
    sources: ['franz-go, kgo.DisableIdempotentWrite', 'franz-go, kgo.FetchIsolationLevel'],
  },
  sarama: {
    summary: 'Sarama: not idempotent, readers of uncommitted records.',
    settings: { producer: 'plain', isolation: 'read_uncommitted' },
    sources: ['Sarama, Config'],
  },
}

export const clientProfiles: readonly ClientProfile[] = clientNames.map((name) => ({
  name,
  ...described[name],
}))

type Setting = keyof ClientSettings

/** Undefined where nothing is given. */
type Given = Readonly<Record<Setting, string | undefined>> & {
  readonly client?: ClientName | undefined
  readonly flags: { readonly clientVersion?: number | undefined }
  readonly preset: string
  readonly application: string
  readonly offsetCommits: string
  readonly acks: string
}

/** What the model takes if neither the user nor a client says anything. */
const withoutClient: Readonly<Record<Setting, string>> = {
  producer: 'transactional',
  isolation: 'read_committed',
  groupMetadata: 'owner',
  fetchOffsets: 'after init',
}

type Completed<Config extends Given> = Omit<Config, Setting> & {
  readonly [Name in Setting]: Exclude<Config[Name], undefined>
}

/** What is not given is taken from the client; the parameters stay in their order. */
export function completed<Config extends Given>(given: Config): Completed<Config> {
  const settings = {
    ...withoutClient,
    ...(given.client === undefined ? {} : defaultsOf(given.client, given)),
  }
  const isSetting = (name: string): name is Setting => Object.hasOwn(settings, name)
  const entries = Object.entries(given).map(([name, value]) => [
    name,
    value === undefined && isSetting(name) ? settings[name] : value,
  ])
  return { ...(Object.fromEntries(entries) as Completed<Config>), flags: flagsOf(given) }
}

/** A client that speaks the old protocol does so whatever the version of the cluster. */
function flagsOf<Config extends Given>({ client, flags }: Config): Config['flags'] {
  const isOld = client !== undefined && described[client].oldProtocol === true
  return isOld ? { clientVersion: 1, ...flags } : flags
}

/** A producer is transactional where the application needs one, whatever its client does by itself. */
function defaultsOf(client: ClientName, given: Given): Partial<ClientSettings> {
  const { producer, ...others } = described[client].settings
  if (given.application === 'read-process-write' && given.offsetCommits === 'in the transaction')
    return others
  return { ...others, producer: client === 'java' && !isIdempotentJava(given) ? 'plain' : producer }
}

/** KIP-679: by default since 3.0; acks that conflict with it switch it off. */
const isIdempotentJava = ({ preset, acks }: Given): boolean =>
  acks === 'all' && preset !== 'kafka-1.1' && preset !== 'kafka-2.5'
