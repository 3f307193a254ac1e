/** Batches that come after the marker of their transaction. */
import { hanging, visible } from '../../guarantees.ts'
import { type PresetName, presetNames } from '../../presets.ts'
import type { Claim, ClaimCase } from '../claim.ts'
import { model, produce } from './produce.ts'

const getPast = 'readers get past every transaction'

export const lateBatchClaims: readonly Claim[] = [
  {
    id: 'claim-T10',
    claim:
      'a batch that arrives after the marker of its transaction, which its client aborted, opens the partition for nobody, and readers stand still: until KIP-890; after an abort by timeout never',
    stands: 'holds within limits',
    sources: ['KIP-890', 'KIP-664', 'KAFKA-14402'],
    cases: [
      ...presetNames.map((preset): ClaimCase => {
        const hangs = preset === 'kafka-1.1' || preset === 'kafka-2.5'
        return {
          name: `aborted by its client, ${preset}`,
          model,
          preset,
          config: { ...produce, attempts: 1, deliveryTimeouts: 1, transactionTimeouts: 1 },
          expected: hangs
            ? { [hanging]: 'violated', [getPast]: 'violated' }
            : { [hanging]: 'proved', [getPast]: 'proved' },
          ...(hangs
            ? {
                shows: {
                  [hanging]: ['ExpireBatch', 'marker abort', 'late, sent by session 1', 'data offset='],
                  [getPast]: ['ExpireBatch', 'marker abort', 'late, sent by session 1', 'data offset='],
                },
              }
            : {}),
        }
      }),
      ...presetNames.map(
        (preset): ClaimCase => ({
          name: `aborted by its timeout, ${preset}`,
          model,
          preset,
          config: { ...produce, crashes: 1, survivors: 2, transactionTimeouts: 1 },
          expected: { [hanging]: 'proved' },
        }),
      ),
      {
        name: 'aborted by its timeout, kafka-2.5, without the epoch that it raises',
        model,
        preset: 'kafka-2.5',
        config: { ...produce, crashes: 1, survivors: 2, transactionTimeouts: 1 },
        without: ['epoch bump at timeout'],
        expected: { [hanging]: 'violated' },
        shows: { [hanging]: ['timed out', 'marker abort', 'data offset='] },
        because: 'the timeout raises the epoch, and by that the partition refuses the late batch',
      },
    ],
  },
  {
    id: 'claim-T11',
    claim: 'an aborted record is never visible to a read_committed reader',
    stands: 'holds within limits',
    sources: ['KIP-98', 'KIP-360', 'KIP-890'],
    table: { rows: 'version', columns: 'the client' },
    cases: presetNames.flatMap((preset) => lateBatches(preset)),
  },
]

/** A batch that its client has given up comes after the marker; the client goes on to its next transaction. */
function lateBatches(preset: PresetName): ClaimCase[] {
  const clients = {
    're-initialises after an abort': { flushBeforeCommit: true, flags: { clientEpochBump: true } },
    'does not': { flushBeforeCommit: true, flags: { clientEpochBump: false } },
    'has called commitTransaction by then': { flushBeforeCommit: false },
  }
  const raisesByItself = preset !== 'kafka-4.1' && preset !== 'kafka-4.4'
  return Object.entries(clients).map(([client, config]): ClaimCase => {
    const seen =
      preset === 'kafka-1.1' || preset === 'kafka-2.5' || client !== 're-initialises after an abort'
    return {
      name: `${preset}, the client ${client}`,
      cell: { row: preset, column: client },
      model,
      preset,
      config: { ...produce, deliveryTimeouts: 1, ...config },
      expected: { [visible]: seen && raisesByItself ? 'violated' : 'proved' },
      ...(seen && raisesByItself
        ? {
            shows: {
              [visible]: ['ExpireBatch', 'marker abort', 'data offset=', 'PrepareCommit', 'marker commit'],
            },
          }
        : {}),
    }
  })
}
