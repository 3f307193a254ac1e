import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffLines, diffTraces, readItf, type Trace, writeItf } from '../../../index.ts'
import { trace as anyTrace } from '../generators.ts'

type Told = readonly [action: string, n: number]

/** A trace over a number, from steps and the numbers that they lead to. */
const traceOf = (told: readonly Told[], given: Partial<Trace> = {}, start = 0): Trace => ({
  model: 'counter',
  config: { version: 1 },
  defencesOff: [],
  background: ['ghost'],
  states: [start, ...told.map(([, n]) => n)].map((n) => ({ n, ghost: n * 10 })),
  steps: told.map(([action]) => ({
    action,
    args: { b: 1, a: 2 },
    choices: [],
    events: [{ kind: 'note', lane: 'counter', text: `does ${action}` }],
  })),
  ...given,
})

const told: readonly Told[] = [
  ['Add', 1],
  ['Add', 2],
  ['Double', 4],
]
const one = traceOf(told)
const shown = (first: Trace, second: Trace) =>
  `\n${diffLines(diffTraces(first, second), first, second).join('\n')}\n`

describe('the difference of two traces', () => {
  it('is none of a trace and itself, nor of what is told of its steps', () => {
    const untold = { ...one, background: [], steps: one.steps.map((step) => ({ ...step, events: [] })) }
    expect(diffTraces(one, untold).equal).toBe(true)
    expect(diffTraces(one, readItf(writeItf(one, { version: '1' }))).equal).toBe(true)
    expect(shown(one, one)).toBe('\nthe traces are equal\n')
  })

  it('is where another step is taken, with the steps that follow side by side', () => {
    const other = traceOf([
      ['Add', 1],
      ['Double', 2],
      ['Add', 3],
      ['Double', 6],
    ])
    expect(diffTraces(one, other)).toMatchObject({
      equal: false,
      parting: 'step',
      shared: 1,
      there: [],
      rest: [{ second: 1 }, { first: 1, second: 2 }, { first: 2, second: 3 }],
    })
    expect(shown(one, other)).toMatchInlineSnapshot(`
      "
      the first step is the same; in step 2 they part

      +   2  counter  does Double  [Double b=1 a=2]
        2 3  counter  does Add  [Add b=1 a=2]
        3 4  counter  does Double  [Double b=1 a=2]

      the last states differ, first | second:
          n: 4 | 6
          (1 more in the bookkeeping of the model)
      "
    `)
  })

  it('is where the same step leads elsewhere', () => {
    const other = traceOf(
      [
        ['Add', 1],
        ['Add', 3],
        ['Double', 6],
      ],
      { config: { version: 2 } },
    )
    expect(diffTraces(one, other)).toMatchObject({ parting: 'outcome', shared: 1, end: expect.any(Array) })
    expect(shown(one, other)).toMatchInlineSnapshot(`
      "
      configuration: version: 1 | 2

      the first step is the same; step 2 is the same, but leads to different states
      the states there differ, first | second:
          n: 2 | 3
          (1 more in the bookkeeping of the model)

        2 2  counter  does Add  [Add b=1 a=2]
        3 3  counter  does Double  [Double b=1 a=2]

      the last states differ, first | second:
          n: 4 | 6
          (1 more in the bookkeeping of the model)
      "
    `)
  })

  it('is where one of them ends', () => {
    const shorter = traceOf(told.slice(0, 1))
    expect(diffTraces(shorter, one)).toMatchObject({ parting: 'end', shared: 1, there: [] })
    expect(shown(shorter, one)).toMatchInlineSnapshot(`
      "
      the first step is the same; then the first ends, the second has 2 steps more

      +   2  counter  does Add  [Add b=1 a=2]
      +   3  counter  does Double  [Double b=1 a=2]

      the last states differ, first | second:
          n: 1 | 4
          (1 more in the bookkeeping of the model)
      "
    `)
    expect(shown(one, shorter)).toContain('then the second ends, the first has 2 steps more')
  })

  it('is where they begin', () => {
    const other = traceOf([['Add', 8]], {}, 7)
    expect(diffTraces(one, other)).toMatchObject({ parting: 'start', shared: 0 })
    expect(shown(one, other)).toMatchInlineSnapshot(`
      "
      the traces begin in different states
      the states there differ, first | second:
          n: 0 | 7
          (1 more in the bookkeeping of the model)

      - 1    counter  does Add  [Add b=1 a=2]
        2 1  counter  does Add  [Add b=1 a=2]
      - 3    counter  does Double  [Double b=1 a=2]

      the last states differ, first | second:
          n: 4 | 8
          (1 more in the bookkeeping of the model)
      "
    `)
  })

  it('is how they go on for ever', () => {
    expect(shown({ ...one, loop: 0 }, one)).toMatchInlineSnapshot(`
      "
      the first 3 steps are the same; but they go on in different ways: for ever from state 0 | it ends

      the last states are equal
      "
    `)
  })

  it('is what was asked, even if the same happens', () => {
    const property = { name: 'small', kind: 'always' }
    const other = { ...one, config: { version: 3 }, defencesOff: ['lock \u001b'], property }
    expect(diffTraces(one, other)).toMatchObject({ equal: false, parting: 'none', end: [] })
    expect(shown(one, other)).toMatchInlineSnapshot(`
      "
      configuration: version: 1 | 3
      defence switched off only in the second: lock \\u001b
      property: none | small

      what happens is the same, in 3 steps
      "
    `)
    expect(shown(other, one)).toContain('defence switched off only in the first: lock')
  })

  it('shows the bookkeeping of the model on request', () => {
    const other = traceOf([
      ['Add', 1],
      ['Add', 3],
      ['Double', 6],
    ])
    const lines = diffLines(diffTraces(one, other), one, other, { all: true })
    expect(lines).toContain('    ghost: 20 | 30')
  })

  it('has every step of both, once and in order, whatever the traces are', () => {
    fc.assert(
      fc.property(anyTrace, anyTrace, (first, second) => {
        const { rest, shared, equal } = diffTraces(first, second)
        const places = (which: 'first' | 'second') => rest.flatMap((pair) => pair[which] ?? [])
        const from = (trace: Trace) => trace.steps.map((_, step) => step).slice(shared)
        expect([places('first'), places('second')]).toEqual([from(first), from(second)])
        expect(diffTraces(second, first).equal).toBe(equal)
        expect(diffLines(diffTraces(first, first), first, first)).toEqual(['the traces are equal'])
        expect(diffLines(diffTraces(first, second), first, second).join('\n')).not.toContain('undefined')
      }),
    )
  })
})
