import { describe, expect, it } from 'vitest'
import { nameAfterAdd, ordinal, transactionName } from '../../../spec/ghost.ts'

describe('the name of a transaction', () => {
  it('is of its session and its number, and nothing before the first', () => {
    expect([transactionName(1, 2), transactionName(12, 10), transactionName(1, 0)]).toEqual([
      's1.2',
      's12.10',
      '',
    ])
  })

  it('gives its number back', () => {
    expect(['s1.2', 's12.10'].map(ordinal)).toEqual([2, 10])
  })
})

describe('an open transaction that a request adds to', () => {
  const rows = [
    { name: 'has the name of the first that adds', open: '', claimed: 's1.1', after: 's1.1' },
    { name: 'keeps its name for another request of it', open: 's1.1', claimed: 's1.1', after: 's1.1' },
    { name: 'is the later one of its session', open: 's1.9', claimed: 's1.10', after: 's1.10' },
    { name: 'is not renamed by an earlier one', open: 's1.2', claimed: 's1.1', after: 's1.2' },
    { name: 'is not renamed by another session', open: 's1.1', claimed: 's2.2', after: 's1.1' },
    { name: 'is not renamed by a request that names nothing', open: 's1.1', claimed: '', after: 's1.1' },
    { name: 'has no name if nothing names it', open: '', claimed: '', after: '' },
  ]
  it.each(rows)('$name', ({ open, claimed, after }) => {
    expect(nameAfterAdd(open, claimed)).toBe(after)
  })
})
