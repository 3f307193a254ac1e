/** Which new combinations are run a second time, and that the later ones are not trusted blindly. */
import { isDraft } from 'immer'
import { describe, expect, test } from 'vitest'
import { action, always, check } from '../../../checker/index.ts'
import { SecondRuns } from '../../../checker/interning/second-runs.ts'
import { tiny } from '../tiny.ts'

interface State {
  box: { n: number }
  m: number
}
const initial: State = { box: { n: 0 }, m: 0 }
const components = ['box', 'm']
const last = 600
const up = action('Up', {}, (state: State, _, step) => {
  step.when('below', state.box.n < last)
  state.box.n += 1
})

test('all of the first are, and an even sample of the others', () => {
  const runs = new SecondRuns()
  const due = Array.from({ length: 3000 }, () => runs.isDue())
  expect(due.slice(0, 256)).toEqual(new Array(256).fill(true))
  const later = due.flatMap((isDue, index) => (isDue && index >= 256 ? [index] : []))
  expect(later).toEqual(later.map((_, nth) => later[0]! + 17 * nth))
  expect(later).toHaveLength(161)
})

describe('after many combinations', () => {
  test('a recipe that tells plain copies from drafts of immer is caught', async () => {
    const act = action('Act', {}, (state: State) => {
      state.m = state.box.n >= last / 2 && isDraft(state.box) ? 1 : 0
    })
    const run = check(tiny({ initial, components, actions: [up, act] }), {})
    await expect(run).rejects.toThrow(/Act: it behaves differently when it is run a second time/)
  })

  test('a property that looks at more the second time is caught', async () => {
    let calls = 0
    const property = always('looks', (state: State) => {
      calls += 1
      return state.box.n < last / 2 || calls % 2 === 0 || state.m === 0
    })
    const run = check(tiny({ initial, components, actions: [up], properties: [property] }), {})
    await expect(run).rejects.toThrow(/'looks': it judges differently when it is evaluated a second time/)
  })

  test('a recipe is run a second time for few of them', async () => {
    let runs = 0
    const count = action('Count', {}, ({ box }: State, _, step) => {
      runs += 1
      step.when('never', box.n < 0)
    })
    const { coverage } = await check(tiny({ initial, components, actions: [up, count] }), {})
    const { recipeRuns } = coverage.actions.find(({ name }) => name === 'Count')!
    expect(recipeRuns).toBe(last + 1)
    // The sample at the end of each level runs each of the two actions once more.
    expect(runs - 2 * recipeRuns).toBe(256 + Math.floor(last / 17) - Math.floor(256 / 17))
  })
})
