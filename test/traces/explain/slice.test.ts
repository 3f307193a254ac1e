import { describe, expect, it } from 'vitest'
import { action, always, reachable, transition } from '../../../checker/index.ts'
import { explain } from '../../../traces/index.ts'
import { tiny } from '../../checker/tiny.ts'
import { walk } from '../walk.ts'

interface Desk {
  sheet: { left: number; right: number; notes: number[] }
  copy: number
  budget: { faults: number }
  lost: boolean
}

/** One component holds what is needed and what is not. */
const desk = tiny<Desk>({
  initial: { sheet: { left: 0, right: 0, notes: [] }, copy: 0, budget: { faults: 3 }, lost: false },
  components: ['sheet', 'copy', 'budget', 'lost'],
  actions: [
    action('WriteLeft', {}, ({ sheet }: Desk) => void sheet.left++),
    action('WriteRight', {}, ({ sheet }: Desk) => void sheet.right++),
    action('Note', {}, ({ sheet }: Desk) => void sheet.notes.push(sheet.right)),
    action('Copy', {}, (state: Desk) => {
      state.copy = state.sheet.left
    }),
    action('Smudge', {}, (state: Desk, _, step) => {
      step.when('budget is left', state.budget.faults > 0)
      state.budget.faults--
      step.fault('faults')
      state.sheet.right = 7
    }),
    action('Lose', {}, (state: Desk, _, step) => {
      step.when('budget is left', state.budget.faults > 0)
      state.budget.faults--
      step.fault('faults')
      state.lost = true
    }),
  ],
  properties: [
    always('no copy', ({ copy }: Desk) => copy === 0),
    always('nothing lost', ({ lost }: Desk) => !lost),
    always('one note', ({ sheet }: Desk) => sheet.notes.length < 2),
    transition(
      'not one and one',
      (before: Desk, after: Desk) => before.sheet.right !== 1 || after.copy !== 1,
    ),
    always('more left', ({ sheet, copy }: Desk) => copy === 0 || sheet.left <= sheet.right),
    reachable('copied', ({ copy }: Desk) => copy > 0),
  ],
})

describe('the slice', () => {
  const sliceOf = (property: string, ...actions: string[]) => {
    const given = walk(
      desk,
      property,
      actions.map((name) => [name] as const),
    )
    const { slice, incidental } = explain(desk, given)
    return { slice: slice.map(({ number, usedBy, decides }) => [number, usedBy, decides]), incidental }
  }

  it('follows what was read back to who wrote it, inside of components', () => {
    expect(sliceOf('no copy', 'WriteRight', 'WriteLeft', 'Smudge', 'Note', 'Copy')).toEqual({
      slice: [
        [2, [5], false],
        [5, [], true],
      ],
      incidental: [1, 3, 4],
    })
  })

  it('has only the last one of those who wrote a value, but all that it was made of', () => {
    expect(sliceOf('no copy', 'Copy', 'WriteLeft', 'Note', 'WriteLeft', 'Copy').slice).toEqual([
      [2, [5], false],
      [5, [], true],
    ])
  })

  it('leaves out a fault that only counted the budget down', () => {
    expect(sliceOf('nothing lost', 'Smudge', 'WriteLeft', 'Lose')).toEqual({
      slice: [[3, [], true]],
      incidental: [1, 2],
    })
  })

  it('knows what an element of a list depends on', () => {
    expect(sliceOf('one note', 'WriteLeft', 'Note', 'Copy', 'Note').slice).toEqual([
      [2, [4], false],
      [4, [], true],
    ])
  })

  it('of a property of steps has the last step, and who wrote what it compares', () => {
    expect(sliceOf('not one and one', 'Note', 'WriteRight', 'WriteLeft', 'Note', 'Copy')).toEqual({
      slice: [
        [2, [], true],
        [3, [5], false],
        [5, [], true],
      ],
      incidental: [1, 4],
    })
  })

  it('goes on until no step can be left out any more', () => {
    // Without the first step one of the next two is enough.
    expect(sliceOf('more left', 'WriteRight', 'WriteLeft', 'WriteLeft', 'Copy').slice).toEqual([
      [2, [4], true],
      [4, [], true],
    ])
  })

  it('of a deadlock has all that blocks any action', () => {
    const stuck = tiny<{ a: number; b: number; c: number }>({
      initial: { a: 0, b: 0, c: 0 },
      components: ['a', 'b', 'c'],
      actions: [
        action('Both', {}, (state: { a: number; b: number }, _, step) => {
          step.when('a is none', state.a === 0)
          step.when('b is none', state.b === 0)
          state.a = 1
        }),
        action('Free', {}, (state: { c: number; a: number }, _, step) => {
          step.when('not blocked', state.c === 0 && state.a === 0)
          state.c = 1
        }),
      ],
      properties: [],
      properTermination: () => false,
    })
    const { slice } = explain(stuck, walk(stuck, 'deadlock freedom', [['Free'], ['Both']]))
    expect(slice.map(({ number, decides }) => [number, decides])).toEqual([[2, true]])
  })
})

describe('what cannot be explained', () => {
  it('is a witness', () => {
    const given = walk(desk, 'copied', [['WriteLeft'], ['Copy']])
    expect(() => explain(desk, given)).toThrow('the trace shows that it can be reached')
  })
})
