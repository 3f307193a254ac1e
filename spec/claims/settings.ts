/** What is said of settings that conflict with idempotence. */
import { kafka } from '../model.ts'
import { type ProducerSettings, producerKind } from '../producer-settings.ts'
import { anyModel, type Claim, type ClaimCase } from './claim.ts'
import { producerStart, refusedAtStart, startsIdempotent, startsPlain } from './models/producer-start.ts'

const twice = 'no output is there twice'

const conflicts = [
  { name: 'acks=1', settings: { acks: '1' }, says: 'Must set acks to all' },
  {
    name: '6 in flight',
    settings: { maxInFlight: 6 },
    says: 'Must set max.in.flight.requests.per.connection to at most 5',
  },
  { name: 'no retries', settings: { retries: 0 }, says: 'Must set retries to non-zero' },
] as const satisfies { name: string; settings: ProducerSettings; says: string }[]

export const settingsClaims: readonly Claim[] = [
  {
    id: 'claim-I14',
    claim:
      'settings that conflict with idempotence switch it off in silence, if nobody has switched it on; if somebody has, they are refused at the start',
    stands: 'holds',
    sources: ['enable.idempotence', 'acks', 'KIP-679', 'ProducerConfig'],
    cases: [
      repeated('acks=1', { acks: '1' }),
      repeated('6 in flight', { maxInFlight: 6 }),
      repeated('no conflict', {}),
      repeated('switched off', { enableIdempotence: false }),
      started('no conflict, the default', {}, startsIdempotent, 'the producer is idempotent'),
      ...conflicts.flatMap(({ name, settings, says }) => [
        started(`${name}, the default`, settings, startsPlain, 'the producer is plain'),
        started(`${name}, switched on`, { ...settings, enableIdempotence: 'true' }, refusedAtStart, says),
        started(
          `${name}, switched off`,
          { ...settings, enableIdempotence: 'false' },
          startsPlain,
          'the producer is plain',
        ),
      ]),
    ],
  },
]

/** A reply is lost to a producer that was made of these settings. */
function repeated(name: string, settings: ProducerSettings): ClaimCase {
  const { acks = 'all', maxInFlight = 1 } = settings
  const producer = producerKind(settings)
  const dedupes = producer === 'idempotent'
  return {
    name: `a reply is lost, ${name}`,
    model: anyModel(kafka),
    config: {
      application: 'produce',
      instances: 1,
      inputs: 1,
      outputPartitions: 1,
      producer,
      acks,
      maxInFlight,
      lostReplies: 1,
    },
    expected: { [twice]: dedupes ? 'proved' : 'violated' },
    ...(dedupes ? {} : { shows: { [twice]: ['data offset=0', 'Produce reply (lost)', 'data offset=1'] } }),
  }
}

/** A producer is constructed. */
function started(name: string, config: ClaimCase['config'], what: string, says: string): ClaimCase {
  const others = [refusedAtStart, startsIdempotent, startsPlain].filter((other) => other !== what)
  return {
    name: `at the start: ${name}`,
    model: anyModel(producerStart),
    config,
    expected: { [what]: 'witnessed', ...Object.fromEntries(others.map((other) => [other, 'unwitnessed'])) },
    shows: { [what]: ['ConstructProducer', says] },
  }
}
