import { describe, expect, test } from 'vitest'
import type { StepEvent } from '../../../checker/index.ts'
import { matches, type Told } from '../../../traces/schedule/matching.ts'
import { parsePattern } from '../../../traces/schedule/pattern.ts'

const actions = ['HandleProduce', 'Crash', 'AbortTimedOutTransaction', 'AdvanceHighWatermark']

const step = (
  action: string,
  args: Told['args'],
  events: readonly StepEvent[],
  choices: Told['choices'] = [],
): Told => ({
  action,
  args,
  choices,
  events,
})

const steps: Readonly<Record<string, Told>> = {
  produce: step('HandleProduce', { client: 0, copy: 'live' }, [
    {
      kind: 'delivered',
      lane: 'partition-1',
      peer: 'app-0',
      message: 'Produce',
      fields: { producerEpoch: 1, sequence: 0 },
    },
    { kind: 'appended', lane: 'partition-1', message: 'data', fields: { offset: 3, producerEpoch: 1 } },
  ]),
  crash: step(
    'Crash',
    { client: 1 },
    [{ kind: 'crashed', lane: 'app-1' }],
    [{ name: 'at once', value: true }],
  ),
  timeout: step('AbortTimedOutTransaction', { id: 0 }, [
    { kind: 'note', lane: 'coordinator', text: 'the transaction has timed out' },
  ]),
  watermark: step(
    'AdvanceHighWatermark',
    { partition: 0 },
    [
      { kind: 'note', lane: 'partition-0', text: 'high watermark 2' },
      { kind: 'lost', lane: 'partition-0', peer: 'app-0', message: 'Produce reply' },
    ],
    [{ name: 'the reply to app-0', value: 'is lost' }],
  ),
}

/** A line, and the only steps that it means. */
const lines: readonly (readonly [string, string])[] = [
  ['deliver produce app-0 -> partition-1', 'produce'],
  ['app-0 -> partition-1', 'produce'],
  ['partition-1 -> app-0', ''],
  ['deliver produce partition-1', 'produce'],
  ['Produce arrives', 'produce'],
  ['deliver produce sequence=0', 'produce'],
  ['deliver produce sequence=1', ''],
  ['append data partition-1 offset=3', 'produce'],
  ['append data offset=3 sequence=0', ''],
  ['append marker partition-1', ''],
  ['produce copy=live client=0', 'produce'],
  ['produce copy=late', ''],
  ['crash app-1', 'crash'],
  ['app-1 crashes', 'crash'],
  ['crash app-0', ''],
  ['crash', 'crash'],
  ['Crash', 'crash'],
  ['Crash(client: 1)', 'crash'],
  ['Crash(client=1; at once: true)', 'crash'],
  ['Crash(client: 1, "at once": false)', ''],
  ['Crash(client: 0)', ''],
  ['[Crash client=1; at once=true]', 'crash'],
  ['[Crash client=1]', 'crash'],
  ['[Crash client=1; at once=false]', ''],
  ['12  app-1  crashed  [Crash client=1]', 'crash'],
  ['abort timed out transaction', 'timeout'],
  ['the transaction has timed out', 'timeout'],
  ['transaction has timed', 'timeout'],
  ['timed transaction', ''],
  ['note coordinator "has timed"', ''],
  ['coordinator "has timed"', 'timeout'],
  ['high watermark partition-0', 'watermark'],
  ['lose produce reply', 'watermark'],
  ["lose 'Produce reply' partition-0 -> app-0", 'watermark'],
  ['"the reply to app-0"="is lost"', 'watermark'],
  ['send produce', ''],
]

describe('a line', () => {
  test.each(lines)('%j means %j', (line, meant) => {
    const pattern = parsePattern(line, actions)
    const found = Object.keys(steps).filter((name) => matches(pattern, steps[name]!))
    expect(found.join(' ')).toBe(meant)
  })
})
