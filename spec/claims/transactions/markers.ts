/** What markers do in a log, and what readers make of them. */
import { anyModel, type Claim } from '../claim.ts'
import { allOfIt, inOffsetOrder, onlyCommitted, sharedLog } from '../models/shared-log.ts'
import { model, produce } from './produce.ts'

const picture = 'a log holds two records, COMMIT, two records, ABORT'
const pictureRead =
  'of two records, COMMIT, two records, ABORT read_uncommitted gets 0, 1, 3, 4 and read_committed 0, 1'

export const markerClaims: readonly Claim[] = [
  {
    id: 'claim-T7',
    claim:
      'markers take offsets: of two records, a commit, two records and an abort the records are at 0, 1, 3 and 4, and the markers at 2 and 5, which no reader gets',
    stands: 'holds',
    sources: ['KIP-98', 'ControlBatch'],
    cases: [
      {
        name: 'a commit and an abort',
        model,
        config: { ...produce, inputs: 2, recordsPerOutput: 2, applicationAborts: 1 },
        expected: { [picture]: 'witnessed', [pictureRead]: 'proved' },
        shows: {
          [picture]: [
            'data offset=0',
            'data offset=1',
            'marker commit offset=2',
            'data offset=3',
            'data offset=4',
            'marker abort offset=5',
          ],
        },
      },
    ],
  },
  {
    id: 'claim-T8',
    claim:
      'of two records, a commit, two records and an abort read_uncommitted returns offsets 0, 1, 3 and 4, read_committed 0 and 1',
    stands: 'holds',
    sources: ['isolation.level', 'CompletedFetch.nextFetchedRecord'],
    cases: [
      {
        name: 'both readers',
        model,
        config: { ...produce, inputs: 2, recordsPerOutput: 2, applicationAborts: 1 },
        expected: { [pictureRead]: 'proved' },
      },
      {
        name: 'a reader that does not filter',
        model,
        config: { ...produce, inputs: 2, recordsPerOutput: 2, applicationAborts: 1 },
        without: ['aborted records filter'],
        expected: { [pictureRead]: 'violated' },
        shows: { [pictureRead]: ['marker commit offset=2', 'marker abort offset=5', 'high watermark 6'] },
        because: 'the aborted records are in the log: it is the reader that leaves them out',
      },
    ],
  },
  {
    id: 'claim-T9',
    claim:
      'of interleaved transactions, one that commits and one that aborts, around plain records, read_committed returns the plain records and those of the committed one, those only after its marker, and never an aborted one',
    stands: 'holds',
    sources: ['KIP-98', 'CompletedFetch.nextFetchedRecord', 'TransactionIndex.collectAbortedTxns'],
    cases: [
      {
        name: 'two records of each',
        model: anyModel(sharedLog),
        config: {},
        expected: { [onlyCommitted]: 'proved', [inOffsetOrder]: 'proved', [allOfIt]: 'witnessed' },
        shows: { [allOfIt]: ['record of A', 'record of B', 'record of plain', 'of A', 'of B'] },
      },
      {
        name: 'readers that go beyond the last stable offset',
        model: anyModel(sharedLog),
        config: {},
        without: ['last stable offset'],
        expected: { [onlyCommitted]: 'violated' },
        shows: { [onlyCommitted]: ['record of A', 'high watermark 1'] },
      },
      {
        name: 'readers that do not leave out what was aborted',
        model: anyModel(sharedLog),
        config: {},
        without: ['aborted records filter'],
        expected: { [onlyCommitted]: 'violated' },
        shows: { [onlyCommitted]: ['record of B', 'abort of B'] },
      },
    ],
  },
]
