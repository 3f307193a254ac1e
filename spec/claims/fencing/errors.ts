/** What a producer is told that may not go on, and what it makes of it. */
import { atomic } from '../../guarantees.ts'
import { presetNames } from '../../presets.ts'
import type { Claim, ClaimCase } from '../claim.ts'
import { lost, model, producing, twice } from './cases.ts'

const bySuccessor = 'an error of the epoch means a successor'
const byTimeout = "an error of the epoch means the producer's own timeout"
const repeated = 'all work is done, and a whole transaction was thrown away'
const goesOn = 'a producer goes on after its transaction has timed out'

const alone = { instances: 1, inputs: 1, outputPartitions: 1, transactionTimeouts: 1 }

export const errorClaims: readonly Claim[] = [
  {
    id: 'claim-F8',
    claim:
      'a transaction whose timeout is shorter than its processing is aborted, which its producer is told at a later call, the work is repeated, and nothing is lost or there twice',
    stands: 'holds',
    sources: ['transaction.timeout.ms', 'KIP-588'],
    cases: presetNames.map(
      (preset): ClaimCase => ({
        name: preset,
        model,
        preset,
        config: { ...alone, restarts: 1, pauses: 1 },
        expected: {
          [atomic]: 'proved',
          [twice]: 'proved',
          [lost]: 'proved',
          [byTimeout]: 'witnessed',
          [repeated]: 'witnessed',
        },
        shows: {
          [byTimeout]: ['the transaction has timed out', 'PrepareAbort'],
          [repeated]: ['the transaction has timed out', 'marker abort', 'marker commit'],
        },
      }),
    ),
  },
  {
    id: 'claim-F14',
    claim:
      'an error of the epoch means a successor, or the timeout of the own transaction, after which only newer clients go on with the same producer',
    stands: 'holds',
    sources: ['KIP-588', 'KIP-890', 'KAFKA-19367', 'TransactionManager.transitionToAbortableError'],
    table: { rows: 'version' },
    cases: [
      ...presetNames.map(
        (preset): ClaimCase => ({
          name: `${preset}, what it means`,
          cell: { row: preset },
          model,
          preset,
          config: { ...producing, transactionTimeouts: 1 },
          expected: { [bySuccessor]: 'witnessed', [byTimeout]: 'witnessed' },
          shows: {
            [bySuccessor]: ['Pause(client: 0)', 'Start(client: 1)'],
            [byTimeout]: ['the transaction has timed out', 'PrepareAbort'],
          },
        }),
      ),
      ...presetNames.map((preset): ClaimCase => {
        const recovers = preset === 'kafka-4.4'
        return {
          name: `${preset}, the same producer after its timeout`,
          cell: { row: preset },
          model,
          preset,
          config: { ...alone, application: 'produce' },
          expected: { [goesOn]: recovers ? 'witnessed' : 'unwitnessed' },
          ...(recovers
            ? {
                shows: {
                  [goesOn]: [
                    'the transaction has timed out',
                    'INVALID_PRODUCER_EPOCH',
                    'EndTxn reply error=NONE producerEpoch=1',
                    'PrepareCommit',
                  ],
                },
                because: 'to the coordinator its abort is a repetition, and the answer has the next epoch',
              }
            : {
                because:
                  'its next request to the coordinator, or the error of the partition itself, closes it: a new producer goes on',
              }),
        }
      }),
    ],
  },
]
