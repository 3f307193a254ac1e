import { expect, test } from 'vitest'
import { logPictures } from '../../spec/index.ts'
import type { Partition } from '../../spec/state.ts'

const about = {
  transactional: true,
  session: 1,
  transaction: 's1.1',
  fenced: false,
  producerId: 7,
  producerEpoch: 2,
}
const empty: Partition = {
  log: [],
  logStart: 0,
  highWatermark: 0,
  leaderEpoch: 0,
  producers: [],
  guards: [],
  awaiting: [],
}

test('a log is drawn record by record, without what is deleted, with the marks of its readers', () => {
  const data = { ...about, kind: 'data', sequence: 4, input: 1, part: 0 } as const
  const marker = {
    kind: 'marker',
    producerId: 7,
    producerEpoch: 3,
    result: 'abort',
    coordinatorEpoch: 0,
    transaction: 's1.1',
  } as const
  const offset = { ...about, kind: 'offset', offset: 1, generation: 1 } as const
  const pictures = logPictures({
    partition: [
      { ...empty, log: [data, data, marker, data], logStart: 1, highWatermark: 4 },
      empty,
      { ...empty, log: [offset], highWatermark: 1 },
    ],
  })
  expect(pictures).toEqual([
    {
      title: 'partition 0',
      rows: [
        ['1', 'input 1, part 0', '7', '2', '4'],
        ['2', 'ABORT marker', '7', '3', ''],
        ['3', 'input 1, part 0', '7', '2', '4'],
      ],
      marks: 'high watermark 4, last stable offset 3',
    },
    {
      title: 'group offsets',
      rows: [['0', 'committed offset 1', '7', '2', '']],
      marks: 'high watermark 1, last stable offset 0',
    },
  ])
})
