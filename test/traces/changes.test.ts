import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Change, changes, type Path, type Plain, pathText } from '../../index.ts'
import { plain } from './generators.ts'

/** Carries the changes out on a copy: removals from the back, additions from the front, so that indices stay right. */
function apply(before: Plain, list: readonly Change[]): Plain {
  const root = { value: structuredClone(before) } as { value: Plain }
  const container = (path: Path) =>
    // biome-ignore lint/suspicious/noExplicitAny: walks data of any shape
    path.slice(0, -1).reduce((inner: any, segment) => inner[segment], root)
  const rooted = list.map((change) => ({ ...change, path: ['value', ...change.path] }) as Change)
  for (const { path } of rooted.filter(({ kind }) => kind === 'removed').reverse()) {
    container(path).splice(path.at(-1) as number, 1)
  }
  for (const change of rooted) {
    const parent = container(change.path)
    const last = change.path.at(-1) as string
    if (change.kind === 'added') parent.splice(Number(last), 0, change.after)
    if (change.kind === 'changed') parent[last] = change.after
  }
  return root.value
}

describe('changes', () => {
  it('turn the state before into the state after, whatever the two are', () => {
    fc.assert(
      fc.property(plain, plain, (before, after) => {
        expect(apply(before, changes(before, after))).toEqual(after)
      }),
      { numRuns: 1000 },
    )
  })

  it('are none between equal values, whatever the order of their keys', () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(changes(value, structuredClone(value))).toEqual([])
      }),
    )
    expect(changes({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toEqual([])
  })

  it('name only what differs, as deep inside as possible', () => {
    const before = { tm: { state: 'init', epoch: 0 }, rm: ['working', 'working'], same: [1, 2] }
    const after = { tm: { state: 'init', epoch: 1 }, rm: ['working', 'prepared'], same: [1, 2] }
    expect(changes(before, after)).toEqual([
      { kind: 'changed', path: ['tm', 'epoch'], before: 0, after: 1 },
      { kind: 'changed', path: ['rm', 1], before: 'working', after: 'prepared' },
    ])
  })

  it('show a queue that is taken from and put to as one removal or addition', () => {
    expect(changes({ queue: ['a', 'b', 'c'] }, { queue: ['b', 'c'] })).toEqual([
      { kind: 'removed', path: ['queue', 0], before: 'a' },
    ])
    expect(changes({ log: [{ offset: 0 }] }, { log: [{ offset: 0 }, { offset: 1 }] })).toEqual([
      { kind: 'added', path: ['log', 1], after: { offset: 1 } },
    ])
  })

  it('show a value of another kind as changed as a whole', () => {
    const [nobody, client] = [{ to: 'nobody' }, { to: 'client', client: 0 }]
    expect(changes({ answer: nobody }, { answer: client })).toEqual([
      { kind: 'changed', path: ['answer'], before: nobody, after: client },
    ])
    expect(changes({ a: null }, {})).toEqual([{ kind: 'changed', path: [], before: { a: null }, after: {} }])
    expect(changes({ a: [] }, { a: {} })).toEqual([{ kind: 'changed', path: ['a'], before: [], after: {} }])
  })
})

describe('pathText', () => {
  it('writes indices in brackets and unusual keys in quotes', () => {
    expect(pathText(['partition', 0, 'log'])).toBe('partition[0].log')
    expect(pathText(['group', 'in-0', 'offset'])).toBe('group["in-0"].offset')
    expect(pathText([])).toBe('')
  })
})
