/** Owners of an input that are told apart by their group. */
import { clientProfiles } from '../../clients.ts'
import { type PresetName, presetFlags, presetNames } from '../../presets.ts'
import type { Claim, ClaimCase } from '../claim.ts'
import { bothCommit, model, ownIds, twice } from './cases.ts'

const stands = 'no earlier owner replaces an offset of a later one'

export const groupClaims: readonly Claim[] = [
  {
    id: 'claim-F7',
    claim:
      'after a rebalance a transactional offset commit of the old generation is refused, if it names its owner',
    stands: 'holds within limits',
    sources: [
      'KIP-447',
      'KIP-848',
      'ClassicGroup.validateOffsetCommit',
      'ConsumerGroup.validateOffsetCommit',
    ],
    table: { rows: 'version', columns: 'group, and what a commit names' },
    cases: presetNames.flatMap((preset) => [
      afterRebalance(preset, 'classic', 'owner'),
      afterRebalance(preset, 'classic', 'group id only'),
      ...(presetFlags[preset].memberEpochCheck === 'none'
        ? []
        : [afterRebalance(preset, 'consumer', 'owner'), afterRebalance(preset, 'consumer', 'group id only')]),
    ]),
  },
  {
    id: 'claim-F13',
    claim: 'clients that send the offsets of a transaction by bare group id are not fenced by the group',
    stands: 'holds',
    sources: ['KIP-447', 'ConsumerGroupMetadata'],
    table: { rows: 'client' },
    cases: clientProfiles.flatMap(({ name, settings: { groupMetadata } }): ClaimCase[] => {
      if (groupMetadata === undefined) return []
      const isFenced = groupMetadata === 'owner'
      return [
        {
          name,
          cell: { row: `${name}: ${groupMetadata}` },
          model,
          config: { ...ownIds, client: name, isolation: 'read_committed' },
          expected: { [twice]: isFenced ? 'proved' : 'violated' },
          ...(isFenced ? {} : { shows: { [twice]: bothCommit } }),
          because: `it names ${isFenced ? 'the member and its generation' : 'the group only'}`,
        },
      ]
    }),
  },
]

/** The input goes to another instance while a transaction of its owner is open. */
function afterRebalance(
  preset: PresetName,
  groupProtocol: 'classic' | 'consumer',
  groupMetadata: 'owner' | 'group id only',
): ClaimCase {
  const { groupFencing, memberEpochCheck } = presetFlags[preset]
  const namesNobody = groupMetadata === 'group id only'
  const fenced = !namesNobody && groupFencing
  const shut = namesNobody && groupProtocol === 'consumer' && memberEpochCheck === 'exact'
  const judged = fenced ? [twice, stands] : [twice]
  return {
    name: [
      preset,
      ...(groupProtocol === 'consumer' ? ['a consumer group'] : []),
      ...(namesNobody ? ['by bare group id'] : []),
    ].join(', '),
    cell: { row: preset, column: `${groupProtocol}: ${groupMetadata}` },
    model,
    preset,
    config: { ...ownIds, groupProtocol, groupMetadata, ...(shut ? { attempts: 1 } : {}) },
    expected: Object.fromEntries(judged.map((name) => [name, fenced || shut ? 'proved' : 'violated'])),
    ...(fenced || shut ? {} : { shows: { [twice]: bothCommit } }),
    ...(shut ? { because: 'a commit that names no member is refused while the group has members' } : {}),
  }
}
