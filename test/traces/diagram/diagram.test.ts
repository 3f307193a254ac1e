import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StateView, StepEvent, Trace } from '../../../index.ts'
import { diagramOf } from '../../../traces/diagram/diagram.ts'
import type { Box, Diagram, Label } from '../../../traces/diagram/geometry.ts'
import { fonts } from '../../../traces/diagram/label.ts'
import { textWidth } from '../../../traces/diagram/metrics.ts'
import { messagesOf } from '../../../traces/messages.ts'
import { hostileText, hostileTrace, messageTrace } from '../exports/arbitrary.ts'

const traceOf = (...steps: StepEvent[][]): Trace => ({
  model: 'm',
  config: {},
  defencesOff: [],
  states: [{}, ...steps.map(() => ({}))],
  steps: steps.map((events) => ({ action: 'A', args: {}, choices: [], events })),
})

const message = (
  kind: StepEvent['kind'],
  lane: string,
  peer: string,
  more: Partial<StepEvent> = {},
): StepEvent => ({
  kind,
  lane,
  peer,
  message: 'M',
  ...more,
})

const overlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

/** Pairs of texts of which one lies upon the other. */
const overlaps = ({ labels }: Diagram): string[] =>
  labels.flatMap((one, index) =>
    labels
      .slice(index + 1)
      .flatMap((other) => (overlap(one, other) ? [`${one.lines} | ${other.lines}`] : [])),
  )

const outside = ({ labels, width, height, panels }: Diagram): Box[] =>
  [...labels, ...panels].filter(
    (box) => box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height,
  )

const tooNarrow = ({ role, lines, width }: Label): boolean =>
  lines.some((line) => textWidth(line, fonts[role].size) > width)

/** Random insides of participants, and logs. */
const viewFor = fc
  .record({
    lane: fc.constantFrom('a', 'b', 'app', 'log'),
    status: fc.constantFrom('up' as const, 'down' as const, 'paused' as const),
    fact: hostileText,
    cells: fc.array(
      fc.record({
        kind: fc.constantFrom(
          'plain' as const,
          'committed' as const,
          'aborted' as const,
          'open' as const,
          'marker' as const,
        ),
        lines: fc.array(hostileText, { maxLength: 5 }),
      }),
      { maxLength: 5 },
    ),
    bounds: fc.dictionary(fc.constantFrom('HW', 'LSO', 'x y'), fc.nat({ max: 6 }), { noNullPrototype: true }),
    label: hostileText,
  })
  .map(({ lane, status, fact, cells, bounds, label }) => {
    let calls = 0
    return (): StateView => ({
      lanes: { [lane]: { status, facts: { [`f${calls++ % 3}`]: fact } } },
      logs: [
        {
          lane,
          label,
          cells: cells.map((cell, offset) => ({ offset: offset + (calls % 2), ...cell })),
          bounds,
          readers: [{ label, offsets: [0, 2] }],
        },
      ],
    })
  })

describe('a diagram', () => {
  it('has no text upon another, none beyond its edges, and each fits into its box', () => {
    const parts = fc.record({
      trace: fc.oneof(hostileTrace, messageTrace),
      view: fc.option(viewFor, { nil: undefined }),
      slice: fc.option(fc.constant(new Set([1, 3])), { nil: undefined }),
      logsAt: fc.option(fc.uniqueArray(fc.nat({ max: 8 })), { nil: undefined }),
      group: hostileText,
    })
    let labels = 0
    fc.assert(
      fc.property(parts, ({ trace, view, slice, logsAt, group }) => {
        const diagram = diagramOf(trace, {
          lanes: ['a', 'app', 'b'].map((id) => ({ id, label: `${group} ${id}`, group })),
          ...(view === undefined ? {} : { view }),
          ...(slice === undefined ? {} : { slice }),
          ...(logsAt === undefined ? {} : { logsAt }),
        })
        expect(overlaps(diagram)).toEqual([])
        expect(outside(diagram)).toEqual([])
        expect(diagram.labels.filter(tooNarrow)).toEqual([])
        labels += diagram.labels.length
      }),
      { numRuns: 400 },
    )
    expect(labels).toBeGreaterThan(4000)
  })

  it('has an arrow for every message, down from where it begins to where it ends', () => {
    fc.assert(
      fc.property(messageTrace, (trace) => {
        const { arrows } = diagramOf(trace)
        const messages = messagesOf(trace)
        const ends = messages.map(({ end }) => {
          const kind = end?.event.kind
          return kind === 'delivered' ? 'arrives' : kind === 'lost' ? 'lost' : 'flying'
        })
        expect(arrows.map(({ end }) => end).sort()).toEqual(ends.sort())
        for (const { points } of arrows) {
          expect(points.length).toBeGreaterThanOrEqual(2)
          const heights = points.map(({ y }) => y)
          expect(heights).toEqual(heights.toSorted((one, other) => one - other))
        }
        const delayed = messages.filter((one) => one.delayed !== undefined)
        expect(arrows.filter(({ lateFrom }) => lateFrom !== undefined)).toHaveLength(delayed.length)
      }),
    )
  })

  it('draws each fate of a message as what it is', () => {
    const { arrows, legend } = diagramOf(
      traceOf(
        [message('sent', 'a', 'b')],
        [message('delayed', 'a', 'b')],
        [message('delivered', 'b', 'a')],
        [message('delivered', 'b', 'a', { late: true })],
        [message('sent', 'a', 'b', { message: 'N' })],
        [message('lost', 'a', 'b', { message: 'N' })],
        [message('sent', 'b', 'a', { message: 'O' })],
        [message('delivered', 'a', 'b', { message: 'O' })],
        [message('delivered', 'a', 'b', { message: 'O' })],
        [message('sent', 'b', 'a', { message: 'P' })],
      ),
    )
    expect(arrows.map(({ origin, end, lateFrom }) => [origin, end, lateFrom])).toEqual([
      ['sent', 'arrives', 1],
      ['sent again', 'arrives', undefined],
      ['sent', 'lost', undefined],
      ['sent', 'arrives', undefined],
      ['copy', 'arrives', undefined],
      ['sent', 'flying', undefined],
    ])
    const [original, copy] = arrows.slice(3)
    expect(copy?.points[0]).toEqual(original?.points[0])
    expect(copy?.points.at(-1)?.y).toBeGreaterThan(original?.points.at(-1)?.y ?? 0)
    expect(legend.map(({ sign }) => sign)).toEqual([
      'arrives',
      'lost',
      'flying',
      'late',
      'sent again',
      'copy',
    ])
  })

  it('slants what takes time more than what does not', () => {
    const { arrows } = diagramOf(
      traceOf(
        [message('sent', 'a', 'b'), message('delivered', 'b', 'a')],
        [message('sent', 'a', 'b', { message: 'N' })],
        [{ kind: 'note', lane: 'b', text: 'meanwhile' }],
        [message('delivered', 'b', 'a', { message: 'N' })],
      ),
    )
    const falls = arrows.map(({ points: [from, to] }) => (to?.y ?? 0) - (from?.y ?? 0))
    expect(falls[0]).toBeLessThan(15)
    expect(falls[1]).toBeGreaterThan(50)
  })

  it('shades a participant from a crash to its start, and while it stands still', () => {
    const { bands } = diagramOf(
      traceOf(
        [{ kind: 'crashed', lane: 'a' }],
        [{ kind: 'note', lane: 'b' }],
        [{ kind: 'started', lane: 'a' }],
        [{ kind: 'paused', lane: 'a' }],
        [{ kind: 'resumed', lane: 'a' }],
      ),
    )
    expect(bands.map(({ status }) => status)).toEqual(['down', 'paused'])
    expect(bands[0]?.height).toBeGreaterThan(2 * ((bands[1]?.height ?? 0) - 10))
  })

  it('writes along a participant what is not as it was, and in its head what it was at first', () => {
    const trace = {
      ...traceOf([{ kind: 'note', lane: 'a' }], [{ kind: 'note', lane: 'a' }]),
      states: [0, 1, 1],
    }
    const view = (state: unknown): StateView => ({
      lanes: { a: { facts: { epoch: state as number } } },
      logs: [],
    })
    const { labels, chips } = diagramOf(trace, { view })
    expect(labels.filter(({ role }) => role === 'facts').map(({ lines }) => lines)).toEqual([['epoch 1']])
    expect(labels.find(({ role }) => role === 'silent')?.lines).toEqual(['epoch 0'])
    expect(chips).toHaveLength(1)
  })

  it('lets the steps stand out that matter, unless all do', () => {
    const trace = traceOf([{ kind: 'note', lane: 'a' }], [message('sent', 'a', 'b')])
    const part = diagramOf(trace, { slice: new Set([2]) })
    expect(part.stripes).toHaveLength(1)
    expect(part.marks.map(({ muted }) => muted)).toEqual([true])
    expect(part.arrows.map(({ muted }) => muted)).toEqual([false])
    expect(diagramOf(trace, { slice: new Set([1, 2]) }).stripes).toEqual([])
  })

  it('shows the logs after the steps that are asked for: records, watermarks, and what each reader is given', () => {
    const trace = {
      ...traceOf([{ kind: 'note', lane: 'a' }], [{ kind: 'note', lane: 'a' }]),
      states: [0, 1, 2],
    }
    const view = (state: unknown): StateView => ({
      lanes: {},
      logs: [
        {
          lane: 'a',
          label: 'Partition 0',
          cells: [
            { offset: 0, kind: 'aborted', lines: ['x'] },
            { offset: 1, kind: 'marker', lines: ['abort'] },
          ].slice(0, state as number) as StateView['logs'][number]['cells'],
          bounds: { LSO: 1, HW: 1 },
          readers: [{ label: 'read_committed', offsets: [] }],
        },
      ],
    })
    const { panels, cells, bounds, sights, labels } = diagramOf(trace, { view, logsAt: [1, 2] })
    const texts = labels.flatMap(({ lines }) => lines)
    expect(panels).toHaveLength(2)
    expect(cells.map(({ kind }) => kind)).toEqual(['aborted', 'aborted', 'marker'])
    expect(bounds).toHaveLength(2)
    expect(sights.map(({ isSeen }) => isSeen)).toEqual([false, false])
    expect(texts).toEqual(
      expect.arrayContaining(['Logs after step 1', 'Logs after step 2', 'LSO HW', 'read_committed']),
    )
    expect(diagramOf(trace, { view, logsAt: [] }).panels).toEqual([])
  })

  it('marks the steps that repeat for ever', () => {
    const trace = traceOf([{ kind: 'note', lane: 'a' }], [{ kind: 'note', lane: 'a' }])
    expect(diagramOf({ ...trace, loop: 1 }).loop?.height).toBeGreaterThan(10)
    expect(diagramOf({ ...trace, loop: 2 }).loop).toBeUndefined()
    expect(diagramOf(trace).loop).toBeUndefined()
  })
})
