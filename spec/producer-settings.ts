/** What kind of producer a Java client makes of its settings (ProducerConfig.postProcessAndValidateIdempotenceConfigs). */

export interface ProducerSettings {
  /** enable.idempotence, if somebody has set it. */
  readonly enableIdempotence?: boolean
  readonly acks?: 'all' | '1' | '0'
  /** max.in.flight.requests.per.connection */
  readonly maxInFlight?: number
  readonly retries?: number
}

/** A producer, or the ConfigException that its constructor throws. */
export type ProducerKind = 'idempotent' | 'plain' | { readonly refused: string }

/** Settings that idempotence cannot be had with, and what a client says that is to have it all the same. */
const conflicts: readonly (readonly [text: string, conflicts: (settings: ProducerSettings) => boolean])[] = [
  ['Must set retries to non-zero when using the idempotent producer', ({ retries }) => retries === 0],
  ['Must set acks to all in order to use the idempotent producer', ({ acks = 'all' }) => acks !== 'all'],
  [
    'Must set max.in.flight.requests.per.connection to at most 5 to use the idempotent producer',
    ({ maxInFlight = 5 }) => maxInFlight > 5,
  ],
]

/** Idempotence is the default since KIP-679; settings that conflict with it switch it off, or are refused if it was asked for. */
export function producerKind(settings: ProducerSettings): ProducerKind {
  const { enableIdempotence } = settings
  if (enableIdempotence === false) return 'plain'
  const [refused] = conflicts.find(([, conflicts]) => conflicts(settings)) ?? []
  if (refused === undefined) return 'idempotent'
  return enableIdempotence === undefined ? 'plain' : { refused }
}
