/** Owners of an input that are told apart by their group. */
import { clientProfiles } from '../../clients.ts'
import { presetNames } from '../../presets.ts'
import type { Claim, ClaimCase } from '../claim.ts'
import { bothCommit, byGroup, model, ownIds, twice } from './cases.ts'

export const groupClaims: readonly Claim[] = [
  {
    id: 'claim-F7',
    claim:
      'after a rebalance a transactional offset commit of the old generation is refused, if it names its owner',
    stands: 'holds within limits',
    sources: ['KIP-447', 'ClassicGroup.validateOffsetCommit'],
    cases: [
      ...presetNames.map((preset) => byGroup(preset, ownIds, bothCommit)),
      ...presetNames.map(
        (preset): ClaimCase => ({
          name: `${preset}, by bare group id`,
          model,
          preset,
          config: { ...ownIds, groupMetadata: 'group id only' },
          expected: { [twice]: 'violated' },
          shows: { [twice]: bothCommit },
        }),
      ),
    ],
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
