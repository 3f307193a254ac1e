/** What says nothing is told apart from what holds: planted cases, by engine and oracle alike. */
import { describe, expect, test } from 'vitest'
import { action, always, check, leadsTo, reachable, simulate, transition } from '../../checker/index.ts'
import { checkBoth, tiny } from './tiny.ts'

interface Count {
  n: number
}

const up = action('Up', {}, (state: Count, _, step) => {
  step.when('any', state.n >= 0)
  step.when('below three', state.n < 3)
  state.n += 1
})
const dead = action('Dead', {}, (state: Count, _, step) => {
  step.when('above nine', state.n > 9)
  state.n = 0
})

const body = {
  initial: { n: 0 },
  components: ['n'],
  actions: [up, dead],
  properties: [
    always('of small', ({ n }: Count, claim) => {
      claim.given('small', n < 9)
      claim.that('natural', n >= 0)
    }),
    always('of large', ({ n }: Count, claim) => {
      claim.given('large', n > 9)
      claim.that('impossible', false)
    }),
    transition('of falls', (before: Count, after: Count, claim) => {
      claim.given('it falls', after.n < before.n)
      claim.that('impossible', false)
    }),
    reachable('three', ({ n }: Count) => n === 3),
    reachable('ten', ({ n }: Count) => n === 10),
  ],
}

describe('properties', () => {
  test('that are never put to the test are vacuous, and a missing witness fails the run', async () => {
    const { verdict, properties } = await checkBoth(body)
    expect(properties.map(({ name, verdict, vacuous }) => [name, verdict, vacuous])).toEqual([
      ['of small', 'proved', false],
      ['of large', 'proved', true],
      ['of falls', 'proved', true],
      ['three', 'witnessed', false],
      ['ten', 'unwitnessed', true],
    ])
    expect(verdict).toBe('violated')
  })

  test('have a shortest trace if they are witnessed', async () => {
    const { properties } = await checkBoth(body)
    const { depth, trace } = properties.find(({ name }) => name === 'three')!
    expect([depth, trace?.steps.map((step) => step.action)]).toEqual([4, ['Up', 'Up', 'Up']])
  })

  test.each([
    ['n is seven', 7, true],
    ['n is two', 2, false],
  ])('that promise something whenever %s', async (_, when, vacuous) => {
    const promise = leadsTo(
      'promise',
      ({ n }: Count) => n === when,
      ({ n }: Count) => n === 3,
    )
    const { properties } = await check(tiny({ ...body, properties: [promise] }), {})
    expect(properties[0]).toMatchObject({ verdict: 'proved', vacuous })
  })

  test('are only not put to the test so far, where a limit ended the search', async () => {
    const { verdict, properties } = await checkBoth(body, { maxDepth: 2 })
    expect(properties.map(({ verdict, vacuous }) => [verdict, vacuous])).toEqual([
      ['bounded', false],
      ['bounded', true],
      ['bounded', true],
      ['bounded', true],
      ['bounded', true],
    ])
    expect(verdict).toBe('bounded')
  })

  test('are sampled by random walks, vacuous or not', async () => {
    const { properties } = await simulate(tiny(body), {}, { walks: 2 })
    expect(properties.map(({ verdict, vacuous }) => [verdict, vacuous])).toEqual([
      ['sampled', false],
      ['sampled', true],
      ['sampled', true],
      ['witnessed', false],
      ['sampled', true],
    ])
  })
})

describe('actions and guards', () => {
  // On random models, against-oracle.test.ts compares these counts with naive ones.
  test('that never matter are in the coverage', async () => {
    const model = tiny(body)
    const { coverage } = await check(model, {}, { continueAfterViolation: true })
    expect(coverage.actions.map(({ name, fired }) => [name, fired])).toEqual([
      ['Up', 3],
      ['Dead', 0],
    ])
    expect(coverage.guards).toEqual([
      { action: 'Up', guard: 'any', passed: 4, blocked: 0 },
      { action: 'Up', guard: 'below three', passed: 3, blocked: 1 },
      { action: 'Dead', guard: 'above nine', passed: 0, blocked: 4 },
    ])
  })
})
