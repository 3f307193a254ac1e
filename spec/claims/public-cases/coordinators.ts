/** Defects of the transaction coordinator in what it makes of errors: of its own log, and of the leaders of partitions. */
import { atomic, noTimeoutNeeded } from '../../guarantees.ts'
import { kafka } from '../../model.ts'
import { presetNames } from '../../presets.ts'
import { anyModel, type Claim, type ClaimCase } from '../claim.ts'

const model = anyModel(kafka)
const produce = { application: 'produce', instances: 1, inputs: 1, outputPartitions: 1, liveness: true }

const underWay = 'what is pending is under way'
const expires = 'a transactional.id expires that was never written'
const marked = 'every participant gets its marker'
const completed = 'a decided transaction is completed at last'
const isOver = (state: string) => `a transition to ${state} is over at last`

const failing = { ...produce, attempts: 2, failedAppends: 1 }
const stays = ['failed append ends its transition']
const failed = 'the append fails'

interface Transitions {
  readonly name: string
  readonly config: ClaimCase['config']
  /** What each shows when its append fails. */
  readonly of: Readonly<Record<string, readonly string[]>>
}

/** With the rule nothing waits for ever; without it each of these transitions does. */
function withAndWithout({ name, config, of }: Transitions): ClaimCase[] {
  const states = Object.keys(of)
  const each = (verdict: 'proved' | 'violated') =>
    Object.fromEntries([...states.map(isOver), noTimeoutNeeded, underWay].map((asked) => [asked, verdict]))
  return [
    { name: `${name}, the pending state is cleared`, model, config, expected: each('proved') },
    {
      name: `${name}, it stays`,
      model,
      config,
      without: stays,
      expected: each('violated'),
      shows: {
        ...Object.fromEntries(
          Object.entries(of).map(([state, shown]) => [isOver(state), [...shown, failed]]),
        ),
        [noTimeoutNeeded]: ['InitProducerId', failed],
        [underWay]: [failed],
      },
    },
  ]
}

/** What a leader may answer to a marker; success as well. */
const answers = ['NONE', 'KAFKA_STORAGE_ERROR', 'NOT_LEADER_OR_FOLLOWER', 'REQUEST_TIMED_OUT'] as const

export const coordinatorCases: readonly Claim[] = [
  {
    id: 'KAFKA-5351',
    claim:
      'when an append to the transaction log fails the transition stays pending, and every request is answered CONCURRENT_TRANSACTIONS for ever',
    stands: 'holds within limits',
    sources: ['KAFKA-5351', 'TransactionStateManager.appendTransactionToLog'],
    cases: [
      ...withAndWithout({
        name: 'transitions that a client asks for',
        config: { ...failing, applicationAborts: 1 },
        of: {
          Empty: ['InitProducerId', 'Empty'],
          Ongoing: ['VerifyPartition', 'Ongoing'],
          PrepareCommit: ['EndTxn', 'PrepareCommit'],
          PrepareAbort: ['EndTxn', 'PrepareAbort'],
        },
      }),
      ...withAndWithout({
        name: 'an abort for a new session',
        config: { ...failing, attempts: 1, crashes: 1, restarts: 1 },
        of: { PrepareAbort: ['Crash', 'InitProducerId', 'PrepareAbort'] },
      }),
      ...withAndWithout({
        name: 'an abort after a timeout',
        config: { ...failing, attempts: 1, crashes: 1, transactionTimeouts: 1 },
        of: { PrepareAbort: ['timed out', 'PrepareAbort'] },
      }),
    ],
  },
  {
    id: 'KAFKA-7519',
    claim:
      'when the tombstone of a transactional.id that expires cannot be appended the transition to Dead stays pending, and the id can never be used again',
    stands: 'holds within limits',
    sources: ['KAFKA-7519', 'TransactionStateManager.removeExpiredTransactionalIds'],
    cases: withAndWithout({
      name: 'it expires',
      config: { ...failing, idExpirations: 1 },
      of: { Dead: ['the transactional.id expires', 'Dead'] },
    }),
  },
  {
    id: 'KAFKA-14880',
    claim:
      'a transactional.id whose very first append fails is in memory only, without an epoch, and never expires',
    stands: 'holds within limits',
    sources: ['KAFKA-14880', 'TransactionMetadata.prepareDead'],
    cases: [
      {
        name: 'the pending state is cleared',
        model,
        config: { ...failing, idExpirations: 1 },
        expected: { [expires]: 'witnessed', [isOver('Empty')]: 'proved' },
        shows: { [expires]: ['Empty', failed, 'the transactional.id expires'] },
      },
      {
        name: 'it stays',
        model,
        config: { ...failing, idExpirations: 1 },
        without: stays,
        expected: { [expires]: 'unwitnessed', [isOver('Empty')]: 'violated' },
        shows: { [isOver('Empty')]: ['Empty', failed] },
      },
    ],
  },
  {
    id: 'KAFKA-9749',
    claim: 'one of the answers to a marker is ignored, and its transaction stays prepared for ever',
    stands: 'holds within limits',
    sources: ['KAFKA-9749', 'TransactionMarkerRequestCompletionHandler.onComplete'],
    cases: [
      ...answers.map(
        (answer): ClaimCase => ({
          name: `${answer === 'NONE' ? 'success' : answer} is ignored`,
          model,
          config: { ...produce, attempts: 1, failedMarkers: 1, ignoredMarkerReply: answer },
          expected: { [marked]: 'violated', [completed]: 'violated' },
          shows:
            answer === 'NONE'
              ? {
                  [marked]: ['PrepareCommit', 'marker commit', 'high watermark 2'],
                  [completed]: ['PrepareCommit', 'marker commit', 'high watermark 2'],
                }
              : {
                  [marked]: ['PrepareCommit', `WriteTxnMarkers reply error=${answer}`],
                  [completed]: ['PrepareCommit', `WriteTxnMarkers reply error=${answer}`],
                },
        }),
      ),
      {
        name: 'each answer is heeded',
        model,
        config: { ...produce, attempts: 1, failedMarkers: 2 },
        expected: { [marked]: 'proved', [completed]: 'proved' },
      },
      {
        name: 'no marker is sent again after a change of the leader',
        model,
        config: { ...produce, attempts: 1, leaderChanges: 1 },
        without: ['markers are sent again'],
        expected: { [marked]: 'violated', [completed]: 'violated' },
        shows: {
          [marked]: ['PrepareCommit', 'marker commit', 'ChangeLeader'],
          [completed]: ['PrepareCommit', 'marker commit', 'ChangeLeader'],
        },
      },
      ...presetNames.map(
        (preset): ClaimCase => ({
          name: `output and offset, ${preset}`,
          model,
          preset,
          config: { instances: 1, outputPartitions: 1, failedMarkers: 2 },
          expected: { [atomic]: 'proved', [marked]: 'proved' },
        }),
      ),
    ],
  },
]
