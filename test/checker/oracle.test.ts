/** Models so small that every expected number was found by hand. They pin what the oracle, and so the engine, means. */
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { action, always, defineModel, reachable, transition } from '../../checker/model.ts'
import { oracle } from '../../checker/oracle.ts'
import { type Counter, countUp, explore } from './counter.ts'

const labels = ({ trace }: { trace?: { steps: readonly { action: string; args: object }[] } }) =>
  trace?.steps.map(({ action, args }) => [action, ...Object.values(args)].join(' '))

describe('counting', () => {
  test('a chain has as many levels as states', () => {
    const { states, depth, verdict } = explore({ initial: { n: 0 }, actions: [countUp(3)] })
    expect({ states, depth, verdict }).toEqual({
      states: { distinct: 4, generated: 4 },
      depth: 4,
      verdict: 'proved',
    })
  })

  test('self-loops and repeats are generated again, in every state', () => {
    const rest = action('Rest', {}, () => {})
    const reset = action('Reset', {}, (state: Counter) => {
      state.n = 0
    })
    // 1 initial state; 0: Up, Rest, Reset; 1: Up, Rest, Reset; 2: Rest, Reset.
    const { states, depth } = explore({ initial: { n: 0 }, actions: [countUp(2), rest, reset] })
    expect({ states, depth }).toEqual({ states: { distinct: 3, generated: 9 }, depth: 3 })
  })

  test('equal initial states are one state, generated twice, and the order of keys does not matter', () => {
    const { states, depth } = explore({
      initialStates: [
        { a: 1, b: { c: 1, d: 2 } },
        { b: { d: 2, c: 1 }, a: 1 },
        { a: 2, b: { c: 1, d: 2 } },
      ],
    })
    expect({ states, depth }).toEqual({ states: { distinct: 2, generated: 3 }, depth: 1 })
  })

  test('the order of elements does matter', () => {
    expect(explore({ initialStates: [{ list: [1, 2] }, { list: [2, 1] }] }).states.distinct).toBe(2)
  })

  test('an action has an instance for each combination of arguments, the last argument varying fastest', () => {
    const set = action('Set', { a: ['x', 'y'], b: [0, 1] }, (state: { at: string }, { a, b }, step) => {
      step.when('at the beginning', state.at === '')
      state.at = `${a}${b}`
    })
    const wanted = ['x0', 'x1', 'y0', 'y1']
    const properties = wanted.map((at) => reachable(at, (state: { at: string }) => state.at === at))
    const first = always('still at the beginning', (state: { at: string }) => state.at === '')
    const result = explore({ initial: { at: '' }, actions: [set], properties: [...properties, first] })
    expect(result.states).toEqual({ distinct: 5, generated: 5 })
    expect(result.properties.map(labels)).toEqual([
      ['Set x 0'],
      ['Set x 1'],
      ['Set y 0'],
      ['Set y 1'],
      ['Set x 0'],
    ])
  })
})

describe('choices', () => {
  const choosing = (first: readonly number[], second: readonly number[]) =>
    action('Choose', {}, (state: { sum: number }, _, step) => {
      step.when('nothing is chosen', state.sum === 0)
      const one = step.choose('one', first)
      state.sum = one + (one === 2 ? 10 : step.choose('two', second))
    })

  test('each path is a transition, also where two of them have the same outcome', () => {
    // 1 + 1, 1 + 2, and 2 + 10, where the second choice is not made.
    const { states } = explore({ initial: { sum: 0 }, actions: [choosing([1, 2], [1, 2])] })
    expect(states).toEqual({ distinct: 4, generated: 4 })
    const { states: equal } = explore({ initial: { sum: 0 }, actions: [choosing([1], [3, 3])] })
    expect(equal).toEqual({ distinct: 2, generated: 3 })
  })

  test('the first path in the order of the options is reported, with its choices', () => {
    const { properties } = explore({
      initial: { sum: 0 },
      actions: [choosing([1, 3, 2], [4, 2])],
      properties: [always('not five', (state: { sum: number }) => state.sum !== 5)],
    })
    expect(properties[0]?.trace?.steps[0]?.choices).toEqual([
      { name: 'one', value: 1 },
      { name: 'two', value: 4 },
    ])
  })

  test('a path without an option is disabled, and so is one that a guard stops after the choice', () => {
    expect(explore({ initial: { sum: 0 }, actions: [choosing([], [1])] }).states.generated).toBe(1)
    expect(explore({ initial: { sum: 0 }, actions: [choosing([1, 2], [])] }).states.generated).toBe(2)
    const odd = action('Odd', {}, (state: { sum: number }, _, step) => {
      state.sum = step.choose('number', [1, 2, 3, 4])
      step.when('odd', state.sum % 2 === 1)
    })
    // 1 initial state; 1 and 3 from each of 0, 1, 3.
    expect(explore({ initial: { sum: 0 }, actions: [odd] }).states).toEqual({ distinct: 3, generated: 7 })
  })

  test('what is chosen is a value and not a place in the state', () => {
    const take = action('Take', {}, (state: { list: { n: number }[]; taken: number }, _, step) => {
      step.when('nothing is taken', state.taken === 0)
      const item = step.choose('item', state.list)
      item.n += 10
      state.taken = item.n
    })
    const { properties } = explore({
      initial: { list: [{ n: 1 }], taken: 0 },
      actions: [take],
      properties: [always('nothing is taken', ({ taken }: { taken: number }) => taken === 0)],
    })
    expect(properties[0]?.trace?.states.at(-1)).toEqual({ list: [{ n: 1 }], taken: 11 })
    expect(properties[0]?.trace?.steps[0]?.choices).toEqual([{ name: 'item', value: { n: 1 } }])
  })
})

describe('recipes', () => {
  test('a guard stays in force even if the recipe catches', () => {
    const stubborn = action('Stubborn', {}, (state: Counter, _, step) => {
      try {
        step.when('never', false)
      } catch {
        state.n = 99
      }
    })
    expect(explore({ initial: { n: 0 }, actions: [stubborn] }).states).toEqual({ distinct: 1, generated: 1 })
  })

  test('any other exception is not a guard', () => {
    const broken = action('Broken', {}, () => {
      throw new RangeError('out of beans')
    })
    expect(() => explore({ initial: { n: 0 }, actions: [broken] })).toThrow('out of beans')
  })

  test('arguments are copies', () => {
    const domain = [{ n: 1 }]
    const store = action('Store', { value: domain }, (state: { held: { n: number } | null }, { value }) => {
      state.held = value
      state.held.n += 1
    })
    const { states } = explore({ initial: { held: null }, actions: [store] })
    expect(states).toEqual({ distinct: 2, generated: 3 })
    expect(domain).toEqual([{ n: 1 }])
  })

  test('events belong to the step and not to the state', () => {
    const ring = action('Ring', {}, (state: Counter, _, step) => {
      step.when('not rung', state.n === 0)
      state.n = 1
      step.emit({ kind: 'note', lane: 'bell', text: 'rings' })
    })
    const properties = [reachable('rung', ({ n }: Counter) => n === 1)]
    const result = explore({ initial: { n: 0 }, actions: [ring], properties })
    expect(result.properties[0]?.trace?.steps[0]?.events).toEqual([
      { kind: 'note', lane: 'bell', text: 'rings' },
    ])
    expect(result.properties[0]?.trace?.states).toEqual([{ n: 0 }, { n: 1 }])
  })

  test('defences are those of the configuration, less the ones that are off', () => {
    const model = defineModel({
      name: 'defended',
      config: v.object({ old: v.optional(v.boolean(), false) }),
      defences: [
        { name: 'lid', summary: 'keeps it in', sources: [] },
        { name: 'lock', summary: 'keeps it shut', sources: [], appliesTo: ({ old }) => !old },
      ],
      build: (_, { defences }) => ({
        initial: { active: ['lid', 'lock'].filter((name) => defences.has(name)) },
        components: ['active'],
        actions: [],
        properties: [always('nothing', () => false)],
      }),
    })
    const active = (config: object, defencesOff: string[] = []) =>
      oracle(model, config, { defencesOff }).properties[0]?.trace?.states[0]
    expect(active({})).toEqual({ active: ['lid', 'lock'] })
    expect(active({ old: true })).toEqual({ active: ['lid'] })
    expect(active({}, ['lid'])).toEqual({ active: ['lock'] })
  })
})

describe('properties', () => {
  const initial = { n: 0 }
  const below = (limit: number) => always(`below ${limit}`, ({ n }: Counter) => n < limit)

  test('the level with the violation is finished, and none is begun after it', () => {
    const both = action('Add', { by: [2, 1] }, (state: Counter, { by }, step) => {
      step.when('small', state.n < 100)
      state.n += by
    })
    const result = explore({ initial, actions: [both], properties: [below(3), below(1000)] })
    // Levels {0}, {2, 1}, {4, 3}: the search ends when level 2 is expanded: 1 + 2 + 4 generated.
    expect(result.states).toEqual({ distinct: 5, generated: 7 })
    expect(result.depth).toBe(3)
    expect(result.verdict).toBe('violated')
    expect(result.properties.map(({ verdict, depth }) => ({ verdict, depth }))).toEqual([
      { verdict: 'violated', depth: 3 },
      { verdict: 'inconclusive', depth: undefined },
    ])
    // 4 is found before 3.
    expect(result.properties[0]?.trace?.states).toEqual([{ n: 0 }, { n: 2 }, { n: 4 }])
  })

  test('after a violation the others are open, unless nothing was left to explore', () => {
    const { properties } = explore({ initial, actions: [countUp(3)], properties: [below(3), below(9)] })
    expect(properties.map(({ verdict }) => verdict)).toEqual(['violated', 'inconclusive'])
    const last = transition('never from 3', (before: Counter) => before.n !== 3)
    const rest = action('Rest', {}, () => {})
    const all = explore({ initial, actions: [countUp(3), rest], properties: [last, below(9)] })
    expect(all.properties.map(({ verdict }) => verdict)).toEqual(['violated', 'proved'])
  })

  test('on request the search goes on until all is settled or explored', () => {
    const properties = [below(2), below(4), reachable('five', ({ n }: Counter) => n === 5)]
    const result = explore({ initial, actions: [countUp(100)], properties }, { continueAfterViolation: true })
    expect(result.properties.map(({ verdict, depth }) => [verdict, depth])).toEqual([
      ['violated', 3],
      ['violated', 5],
      ['witnessed', 6],
    ])
    expect(result.states).toEqual({ distinct: 6, generated: 6 })
    const never = [below(2), below(1000)]
    const whole = explore(
      { initial, actions: [countUp(9)], properties: never },
      { continueAfterViolation: true },
    )
    expect(whole.properties.map(({ verdict }) => verdict)).toEqual(['violated', 'proved'])
    expect(whole.states.distinct).toBe(10)
  })

  test('an initial state can violate; nothing is expanded then', () => {
    const result = explore({ initial, actions: [countUp(3)], properties: [below(0)] })
    expect(result.states).toEqual({ distinct: 1, generated: 1 })
    expect(result.depth).toBe(1)
    expect(result.properties[0]?.depth).toBe(1)
    expect(result.properties[0]?.trace?.steps).toEqual([])
  })

  test('a witness does not stop the search, and the lack of one is a failure', () => {
    const one = reachable('one', ({ n }: Counter) => n === 1)
    const ten = reachable('ten', ({ n }: Counter) => n === 10)
    const found = explore({ initial, actions: [countUp(3)], properties: [one] })
    expect(found.states.distinct).toBe(4)
    expect(found.properties[0]).toMatchObject({ verdict: 'witnessed', vacuous: false, depth: 2 })
    expect(found.verdict).toBe('proved')
    const missed = explore({ initial, actions: [countUp(3)], properties: [one, ten] })
    expect(missed.properties[1]).toMatchObject({ verdict: 'unwitnessed', vacuous: true })
    expect(missed.verdict).toBe('violated')
  })

  test('transition properties see self-loops and transitions into known states', () => {
    const rest = action('Rest', {}, (_state: Counter, __, step) => {
      step.choose('how long', [1, 2])
    })
    const back = action('Back', {}, (state: Counter, _, step) => {
      step.when('at two', state.n === 2)
      state.n = 0
    })
    const properties = [
      transition('no rest', (_before: Counter, _after: Counter, _, { action }) => action !== 'Rest'),
      transition('no second option', (_before: Counter, _after: Counter, _, { choices }) => {
        return choices[0]?.value !== 2
      }),
      transition('never less', (before: Counter, after: Counter) => after.n >= before.n),
    ]
    const result = explore(
      { initial, actions: [countUp(2), rest, back], properties },
      { continueAfterViolation: true },
    )
    expect(result.properties.map(labels)).toEqual([['Rest'], ['Rest'], ['Up', 'Up', 'Back']])
    expect(result.properties.map(({ depth }) => depth)).toEqual([2, 2, 4])
    expect(result.properties[2]?.trace?.states).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }, { n: 0 }])
    expect(result.depth).toBe(3)
  })

  test('the first false part is reported with its values', () => {
    const properties = [
      always('parts', ({ n }: Counter, claim) => {
        claim.that('not negative', n >= 0)
        claim.that('below two', n < 2, { n })
        claim.that('below one', n < 1, { never: 'reported' })
      }),
    ]
    const result = explore({ initial: { n: 2 }, properties })
    expect(result.properties[0]?.failed).toEqual({ part: 'below two', values: { n: 2 } })
    expect(result.properties[0]?.trace?.property).toEqual({
      name: 'parts',
      kind: 'always',
      failed: { part: 'below two', values: { n: 2 } },
    })
  })

  test('without its antecedent a property says nothing, and if it never holds the property is vacuous', () => {
    const given = (at: number) =>
      always(`given ${at}`, ({ n }: Counter, claim) => {
        claim.given(`it is ${at}`, n === at)
        claim.that('impossible', false)
      })
    const result = explore(
      { initial, actions: [countUp(3)], properties: [given(2), given(7)] },
      { continueAfterViolation: true },
    )
    expect(result.properties[0]).toMatchObject({ verdict: 'violated', depth: 3, vacuous: false })
    expect(result.properties[1]).toMatchObject({ verdict: 'proved', vacuous: true })
  })

  test('the first thing that settles an evaluation counts', () => {
    const properties = [
      always('false part first', ({ n }: Counter, claim) => {
        claim.that('below two', n < 2)
        claim.given('even', n % 2 === 0)
      }),
      always('antecedent first', ({ n }: Counter, claim) => {
        claim.given('even', n % 2 === 0)
        claim.that('below three', n < 3)
      }),
      always('caught', ({ n }: Counter, claim) => {
        try {
          claim.given('never', n < 0)
        } catch {
          return false
        }
        return true
      }),
    ]
    const result = explore({ initial: { n: 3 }, properties }, { continueAfterViolation: true })
    expect(result.properties.map(({ verdict, vacuous }) => [verdict, vacuous])).toEqual([
      ['violated', false],
      ['proved', true],
      ['proved', true],
    ])
  })

  test('only the selected properties are judged', () => {
    const model = {
      initial,
      actions: [countUp(2)],
      properties: [below(1), below(9)],
      properTermination: () => false,
    }
    const names = (selected: string[]) =>
      explore(model, { properties: selected }).properties.map(({ name, verdict }) => [name, verdict])
    expect(names(['below 9'])).toEqual([['below 9', 'proved']])
    expect(names(['deadlock freedom'])).toEqual([['deadlock freedom', 'violated']])
  })

  test('a question is judged only if it is selected', () => {
    const model = { initial, actions: [countUp(2)], properties: [below(9)], questions: [below(1)] }
    const verdicts = (selection?: { properties: string[] }) =>
      explore(model, selection).properties.map(({ name, verdict }) => [name, verdict])
    expect(verdicts()).toEqual([['below 9', 'proved']])
    expect(verdicts({ properties: ['below 1'] })).toEqual([['below 1', 'violated']])
  })
})
