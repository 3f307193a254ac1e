import { describe, expect, it } from 'vitest'
import type { Plain } from '../../checker/index.ts'
import { changedPlaces, placesIn } from '../../checker/places/places.ts'
import { Tracked } from '../../checker/places/tracked.ts'

describe('the places that differ', () => {
  const differing = (before: Plain, after: Plain) => [...changedPlaces(before, after)].sort()

  it('are those of the values that changed, and not of what is around them', () => {
    expect(differing({ a: { b: 1, c: 2 }, d: [3] }, { a: { b: 1, c: 5 }, d: [4] })).toEqual(['/a/c', '/d/0'])
  })

  it('are keys and lengths where something comes or goes, with all that is in it', () => {
    expect(differing({ log: [] }, { log: [{ by: 'me' }] })).toEqual([
      '/log#',
      '/log/0',
      '/log/0#',
      '/log/0/by',
    ])
    expect(differing({ of: { a: 1 } }, { of: { b: 1 } })).toEqual(['/of#', '/of/a', '/of/b'])
  })

  it('are all that was in a container of which only its kind is new', () => {
    expect(differing({ x: null }, { x: { a: 1 } })).toEqual(['/x', '/x#', '/x/a'])
    expect(differing({ x: [] }, { x: {} })).toEqual(['/x', '/x#'])
  })

  it('are told apart whatever keys are called', () => {
    const strange = { 'a/b': 1, a: { b: 1 }, 'c#': 1, c: [1], '~0': 1 }
    const places = new Set<string>()
    placesIn(strange, '', places)
    expect([...places]).toEqual(['', '#', '/a~1b', '/a', '/a#', '/a/b', '/c~2', '/c', '/c#', '/c/0', '/~00'])
  })
})

interface State {
  a: { n: number; list: { id: number; tags: string[] }[] } | null
  b: number
  c: Plain
}

/** What a recipe reads, and what it leaves behind. */
function track(recipe: (state: State) => void) {
  const first = { id: 1, tags: ['x'] }
  const tracked = new Tracked({ a: { n: 1, list: [first, { id: 2, tags: [] }] }, b: 2, c: 3 })
  recipe(tracked.view as State)
  const after = tracked.result()
  return { reads: [...tracked.reads].sort(), after }
}

describe('what is read', () => {
  it('is noted value by value, with what leads there', () => {
    expect(track((state) => void (state.a?.list[1]?.id === 2)).reads).toEqual([
      '/a',
      '/a/list',
      '/a/list/1',
      '/a/list/1/id',
    ])
  })

  it('is also what is not there, and the length of a list', () => {
    const { reads } = track((state) => void (state.a!.list[5] === undefined && state.a!.list.length))
    expect(reads).toEqual(['/a', '/a/list', '/a/list#', '/a/list/5'])
  })

  it('is not what was written before', () => {
    const { reads, after } = track((state) => {
      state.b = 5
      state.c = { n: state.b, own: [] }
      state.c.n = (state.c.n as number) + state.b
    })
    expect(reads).toEqual([])
    expect(after).toMatchObject({ b: 5, c: { n: 10, own: [] } })
  })

  it('is all of a value that is stored elsewhere, once', () => {
    const { reads, after } = track((state) => {
      state.c = state.a!.list[0] as Plain
    })
    const all = ['/a', '/a/list', '/a/list/0', '/a/list/0#', '/a/list/0/id', '/a/list/0/tags']
    expect(reads).toEqual([...all, '/a/list/0/tags#', '/a/list/0/tags/0'])
    expect(after).toMatchObject({ c: { id: 1, tags: ['x'] } })
  })

  it('is what methods of lists look at', () => {
    const { reads, after } = track((state) => {
      const { list } = state.a!
      list.push({ id: 3, tags: [] })
      const found = list.find(({ id }) => id === 2)!
      found.tags.push('found')
    })
    expect(reads).toEqual([
      '/a',
      '/a/list',
      '/a/list#',
      '/a/list/0',
      '/a/list/0/id',
      '/a/list/1',
      '/a/list/1/id',
      '/a/list/1/tags',
      '/a/list/1/tags#',
    ])
    expect(after).toMatchObject({ a: { list: [{ id: 1 }, { id: 2, tags: ['found'] }, { id: 3 }] } })
  })

  it('moves with what is taken out of a list', () => {
    const { after } = track((state) => {
      const first = state.a!.list.shift()!
      first.id = 7
      state.a!.list.push(first)
      state.c = { ...first, tags: first.tags.toReversed() }
    })
    expect(after).toMatchObject({
      a: {
        list: [
          { id: 2, tags: [] },
          { id: 7, tags: ['x'] },
        ],
      },
      c: { id: 7, tags: ['x'] },
    })
  })

  it('is the keys where they are listed, and a key that is looked for or deleted', () => {
    expect(track((state) => void Object.keys(state.a!)).reads).toContain('/a#')
    expect(track((state) => void ('x' in state.a!)).reads).toEqual(['/a', '/a/x'])
    const { reads, after } = track((state) => {
      delete (state.a as unknown as Record<string, Plain>).n
    })
    expect(reads).toEqual(['/a'])
    expect((after as State).a).not.toHaveProperty('n')
  })
})
