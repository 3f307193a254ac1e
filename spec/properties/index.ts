/**
 * Every guarantee that a configuration promises. One that it does not promise is left out: what is said of
 * transactions of a producer that has none, what is said of offsets of an application that commits none, and what a
 * later version was made for. Nothing is left out because it is costly.
 */
import type { Property } from '../../checker/model.ts'
import { remembersBatches } from '../ghost.ts'
import type { Protocol } from '../protocol/protocol.ts'
import type { KafkaState } from '../state.ts'
import { acknowledgedStay, replicatedStay } from './acknowledgement.ts'
import { committedIsWhole, offsetNeverGoesBack, outputWithOffset } from './atomicity.ts'
import { oneRequestAtATime } from './client.ts'
import { markersAreUnderWay, memoryFollowsLog, pendingIsUnderWay } from './coordination.ts'
import { closedAsDecided, decisionIsFinal, markersFollowDecision, outcomesAreTrue } from './decision.ts'
import { epochsOnlyGrow, legalStates, oneWriter } from './durable-records.ts'
import { allOrNothing, outcomesAreSeen } from './effect.ts'
import { entriesFollowLog, guardsAreNotOpen } from './entries.ts'
import { entryEpochsOnlyGrow, nobodyAhead } from './epochs.ts'
import { fencedEndsIneffective, fencedWritesInvisible, noSelfFencing } from './fencing.ts'
import { groupFollowsLog } from './group.ts'
import { nothingHangs } from './hanging.ts'
import { livenessOf } from './liveness.ts'
import { oneTransactionPerEpoch, transactionsDoNotMix } from './mixing.ts'
import { batchesInOrder, offsetsInOrder, readersNeverGoBack, sequencesWithoutGaps } from './order.ts'
import { fetchedOffsetStands, laterOwnersStand } from './owners.ts'
import { decidedExternally } from './two-phase-commit.ts'
import { verifiedStart } from './verified-start.ts'
import { committedVisible, onlyCommittedVisible } from './visibility.ts'
import { witnesses } from './witnesses.ts'

type Properties = Property<KafkaState>[]

/** @param steps the names of the actions that are no faults */
export const propertiesOf = (protocol: Protocol, steps: readonly string[]): Properties => [
  ...(protocol.config.producer === 'transactional' ? ofTransactions(protocol) : []),
  ...(protocol.config.producer === 'plain' ? [] : ofIdempotence(protocol)),
  ...ofLogs(protocol),
  ...(protocol.config.liveness === true ? livenessOf(protocol, steps) : []),
  ...witnesses(protocol),
]

/** A producer without sequence numbers is promised neither order nor that nothing is there twice. */
const ofIdempotence = (protocol: Protocol): Properties => [
  batchesInOrder(protocol),
  sequencesWithoutGaps(protocol),
]

const ofLogs = (protocol: Protocol): Properties => [
  offsetsInOrder(protocol),
  readersNeverGoBack(protocol),
  replicatedStay(protocol),
  ...(protocol.config.acks !== '0' && remembersBatches(protocol) ? [acknowledgedStay(protocol)] : []),
  entryEpochsOnlyGrow(protocol),
  entriesFollowLog(protocol),
]

const ofTransactions = (protocol: Protocol): Properties => [
  onlyCommittedVisible(protocol),
  committedVisible(protocol),
  allOrNothing(protocol),
  ...(protocol.config.application === 'produce' ? [committedIsWhole(protocol)] : ofOffsets(protocol)),
  fencedWritesInvisible(protocol),
  fencedEndsIneffective,
  noSelfFencing,
  decisionIsFinal,
  markersFollowDecision(protocol),
  closedAsDecided(protocol),
  outcomesAreTrue,
  ...(protocol.config.twoPhaseCommit ? [decidedExternally] : []),
  outcomesAreSeen(protocol),
  nothingHangs(protocol),
  ...ofKip890(protocol),
  ...ofCoordinators(protocol),
  oneRequestAtATime(protocol),
]

function ofOffsets(protocol: Protocol): Properties {
  const { config, flags } = protocol
  const namesOwner = flags.groupFencing && config.groupMetadata === 'owner'
  return [
    outputWithOffset(protocol),
    offsetNeverGoesBack,
    groupFollowsLog(protocol),
    ...(namesOwner ? [laterOwnersStand(protocol)] : []),
    ...(namesOwner && flags.requireStable ? [fetchedOffsetStands(protocol)] : []),
  ]
}

/** Promised where partitions ask the coordinator, the last one only by transaction.version 2. */
function ofKip890(protocol: Protocol): Properties {
  const { flags } = protocol
  const asks = flags.clientVersion === 2 || flags.verification !== 'off'
  return [
    ...(asks ? [transactionsDoNotMix(protocol), verifiedStart(protocol), guardsAreNotOpen(protocol)] : []),
    ...(flags.clientVersion === 2 ? [oneTransactionPerEpoch(protocol)] : []),
  ]
}

const ofCoordinators = (protocol: Protocol): Properties => [
  memoryFollowsLog(protocol),
  pendingIsUnderWay(protocol),
  markersAreUnderWay(protocol),
  legalStates(protocol),
  epochsOnlyGrow(protocol),
  oneWriter(protocol),
  ...nobodyAhead(protocol),
]
