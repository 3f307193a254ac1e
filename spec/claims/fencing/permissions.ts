/** A producer that may not do what it asks for. */
import { atomic, visible, whole } from '../../guarantees.ts'
import { presetFlags, presetNames } from '../../presets.ts'
import type { Claim, ClaimCase } from '../claim.ts'
import { lost, model, twice } from './cases.ts'

const nothingYet = 'nothing is written before the permission is granted'
const done = 'all work is done after a permission was missing'
const aborted = 'a transaction is aborted as a permission is missing'

const alone = { instances: 1, inputs: 1, attempts: 2 }
const notItsId = 'InitProducerId reply error=TRANSACTIONAL_ID_AUTHORIZATION_FAILED'

export const permissionClaims: readonly Claim[] = [
  {
    id: 'claim-F9',
    claim:
      'without the permission for its transactional.id a producer does not start, nothing is written and no offset moves, and it can try again when the permission is granted',
    stands: 'holds',
    sources: ['TransactionalIdAuthorizationException', 'KafkaApis.handleInitProducerIdRequest'],
    cases: presetNames.map(
      (preset): ClaimCase => ({
        name: preset,
        model,
        preset,
        config: { ...alone, outputPartitions: 1, missingPermissions: 2 },
        expected: { [nothingYet]: 'proved', [done]: 'witnessed' },
        shows: { [done]: [notItsId, 'InitProducerId reply error=NONE', 'CompleteCommit'] },
      }),
    ),
  },
  {
    id: 'claim-F16',
    claim:
      'when a permission is lost in the middle of a transaction what needs it is refused, the transaction is aborted and nothing of it becomes visible',
    stands: 'holds',
    sources: [
      'TopicAuthorizationException',
      'KafkaApis.handleAddPartitionsToTxnRequest',
      'KafkaApis.handleProduceRequest',
    ],
    cases: presetNames.map((preset): ClaimCase => {
      const addsFirst = presetFlags[preset].clientVersion === 1
      return {
        name: preset,
        model,
        preset,
        config: { ...alone, outputPartitions: 2, missingPermissions: 1, restarts: 1 },
        expected: {
          [aborted]: 'witnessed',
          [visible]: 'proved',
          [whole]: 'proved',
          [atomic]: 'proved',
          [twice]: 'proved',
          [lost]: 'proved',
        },
        shows: {
          [aborted]: addsFirst
            ? [
                'AddPartitionsToTxn partitions=[0, 1]',
                'AddPartitionsToTxn reply error=TOPIC_AUTHORIZATION_FAILED',
              ]
            : [
                'data offset=0',
                'Produce reply error=TOPIC_AUTHORIZATION_FAILED',
                'PrepareAbort partitions=[0, 2]',
              ],
        },
        because: addsFirst
          ? 'one topic that may not be written refuses the whole set: nothing is sent to the others either'
          : 'what was written to the other partition is aborted',
      }
    }),
  },
]
