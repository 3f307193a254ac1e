/** Defects by which a session is fenced that has no rival, or goes on although it was replaced. */
import { noRival } from '../../guarantees.ts'
import { kafka } from '../../model.ts'
import type { PresetName } from '../../presets.ts'
import { anyModel, type Claim, type ClaimCase } from '../claim.ts'

const model = anyModel(kafka)
const twice = 'no output is there twice'
const noOther = 'a session that was replaced gets no other epoch'

const givenUp = {
  application: 'produce',
  outputPartitions: 1,
  inputs: 1,
  flushBeforeCommit: true,
  deliveryTimeouts: 1,
}

/** A session stops, another one does its work, and the transactional.id expires before the first one goes on. */
const forgotten = {
  outputPartitions: 1,
  inputs: 1,
  attempts: 2,
  pauses: 1,
  idExpirations: 1,
  survivors: 0,
  afterAbort: 'same inputs',
}
const byGroupId = { ...forgotten, groupMetadata: 'group id only' }
const comesBack = [
  'Pause(client: 0)',
  'Start(client: 1)',
  'the transactional.id expires',
  'INVALID_PRODUCER_ID_MAPPING',
  'InitProducerId reply error=NONE producerEpoch=0 producerId=1',
]

export const sessionCases: readonly Claim[] = [
  {
    id: 'KAFKA-8710',
    claim:
      'by the epoch that it names an initialisation that is repeated, as its reply was lost, can be told from one of a session that was replaced: without the one rule a live session is fenced, without the other a replaced one comes back',
    stands: 'holds within limits',
    sources: ['KAFKA-8710', 'KIP-360', 'TransactionMetadata.lastProducerEpoch'],
    cases: [
      ...[[], ['repeated initialisation']].map((without): ClaimCase => {
        const unknown = without.length > 0
        return {
          name: unknown ? 'a repeated one is not recognised' : 'a repeated one is recognised',
          model,
          preset: 'kafka-3.9',
          config: { ...givenUp, instances: 1, recordsPerOutput: 2, maxInFlight: 2, lostReplies: 1 },
          without,
          expected: { [noRival]: unknown ? 'violated' : 'proved' },
          ...(unknown
            ? {
                shows: {
                  [noRival]: [
                    'ExpireBatch',
                    'InitProducerId reply (lost)',
                    'InitProducerId reply error=PRODUCER_FENCED',
                  ],
                },
              }
            : {}),
        }
      }),
      ...(['names its identity', 'names nothing'] as const).map((nextEpoch): ClaimCase => {
        const named = nextEpoch === 'names its identity'
        return {
          name: `a session that was replaced asks for its next epoch and ${nextEpoch}`,
          model,
          preset: 'kafka-3.9',
          config: { ...givenUp, attempts: 2, pauses: 1, nextEpoch },
          expected: { [noOther]: named ? 'proved' : 'violated' },
          ...(named
            ? { because: 'its epoch is neither the present one nor the one before it' }
            : {
                shows: {
                  [noOther]: [
                    'ExpireBatch',
                    'Pause(client: 0)',
                    'Start(client: 1)',
                    'Empty partitions=[] producerEpoch=1',
                    'HandleInitProducerId(client: 0',
                    'Empty partitions=[] producerEpoch=2',
                  ],
                },
              }),
        }
      }),
    ],
  },
  {
    id: 'KAFKA-18019',
    claim:
      'an expired transactional.id is taken for an error to recover from: a session that was replaced initialises anew, and processes again what its successor has done',
    stands: 'holds within limits',
    sources: ['KAFKA-18019', 'InvalidPidMappingException', 'KIP-360'],
    cases: [
      ...(['kafka-2.5', 'kafka-3.6'] as const).map(
        (preset): ClaimCase => ({
          name: `${preset}, by bare group id`,
          model,
          preset,
          config: byGroupId,
          expected: { [twice]: 'violated', [noOther]: 'violated' },
          shows: { [twice]: [...comesBack, 'marker commit'], [noOther]: comesBack },
        }),
      ),
      {
        name: 'kafka-3.6, where the error is fatal',
        model,
        preset: 'kafka-3.6',
        config: { ...byGroupId, flags: { mappingIsFatal: true } },
        expected: { [twice]: 'proved', [noOther]: 'proved' },
      },
      ...(['kafka-4.1', 'kafka-4.4', 'kafka-4.4-tv1'] as const).map(fixed),
      {
        name: 'kafka-3.6, by generation',
        model,
        preset: 'kafka-3.6',
        config: forgotten,
        expected: { [twice]: 'proved', [noOther]: 'violated' },
        shows: { [noOther]: comesBack },
        because: 'it comes back as well, but the group refuses its offset',
      },
    ],
  },
]

function fixed(preset: PresetName): ClaimCase {
  return {
    name: `${preset}, by bare group id`,
    model,
    preset,
    config: byGroupId,
    expected: { [twice]: 'proved', [noOther]: 'proved' },
  }
}
