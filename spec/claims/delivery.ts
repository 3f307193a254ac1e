/** What is said of losing records and of having them twice. */
import { kafka } from '../model.ts'
import { anyModel, type Claim } from './claim.ts'

const model = anyModel(kafka)

export const deliveryClaims: readonly Claim[] = [
  {
    id: 'claim-D4',
    claim:
      'a record that only the leader has acknowledged (acks=1) is lost when that leader fails before it was replicated',
    stands: 'holds',
    sources: ['acks'],
    cases: [
      {
        name: 'acks=1',
        model,
        config: {
          application: 'produce',
          producer: 'plain',
          acks: '1',
          instances: 1,
          inputs: 1,
          outputPartitions: 1,
          leaderChanges: 1,
        },
        expected: { 'acknowledged batches are in the log': 'violated' },
        shows: { 'acknowledged batches are in the log': ['HandleProduce', 'ChangeLeader'] },
      },
    ],
  },
]
