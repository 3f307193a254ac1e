/** What is wrong with a batch whatever stands before it in the log. */
import type { Batch } from '../observation.ts'
import type { Ledger, Location } from './finding.ts'

/** @param leaderEpoch the largest one of the batches before it, -1 if there is none */
export function checkBatch(batch: Batch, at: Location, ledger: Ledger, leaderEpoch: number): void {
  const { baseOffset, lastOffset, baseSequence = -1, lastSequence = -1, count = 0, stray } = batch
  const span = lastOffset - baseOffset
  if (baseSequence >= 0 && (baseSequence + span) % 2 ** 31 !== lastSequence) {
    const found = `offsets ${baseOffset} to ${lastOffset} cannot have sequences ${baseSequence} to ${lastSequence}`
    ledger.find('batch against itself', found, at)
  }
  if (count > span + 1) ledger.find('batch against itself', `${count} records have ${span + 1} offsets`, at)
  if (stray !== undefined) ledger.find('batch against itself', stray.found, { ...at, ...stray.place })
  if (batch.valid === false) ledger.find('invalid batch', 'the tool says isvalid: false', at)
  const epoch = batch.leaderEpoch ?? -1
  if (epoch >= 0 && epoch < leaderEpoch) {
    ledger.find('leader epoch goes back', `leader epoch ${epoch} comes after ${leaderEpoch}`, at)
  }
}
