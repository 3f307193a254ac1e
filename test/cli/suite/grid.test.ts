/** The table of a claim shows each case in its place, and never says more than was found. */
import { describe, expect, it } from 'vitest'
import { type Grid, gridsOf } from '../../../cli/suite/grid.ts'
import { judgeCase } from '../../../cli/suite/judge.ts'
import type { Claim, ClaimCase } from '../../../spec/index.ts'
import { standIn } from '../stand-in.ts'

const [once, twice] = (standIn.claims[0]?.cases ?? []) as [ClaimCase, ClaimCase]
const unordered = { ...twice, expected: { 'epochs never fall': 'proved' }, shows: {} } as const

async function gridsFor(table: Claim['table'], cases: readonly ClaimCase[]): Promise<Grid[]> {
  const claim = { ...(standIn.claims[0] as Claim), cases, ...(table === undefined ? {} : { table }) }
  const runs = await Promise.all(cases.map(async (one) => ({ claim, one, judged: await judgeCase(one) })))
  return gridsOf(claim, runs)
}

/** Its text, with an exclamation mark where it is not as expected. */
const shown = ({ about, titles, rows }: Grid) => [
  about.join(' + '),
  titles.join(' | '),
  ...rows.map(({ title, cells }) =>
    [
      title,
      ...cells.map((cell) => (cell === undefined ? '-' : cell.text + (cell.asExpected ? '' : '!'))),
    ].join(' | '),
  ),
]

describe('the table of a claim', () => {
  const both = { 'written once': 'proved', 'epochs never fall': 'proved' } as const

  it('has a column for each property, if it does not say what its columns are', async () => {
    const grids = await gridsFor({ rows: 'log' }, [
      { ...once, cell: { row: 'knows' } },
      { ...twice, cell: { row: 'does not know' } },
      { ...unordered, name: 'other', cell: { row: 'does not know' } },
      { ...once, name: 'in no place' },
    ])
    expect(grids.map(shown)).toEqual([
      [
        '',
        'log | written once | somebody is done | epochs never fall',
        'knows | proved | witnessed | -',
        'does not know | violated | - | proved',
      ],
    ])
  })

  it('is one for each property, and one for those of which the same was found', async () => {
    const [first, second] = await gridsFor({ rows: 'log', columns: 'losses' }, [
      { ...once, expected: both, shows: {}, cell: { row: 'knows', column: 'some' } },
      {
        ...once,
        name: 'none',
        config: { repeats: 0 },
        expected: both,
        shows: {},
        cell: { row: 'knows', column: 'none' },
      },
      { ...twice, cell: { row: 'does not know', column: 'some' } },
    ])
    expect([first, second].map((grid) => shown(grid as Grid))).toEqual([
      ['epochs never fall', 'log \\ losses | some | none', 'knows | proved | proved'],
      [
        'written once',
        'log \\ losses | some | none',
        'knows | proved | proved',
        'does not know | violated | -',
      ],
    ])
    const shared = await gridsFor({ rows: 'log', columns: 'losses' }, [
      { ...once, expected: both, shows: {}, cell: { row: 'knows', column: 'some' } },
    ])
    expect(shared.map(({ about }) => about)).toEqual([['epochs never fall', 'written once']])
  })

  it('has what the claim says in its cells, but only where it is so', async () => {
    const grids = await gridsFor({ rows: 'log', columns: 'losses', cells: 'writes' }, [
      { ...once, cell: { row: 'knows', column: 'some', text: '1' } },
      {
        ...twice,
        shows: { 'written once': ['Nothing'] },
        cell: { row: 'does not', column: 'some', text: '2' },
      },
    ])
    expect(grids.map(shown)).toEqual([
      ['writes', 'log \\ losses | some', 'knows | 1', 'does not | not as expected!'],
    ])
  })

  it('marks a verdict that is not the expected one', async () => {
    const hoped = { ...twice, expected: { 'written once': 'proved' }, shows: {} } as const
    const grids = await gridsFor({ rows: 'log' }, [{ ...hoped, cell: { row: 'does not know' } }])
    expect(grids.map(shown)).toEqual([['', 'log | written once', 'does not know | violated!']])
  })

  it('is not there before anything of it was found', async () => {
    expect(await gridsFor({ rows: 'log' }, [once])).toEqual([])
    expect(await gridsFor(undefined, [once])).toEqual([])
  })
})
