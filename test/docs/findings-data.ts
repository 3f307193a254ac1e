/** The findings: what is looked for, under which presets it is found, and which change of the rules closes it. */

import {
  acknowledged,
  atomic,
  externalDecision,
  hanging,
  inOrder,
  noRival,
  noTimeoutNeeded,
  remembers,
  toldTruth,
  visible,
  whole,
  workIsDone,
} from '../../spec/guarantees.ts'
import type { KafkaConfig, KafkaState } from '../../spec/index.ts'
import type { PresetName } from '../../spec/presets.ts'
import { all, unverified, verified, versionOne } from '../../spec/scenarios/expecting.ts'

const inSendingOrder = 'records are in the order of sending'
const outputTwice = 'no output is there twice'

export interface Finding {
  /** Name of the section of the page and of the story. */
  readonly section: string
  readonly title: string
  readonly scenario: string
  /** Changes of the scenario's configuration. */
  readonly config?: Partial<KafkaConfig>
  readonly property: string
  /** A state to look for, where the finding is no violation. */
  readonly goal?: (state: KafkaState) => boolean
  /** The presets that have it; under all others it is looked for in vain. */
  readonly foundIn: readonly PresetName[]
  /** The presets that have what it is about; all if it is not said. */
  readonly lookedForIn?: readonly PresetName[]
  /** Changes of a preset that has it, by which it goes. */
  readonly closedBy: readonly Closing[]
}

export interface Closing {
  readonly preset: PresetName
  readonly change: Partial<KafkaConfig>
  readonly what: string
}

export const findings: readonly Finding[] = [
  {
    section: 'late-end',
    title: 'A late EndTxn commits half of the next transaction',
    scenario: 'late-request',
    property: atomic,
    foundIn: versionOne,
    closedBy: [],
  },
  {
    section: 'old-clients',
    title: 'Old clients on a new cluster bring that along',
    scenario: 'late-request',
    config: { outputPartitions: 1, flags: { clientVersion: 1, clientEpochBump: true } },
    property: atomic,
    foundIn: all,
    closedBy: [],
  },
  {
    section: 'given-up-batch',
    title: 'A batch that was given up becomes part of the next transaction',
    scenario: 'given-up-batch',
    property: visible,
    foundIn: versionOne,
    closedBy: [
      { preset: 'kafka-3.9', change: { flushBeforeCommit: true }, what: 'a flush before the commit' },
    ],
  },
  {
    section: 'hanging-transaction',
    title: 'A batch that was given up opens a transaction that nobody closes',
    scenario: 'given-up-batch',
    property: hanging,
    foundIn: unverified,
    closedBy: [
      {
        preset: 'kafka-2.5',
        change: { flags: { verification: 'epochBlind' } },
        what: 'verification (KIP-890)',
      },
    ],
  },
  {
    section: 'hanging-offsets',
    title: 'A late offset commit does the same to the offsets of the group',
    scenario: 'late-request',
    config: { outputPartitions: 1 },
    property: hanging,
    foundIn: [...unverified, 'kafka-3.6'],
    closedBy: [
      {
        preset: 'kafka-3.6',
        change: { flags: { verifyOffsets: true } },
        what: 'verification of offset commits',
      },
    ],
  },
  {
    section: 'late-marker',
    title: 'A late marker ends the next transaction',
    scenario: 'late-marker',
    property: visible,
    foundIn: [...versionOne, 'kafka-4.1'],
    closedBy: [
      {
        preset: 'kafka-4.1',
        change: { flags: { markerCheck: 'strict' } },
        what: 'the strict marker check (KIP-1228)',
      },
    ],
  },
  {
    section: 'late-epoch-bump',
    title: 'A session that raises its epoch twice aborts its own next transaction',
    scenario: 'given-up-batch',
    config: { application: 'produce', outputPartitions: 1, lateRequests: 1 },
    property: noRival,
    foundIn: ['kafka-2.5', 'kafka-3.6', 'kafka-3.9', 'kafka-4.4-tv1'],
    closedBy: [],
  },
  {
    section: 'expired-id',
    title: 'A commit whose reply is lost is reported as aborted when the transactional.id has expired',
    scenario: 'expired-id',
    config: { crashes: 0, restarts: 0, lostReplies: 1, attempts: 2 },
    property: toldTruth,
    foundIn: ['kafka-2.5', 'kafka-3.6', 'kafka-3.9'],
    closedBy: [
      {
        preset: 'kafka-3.9',
        change: { flags: { mappingIsFatal: true } },
        what: 'a fatal answer (KAFKA-18019)',
      },
    ],
  },
  {
    section: 'expired-producer',
    title: 'A partition that has forgotten the producer appends a late batch again',
    scenario: 'expired-producer-late-request',
    property: inOrder,
    foundIn: versionOne,
    closedBy: [],
  },
  {
    section: 'two-moves',
    title: 'Two moves of the coordinator in a row can take back what was written',
    scenario: 'two-coordinator-moves',
    property: hanging,
    foundIn: all,
    closedBy: [
      {
        preset: 'kafka-4.4',
        change: { flags: { loadsUpTo: 'high watermark' } },
        what: 'a coordinator that reads its log to the high watermark',
      },
    ],
  },
  {
    section: 'two-moves-and-timeout',
    title: 'Two moves and a timeout can take back a decision',
    scenario: 'two-coordinator-moves',
    config: { transactionTimeouts: 1 },
    property: atomic,
    foundIn: all,
    closedBy: [],
  },
  {
    section: 'former-coordinator',
    title: 'A former coordinator lets a late batch open a transaction that nobody closes',
    scenario: 'stale-coordinator',
    property: hanging,
    foundIn: versionOne,
    closedBy: [
      {
        preset: 'kafka-3.9',
        change: { staleCoordinators: 0 },
        what: 'no former coordinator that still answers',
      },
    ],
  },
  {
    section: 'former-coordinator-fences',
    title: 'A former coordinator closes a healthy producer',
    scenario: 'stale-coordinator',
    config: { deliveryTimeouts: 0 },
    property: noRival,
    foundIn: ['kafka-3.6', 'kafka-3.9', 'kafka-4.1', 'kafka-4.4', 'kafka-4.4-tv1'],
    closedBy: [],
  },
  {
    section: 'last-epoch-failover',
    title: 'A failover at the last epoch forgets the producer id that the client was given',
    scenario: 'last-epoch-failover',
    property: noRival,
    foundIn: ['kafka-4.1'],
    closedBy: [
      {
        preset: 'kafka-4.1',
        change: { flags: { durableProducerIds: true } },
        what: 'durable producer ids (KAFKA-20310)',
      },
    ],
  },
  {
    section: 'last-epoch-timeout',
    title: 'A timeout at the last epoch raises the epoch in memory and writes nothing',
    scenario: 'last-epoch-timeout',
    property: remembers,
    foundIn: ['kafka-4.1'],
    closedBy: [
      {
        preset: 'kafka-4.1',
        change: { flags: { fenceBump: 'single' } },
        what: 'one raise, with the write (KAFKA-19367, KAFKA-20090)',
      },
    ],
  },
  {
    section: 'prepared-and-crashed',
    title: 'A transaction that an external store has committed is aborted after a crash',
    scenario: 'two-phase-commit-crash',
    property: externalDecision,
    foundIn: ['kafka-4.1', 'kafka-4.4', 'kafka-4.4-tv1'],
    lookedForIn: ['kafka-4.1', 'kafka-4.4', 'kafka-4.4-tv1'],
    closedBy: [{ preset: 'kafka-4.4', change: { crashes: 0, restarts: 0 }, what: 'no crash' }],
  },
  {
    section: 'fencing-duel',
    title: 'The session that is to be fenced may go on, and its successor waits',
    scenario: 'zombie',
    config: { inputs: 1 },
    property: 'a session begins its third transaction for one input',
    goal: ({ instance }) => instance.some(({ transaction }) => transaction === 3),
    foundIn: ['kafka-4.4'],
    closedBy: [
      {
        preset: 'kafka-4.4',
        change: { flags: { fenceBump: 'double' } },
        what: 'the double raise of kafka-4.1',
      },
    ],
  },
  {
    section: 'two-offset-commits',
    title: 'A late offset commit replaces a later one of the same transaction',
    scenario: 'two-offset-commits',
    property: atomic,
    foundIn: all,
    closedBy: [
      {
        preset: 'kafka-4.4',
        change: { inputsPerTransaction: 1 },
        what: 'one offset commit in a transaction',
      },
    ],
  },
  {
    section: 'own-ids',
    title: 'With a transactional.id for each instance, epochs fence nobody',
    scenario: 'own-ids-zombie',
    property: atomic,
    foundIn: ['kafka-1.1'],
    closedBy: [
      {
        preset: 'kafka-1.1',
        change: { flags: { groupFencing: true, requireStable: true } },
        what: 'fencing by the group and stable offsets (KIP-447)',
      },
    ],
  },
  {
    section: 'group-id-only',
    title: 'An application that names only its group is not fenced by it',
    scenario: 'group-id-only',
    property: atomic,
    foundIn: all,
    closedBy: [
      { preset: 'kafka-4.4', change: { groupMetadata: 'owner' }, what: 'the metadata of the owner' },
      { preset: 'kafka-4.4', change: { transactionalIds: 'shared' }, what: 'one transactional.id for all' },
    ],
  },
  {
    section: 'auto-commit',
    title: 'A consumer that commits by itself commits what is not processed',
    scenario: 'auto-commit',
    property: atomic,
    foundIn: all,
    closedBy: [{ preset: 'kafka-4.4', change: { autoCommits: 0 }, what: 'enable.auto.commit=false' }],
  },
  {
    section: 'idempotent-given-up-batch',
    title: 'An idempotent producer that gives up a batch may write a record twice',
    scenario: 'idempotent-given-up-batch',
    property: inOrder,
    foundIn: all,
    closedBy: [],
  },
  {
    section: 'idempotent-snapshot-reload',
    title: 'A leader that remembers one batch may append a repeated one again',
    scenario: 'idempotent-snapshot-reload',
    property: inOrder,
    foundIn: all.filter((preset) => preset !== 'kafka-1.1'),
    closedBy: [{ preset: 'kafka-4.4', change: { maxInFlight: 1 }, what: 'one batch in flight' }],
  },
  {
    section: 'lost-acknowledged-batch',
    title: 'A batch is acknowledged as a duplicate of another one',
    scenario: 'leader-change-and-late-request',
    property: acknowledged,
    foundIn: verified,
    closedBy: [{ preset: 'kafka-3.9', change: { lateRequests: 0 }, what: 'no late request' }],
  },
  {
    section: 'overtaken-first-batch',
    title: 'An idempotent producer may have its first two batches in the wrong order',
    scenario: 'pipelined-batches',
    config: { application: 'produce', producer: 'idempotent', inputs: 1, lostReplies: 1 },
    property: inSendingOrder,
    foundIn: all.filter((preset) => preset !== 'kafka-1.1'),
    closedBy: [{ preset: 'kafka-4.4', change: { maxInFlight: 1 }, what: 'one batch in flight' }],
  },
  {
    section: 'late-plain-offset-commit',
    title: 'A late offset commit takes the committed offset back, and at most once becomes twice',
    scenario: 'crash-and-restart',
    config: {
      producer: 'idempotent',
      offsetCommits: 'before the output',
      outputPartitions: 1,
      lateRequests: 1,
      faults: 2,
    },
    property: outputTwice,
    foundIn: all,
    closedBy: [{ preset: 'kafka-4.4', change: { lateRequests: 0 }, what: 'no late request' }],
  },
  {
    section: 'abort-after-commit-timeout',
    title: 'An abort after a commit that timed out leaves the commit to the next transaction',
    scenario: 'call-timeout',
    config: { onCommitTimeout: 'abort by force' },
    property: atomic,
    foundIn: versionOne,
    closedBy: [
      {
        preset: 'kafka-3.9',
        change: { onCommitTimeout: 'abort' },
        what: 'a client that refuses the abort, as that of Kafka does',
      },
      { preset: 'kafka-3.9', change: { onCommitTimeout: 'commit again' }, what: 'a second call of commit' },
    ],
  },
  {
    section: 'unclean-election',
    title: 'An unclean election leaves a transaction open for ever',
    scenario: 'unclean-election',
    property: hanging,
    foundIn: all,
    closedBy: [],
  },
  {
    section: 'sequence-refused-for-ever',
    title: 'A batch that was given up has the next one refused for ever',
    scenario: 'liveness-given-up-batch',
    property: noTimeoutNeeded,
    foundIn: verified,
    closedBy: [
      { preset: 'kafka-3.9', change: { flushBeforeCommit: true }, what: 'a flush before the commit' },
    ],
  },
  {
    section: 'restarted-once',
    title: 'A restart after a crash may be fenced by the session before it',
    scenario: 'liveness-crash',
    config: { restarts: 1 },
    property: workIsDone,
    foundIn: all,
    closedBy: [{ preset: 'kafka-4.4', change: { restarts: 2 }, what: 'a second restart' }],
  },
  {
    section: 'admin-abort',
    title: 'An administrator who aborts a live transaction halves it',
    scenario: 'admin-abort',
    property: whole,
    foundIn: all,
    closedBy: [],
  },
]
