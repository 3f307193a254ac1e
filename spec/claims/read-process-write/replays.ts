/** What is said of inputs that are read or written again. */
import { everyInput, noneTwice } from '../../outside/questions.ts'
import type { Claim } from '../claim.ts'
import { programCase, reader, readProcessWrite } from '../program-case.ts'

export const replayClaims: readonly Claim[] = [
  {
    id: 'claim-P19',
    claim:
      'offsets that are reset, or a topic that is replayed, make the outputs again; deduplication makes that one effect, and two when its ids are gone',
    stands: 'holds',
    sources: ['auto.offset.reset', 'kafka-consumer-groups --reset-offsets'],
    cases: [
      programCase({
        name: 'outputs',
        config: { apps: [readProcessWrite], offsetResets: 1 },
        expected: { [noneTwice]: 'violated', [everyInput]: 'proved' },
        shows: { [noneTwice]: ['commit', 'reset to the beginning', 'output  send', 'commit'] },
      }),
      ...(['output', 'rows'] as const).map((effects) =>
        programCase({
          name: effects === 'rows' ? 'the topic is replayed, with deduplication' : 'the topic is replayed',
          config: {
            apps: [
              effects === 'rows'
                ? reader('poll', { database: ['remember id', 'insert row'] }, 'commit offset')
                : readProcessWrite,
            ],
            inputs: [{ event: 0 }, { event: 0 }],
            effects,
          },
          expected: { [noneTwice]: effects === 'rows' ? 'proved' : 'violated', [everyInput]: 'proved' },
          ...(effects === 'rows' ? {} : { shows: { [noneTwice]: ['commit', 'output  send', 'commit'] } }),
          because: 'a record that is replayed is another record of the same event',
        }),
      ),
      ...[0, 1].map((cleanings) =>
        programCase({
          name: cleanings === 0 ? 'with deduplication' : 'after the retention of deduplication',
          config: {
            apps: [reader('poll', { database: ['remember id', 'insert row'] }, 'commit offset')],
            effects: 'rows',
            offsetResets: 1,
            cleanings,
          },
          expected: { [noneTwice]: cleanings === 0 ? 'proved' : 'violated', [everyInput]: 'proved' },
          ...(cleanings === 0
            ? {}
            : { shows: { [noneTwice]: ['insert row', 'reset to the beginning', 'insert row'] } }),
        }),
      ),
    ],
  },
]
