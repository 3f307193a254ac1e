/**
 * Each way to change a line of a dump, tried at every line, with the answers that it gets. Some changes make another log that is
 * as the protocol has it, and are explained: one that ends a batch earlier, a further producer with a transaction that is open,
 * a marker that has nothing to end, or a marker at the epoch of its data, as it was before transaction.version 2.
 */
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../dumps/index.ts'
import { dumps, versionOne, versionTwo } from './examples.ts'
import { judge } from './judged.ts'

/** Changes the line at an index, or says that there is nothing of the kind to change. */
type Mutation = (lines: readonly string[], index: number) => string[] | undefined

const replace =
  (pattern: RegExp, by: (...groups: string[]) => string): Mutation =>
  (lines, index) => {
    const line = lines[index] ?? ''
    const changed = line.replace(pattern, (...all) => by(...(all as string[])))
    return changed === line ? undefined : lines.map((one, at) => (at === index ? changed : one))
  }

const isBatch = (line: string | undefined) => line?.startsWith('baseOffset: ') === true
const isData = (line: string | undefined) =>
  isBatch(line) && /isTransactional: true isControl: false/.test(line ?? '')
/** A batch with its records. */
const extent = (lines: readonly string[], index: number): number => {
  let end = index + 1
  while (lines[end]?.startsWith('| ') === true) end += 1
  return end
}

const mutations: Record<string, Mutation> = {
  'a batch is taken out': (lines, index) =>
    isBatch(lines[index]) ? [...lines.slice(0, index), ...lines.slice(extent(lines, index))] : undefined,
  'a batch changes places with the next': (lines, index) => {
    const end = extent(lines, index)
    if (!isBatch(lines[index]) || !isBatch(lines[end])) return undefined
    const next = extent(lines, end)
    return [
      ...lines.slice(0, index),
      ...lines.slice(end, next),
      ...lines.slice(index, end),
      ...lines.slice(next),
    ]
  },
  'a batch stands there twice': (lines, index) =>
    isBatch(lines[index]) ? [...lines.slice(0, extent(lines, index)), ...lines.slice(index)] : undefined,
  'a batch line is taken out': (lines, index) =>
    isBatch(lines[index]) ? lines.filter((_, at) => at !== index) : undefined,
  'the line of a marker is taken out': (lines, index) =>
    lines[index]?.includes('endTxnMarker') ? lines.filter((_, at) => at !== index) : undefined,
  'a marker is flipped': replace(
    /endTxnMarker: (COMMIT|ABORT)/,
    (_, decision) => `endTxnMarker: ${decision === 'COMMIT' ? 'ABORT' : 'COMMIT'}`,
  ),
  'an epoch is raised': (lines, index) =>
    isData(lines[index])
      ? replace(/producerEpoch: (\d+)/, (_, epoch) => `producerEpoch: ${Number(epoch) + 1}`)(lines, index)
      : undefined,
  'an epoch is lowered': (lines, index) =>
    isBatch(lines[index])
      ? replace(/producerEpoch: ([1-9]\d*)/, (_, epoch) => `producerEpoch: ${Number(epoch) - 1}`)(
          lines,
          index,
        )
      : undefined,
  'the epoch of a marker is raised by two': (lines, index) =>
    lines[index]?.includes('isControl: true')
      ? replace(/producerEpoch: (\d+)/, (_, epoch) => `producerEpoch: ${Number(epoch) + 2}`)(lines, index)
      : undefined,
  'sequences are skipped': (lines, index) =>
    isData(lines[index])
      ? replace(
          /baseSequence: (\d+) lastSequence: (\d+)/,
          (_, first, last) => `baseSequence: ${Number(first) + 9} lastSequence: ${Number(last) + 9}`,
        )(lines, index)
      : undefined,
  'a sequence does not fit its record': replace(
    /^(\| offset: .*) sequence: (\d+)/,
    (_, before, sequence) => `${before} sequence: ${Number(sequence) + 1}`,
  ),
  'a batch has too many records': replace(/ count: (\d+)/, (_, count) => ` count: ${Number(count) + 1}`),
  'a batch is of another producer': (lines, index) =>
    isData(lines[index]) ? replace(/producerId: 7/, () => 'producerId: 8')(lines, index) : undefined,
  'a batch is outside of transactions': (lines, index) =>
    isData(lines[index])
      ? replace(/isTransactional: true/, () => 'isTransactional: false')(lines, index)
      : undefined,
  'a checksum is wrong': replace(/isvalid: true/, () => 'isvalid: false'),
  'a number is no number': replace(/baseSequence: /, () => 'baseSequence: x'),
  'a line is cut': (lines, index) =>
    isBatch(lines[index]) ? lines.map((one, at) => (at === index ? one.slice(0, 60) : one)) : undefined,
}

/** How often each outcome is met: `findings 12, inconclusive 3`. */
function outcomesOf(files: Readonly<Record<string, string>>, mutation: Mutation): string {
  const counts = new Map<Outcome, number>()
  for (const [name, text] of Object.entries(files)) {
    const lines = text.trimEnd().split('\n')
    for (const index of lines.keys()) {
      const changed = mutation(lines, index)
      if (changed === undefined) continue
      const { outcome } = judge({ ...files, [name]: changed.join('\n') })
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    }
  }
  return [...counts]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([outcome, count]) => `${outcome} ${count}`)
    .join(', ')
}

const answers = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(mutations).map(([name, mutation]) => [name, outcomesOf(files, mutation)]))

describe('a change at any line', () => {
  it('of logs and their coordinator, before transaction.version 2', () => {
    expect(answers(dumps(versionOne))).toMatchInlineSnapshot(`
      {
        "a batch changes places with the next": "findings 19, inconclusive 2",
        "a batch has too many records": "findings 24",
        "a batch is of another producer": "explained 1, findings 5",
        "a batch is outside of transactions": "explained 2, findings 4",
        "a batch is taken out": "explained 3, inconclusive 21",
        "a batch line is taken out": "inconclusive 24",
        "a batch stands there twice": "findings 21, inconclusive 3",
        "a checksum is wrong": "findings 24",
        "a line is cut": "unreadable 24",
        "a marker is flipped": "findings 6",
        "a number is no number": "unreadable 24",
        "a sequence does not fit its record": "findings 4",
        "an epoch is lowered": "",
        "an epoch is raised": "findings 6",
        "sequences are skipped": "findings 3",
        "the epoch of a marker is raised by two": "findings 6",
        "the line of a marker is taken out": "inconclusive 6",
      }
    `)
  })

  it('of two partitions without their coordinator, with transaction.version 2', () => {
    expect(answers(dumps(versionTwo))).toMatchInlineSnapshot(`
      {
        "a batch changes places with the next": "findings 9, inconclusive 2",
        "a batch has too many records": "findings 13",
        "a batch is of another producer": "explained 5, findings 2",
        "a batch is outside of transactions": "explained 6, findings 1",
        "a batch is taken out": "explained 2, inconclusive 11",
        "a batch line is taken out": "inconclusive 13",
        "a batch stands there twice": "findings 11, inconclusive 2",
        "a checksum is wrong": "findings 13",
        "a line is cut": "unreadable 13",
        "a marker is flipped": "findings 6",
        "a number is no number": "unreadable 13",
        "a sequence does not fit its record": "findings 8",
        "an epoch is lowered": "explained 6, findings 5",
        "an epoch is raised": "explained 1, findings 6",
        "sequences are skipped": "findings 7",
        "the epoch of a marker is raised by two": "findings 6",
        "the line of a marker is taken out": "inconclusive 6",
      }
    `)
  })
})
