/** What is said of losing records and of having them twice. */
import { acknowledged, atomic, replicated } from '../guarantees.ts'
import { kafka } from '../model.ts'
import { anyModel, type Claim, type ClaimCase } from './claim.ts'
import { notLost, notTwice, outsideParty } from './models/outside-party.ts'
import { acknowledgedStays, everyRecord, noneWhileTooFew, replication } from './models/replication.ts'

const model = anyModel(kafka)

const lost = 'no input is lost'
const twice = 'no output is there twice'

const documented = 'Kafka documentation, Design: Message Delivery Semantics'

/** A producer of its own, without transactions. */
const plain = { application: 'produce', producer: 'plain', instances: 1, outputPartitions: 1 }
/** Reads, processes and writes without transactions, and starts again where the committed offset says. */
const looping = { producer: 'idempotent', instances: 1, outputPartitions: 1 }
const restarting = { crashes: 1, restarts: 1, faults: 2 }

export const deliveryClaims: readonly Claim[] = [
  {
    id: 'claim-D1a',
    claim: 'acks=0 delivers at most once: a record may be lost without notice, none is there twice',
    stands: 'holds',
    sources: [documented, 'acks'],
    cases: [
      {
        name: 'a request is lost',
        model,
        config: { ...plain, acks: '0', lostRequests: 1, lateRequests: 1, leaderChanges: 1, crashes: 1 },
        expected: { [lost]: 'violated', [twice]: 'proved' },
        shows: { [lost]: ['Start(client: 0)', 'Produce input=1', 'LoseRequest', 'Produce (lost)'] },
      },
    ],
  },
  {
    id: 'claim-D1b',
    claim:
      'committing the offset before processing delivers at most once: a crash in between loses the input, no output is there twice',
    stands: 'holds within limits',
    sources: [documented, 'KafkaConsumer.commitSync'],
    cases: [
      {
        name: 'crash and restart',
        model,
        config: {
          ...looping,
          ...restarting,
          offsetCommits: 'before the output',
          lostReplies: 1,
          deliveryTimeouts: 1,
          leaderChanges: 1,
        },
        expected: { [lost]: 'violated', [twice]: 'proved' },
        shows: { [lost]: ['HandleOffsetCommit', 'offset offset=0', 'Crash(client: 0)'] },
        because: 'the offset says that the input is done, and nobody processes it any more',
      },
      {
        name: 'a commit comes late',
        model,
        config: { ...looping, ...restarting, offsetCommits: 'before the output', lateRequests: 1 },
        expected: { [twice]: 'violated' },
        shows: {
          [twice]: [
            'OffsetCommit (delayed',
            'OffsetCommit generation=1 memberId=1 offset=2',
            'late, sent by session 1',
            'Crash(client: 0)',
            'starts at the committed offset 1',
          ],
        },
        because:
          'nothing orders the commits of one member: a copy of an earlier one takes the committed offset back',
      },
      {
        name: 'rebalance',
        model,
        config: {
          ...looping,
          instances: 2,
          inputs: 1,
          offsetCommits: 'before the output',
          rebalances: 1,
        },
        expected: { [twice]: 'proved' },
        because: 'the old owner stops when its commit is refused',
      },
    ],
  },
  {
    id: 'claim-D2',
    claim:
      'committing the offset after processing, and only if every send succeeded, delivers at least once: nothing is lost, a crash in between leaves the output twice',
    stands: 'holds',
    sources: [documented, 'KafkaConsumer.commitSync'],
    cases: [
      {
        name: 'crash and restart',
        model,
        config: {
          ...looping,
          ...restarting,
          offsetCommits: 'after the output',
          lostReplies: 1,
          deliveryTimeouts: 1,
          leaderChanges: 1,
        },
        expected: { [lost]: 'proved', [twice]: 'violated' },
        shows: { [twice]: ['data offset=0', 'Crash(client: 0)', 'committed offset 0', 'data offset=1'] },
      },
      {
        name: 'rebalance',
        model,
        config: { ...looping, instances: 2, inputs: 1, offsetCommits: 'after the output', rebalances: 1 },
        expected: { [lost]: 'proved', [twice]: 'violated' },
        shows: {
          [twice]: ['data offset=0', 'StartBeside(client: 1)', 'committed offset 0', 'data offset=1'],
        },
      },
    ],
  },
  {
    id: 'claim-D3',
    claim:
      'transactional read-process-write and read_committed readers process exactly once: when no transaction is undecided each input has one output, and that together with its offset',
    stands: 'holds',
    sources: ['KIP-98', 'KIP-447'],
    cases: Object.entries({
      'the client crashes and starts again': { crashes: 1, restarts: 1 },
      'the coordinator moves': { coordinatorFailovers: 1 },
      'a partition changes its leader': { leaderChanges: 1 },
      'a reply is lost': { lostReplies: 1 },
      'a request comes late': { lateRequests: 1 },
      'a rebalance': { instances: 2, transactionalIds: 'own', inputs: 1, attempts: 2, rebalances: 1 },
    }).map(([name, faults]) => ({
      name,
      model,
      config: { instances: 1, outputPartitions: 1, ...faults },
      expected: { [atomic]: 'proved', [lost]: 'proved', [twice]: 'proved' },
    })),
  },
  {
    id: 'claim-D4',
    claim:
      'an acknowledged record is lost when acks=1 and the leader fails before it was replicated; never with acks=all and min ISR 2',
    stands: 'holds',
    sources: ['acks', 'min.insync.replicas'],
    cases: [
      {
        name: 'acks=1',
        model,
        config: { ...plain, acks: '1', leaderChanges: 1 },
        expected: { [acknowledged]: 'violated' },
        shows: { [acknowledged]: ['data offset=0', 'Produce reply error=NONE', 'its log ends at 0'] },
      },
      {
        name: 'acks=all',
        model,
        config: { ...plain, acks: 'all', leaderChanges: 2 },
        expected: { [acknowledged]: 'proved', [replicated]: 'proved' },
      },
      {
        name: 'acks=1, with all replicas',
        model: anyModel(replication),
        config: { acks: '1' },
        expected: { [acknowledgedStays]: 'violated' },
        shows: {
          [acknowledgedStays]: ['record 0 acknowledged', 'Fail(replica: 0)', 'leads: its log ends at 0'],
        },
      },
      {
        name: 'acks=all, with all replicas, two of which fail',
        model: anyModel(replication),
        config: { acks: 'all', failures: 2 },
        expected: { [acknowledgedStays]: 'proved' },
      },
    ],
  },
  {
    id: 'claim-D5',
    claim:
      'towards a party that cannot deduplicate, over a network that loses and delays, every policy of the client either loses the effect or has it twice',
    stands: 'holds',
    sources: ['Two Generals Problem', documented],
    cases: [
      {
        name: 'never retry',
        model: anyModel(outsideParty),
        config: { policy: 'never retry' },
        expected: { [notLost]: 'violated', [notTwice]: 'proved' },
        shows: { [notLost]: ['Send', 'TimeOut', 'do it (lost)'] },
      },
      ...[2, 3].map(
        (attempts): ClaimCase => ({
          name: `retry ${attempts - 1} ${attempts === 2 ? 'time' : 'times'}`,
          model: anyModel(outsideParty),
          config: { policy: 'retry', attempts, losses: attempts },
          expected: { [notLost]: 'violated', [notTwice]: 'violated' },
          shows: {
            [notLost]: Array.from({ length: attempts }, () => 'do it (lost)'),
            [notTwice]: ['for the first time', 'TimeOut', 'for the second time'],
          },
        }),
      ),
      {
        name: 'ask first',
        model: anyModel(outsideParty),
        config: { policy: 'ask first', losses: 0 },
        expected: { [notLost]: 'proved', [notTwice]: 'violated' },
        shows: {
          [notTwice]: ['was it done?', 'for the first time', 'no (arrives)', 'for the second time'],
        },
        because: 'the first request arrives after the party has said that it was not done',
      },
    ],
  },
  {
    id: 'claim-D6',
    claim:
      'while fewer replicas are in sync than min.insync.replicas asks for, producers with acks=all make no progress and nothing acknowledged is lost; when enough are in sync again, they go on',
    stands: 'holds',
    sources: [
      'min.insync.replicas',
      'Partition.appendRecordsToLeader',
      'Partition.checkEnoughReplicasReachOffset',
    ],
    cases: [
      {
        name: 'two of three replicas fail and come back',
        model: anyModel(replication),
        config: { acks: 'all', failures: 2 },
        expected: { [noneWhileTooFew]: 'proved', [acknowledgedStays]: 'proved', [everyRecord]: 'proved' },
      },
      {
        name: 'two of three replicas fail for good',
        model: anyModel(replication),
        config: { acks: 'all', failures: 2, comesBack: false },
        expected: { [noneWhileTooFew]: 'proved', [acknowledgedStays]: 'proved', [everyRecord]: 'violated' },
        shows: { [everyRecord]: ['Fail(', 'Fail('] },
      },
      {
        name: 'a batch is refused with NOT_ENOUGH_REPLICAS',
        model,
        config: { ...plain, producer: 'idempotent', refusedBatches: 2 },
        expected: { [lost]: 'proved', [twice]: 'proved', [acknowledged]: 'proved' },
      },
    ],
  },
]
