/** The traps of liveness checking, each with a model in which a checker that fell into it would lie. */
import { describe, expect, test } from 'vitest'
import {
  type Action,
  action,
  always,
  alwaysEventually,
  type CheckOptions,
  check,
  eventually,
  leadsTo,
  type Property,
  simulate,
} from '../../../checker/index.ts'
import { errorOf, tiny } from '../tiny.ts'

interface At {
  at: string
}

/** An action that goes along edges, written `a>b`. */
const along = (name: string, ...edges: string[]): Action<At> =>
  action(name, {}, (state: At, _, step) => {
    const targets = edges.filter((edge) => edge.startsWith(`${state.at}>`)).map((edge) => edge.split('>')[1]!)
    state.at = step.choose('to', targets)
  })

async function judged(actions: Action<At>[], property: Property<At>, options: CheckOptions = {}) {
  const model = tiny<At>({ initial: { at: 'a' }, components: ['at'], actions, properties: [property] })
  const { properties, verdict } = await check(model, {}, options)
  const [{ trace, ...found }] = properties as [(typeof properties)[number]]
  return {
    ...found,
    run: verdict,
    path: trace?.states.map((state) => (state as unknown as At).at).join(''),
    loop: trace?.loop,
    lasso: trace?.property?.lasso,
  }
}

const is = (place: string) => (state: At) => state.at === place

describe('liveness', () => {
  const turn = along('Turn', 'a>b', 'b>a')
  const leave = along('Leave', 'b>c')
  const reachesC = (fairness = {}) => eventually('c', is('c'), { fairness })

  test('without fairness an action may be put off for ever; the loop says what would rule it out', async () => {
    const found = await judged([turn, leave], reachesC())
    expect(found).toMatchObject({ verdict: 'violated', run: 'violated', path: 'aba', loop: 0, depth: 3 })
    expect(found.lasso).toEqual({
      fairness: { weak: [], strong: [] },
      brokenBy: { weak: [], strong: ['Leave'] },
    })
  })

  test('what is possible again and again, but not always, is not served by weak fairness', async () => {
    expect(await judged([turn, leave], reachesC({ weak: ['Leave'] }))).toMatchObject({
      verdict: 'violated',
      lasso: { fairness: { weak: ['Leave'], strong: [] } },
    })
    const strong = await judged([turn, leave], reachesC({ strong: ['Leave'] }))
    expect(strong).toMatchObject({ verdict: 'proved', run: 'proved', vacuous: false })
  })

  test('a loop through which an action can always leave is unfair under weak fairness', async () => {
    const always = along('Leave', 'a>c', 'b>c')
    expect(await judged([turn, always], reachesC())).toMatchObject({
      verdict: 'violated',
      lasso: { brokenBy: { weak: ['Leave'] } },
    })
    expect(await judged([turn, always], reachesC({ weak: ['Leave'] }))).toMatchObject({ verdict: 'proved' })
  })

  test('strong fairness leaves a smaller loop inside a component that is not fair as a whole', async () => {
    // All of a, b and d are one component; Leave is starved in it, but a and d go on without it.
    const larger = along('Turn', 'a>b', 'b>a', 'a>d', 'd>a')
    const found = await judged([larger, leave], reachesC({ strong: ['Leave'] }))
    expect(found).toMatchObject({ verdict: 'violated', path: 'ada', loop: 0 })
  })

  test('a loop is fair only as a whole: it visits what makes it fair', async () => {
    // Weak fairness of Leave holds because it is impossible in b; the shorter loop a>a would starve it.
    const ways = along('Turn', 'a>a', 'a>b', 'b>a')
    const out = along('Leave', 'a>c')
    const found = await judged([ways, out], reachesC({ weak: ['Leave'] }))
    expect(found).toMatchObject({ verdict: 'violated', path: 'aba', loop: 0 })
    expect((await judged([ways, out], reachesC())).path).toBe('aa')
  })

  test('a state in which nothing can happen stays for ever', async () => {
    const found = await judged([along('Go', 'a>b')], reachesC({ weak: ['Go'] }))
    expect(found).toMatchObject({ verdict: 'violated', path: 'ab', loop: 1 })
  })

  test('what need not happen does not have to: a behaviour may stop where nothing fair can happen', async () => {
    const repair = along('Repair', 'a>b', 'b>c')
    const relies = await judged([repair], reachesC())
    expect(relies).toMatchObject({ verdict: 'proved' })
    const stops = await judged([repair], reachesC({ mayStop: true }))
    expect(stops).toMatchObject({ verdict: 'violated', path: 'a', loop: 0 })
    expect(stops.lasso?.brokenBy).toEqual({ weak: ['Repair'], strong: [] })
    expect(await judged([repair], reachesC({ mayStop: true, weak: ['Repair'] }))).toMatchObject({
      verdict: 'proved',
    })
    const half = along('Half', 'a>b')
    const strong = { mayStop: true, strong: ['Half'] }
    expect(await judged([half, repair], reachesC(strong))).toMatchObject({
      verdict: 'violated',
      path: 'ab',
      loop: 1,
    })
  })

  test('a step that changes nothing is a loop', async () => {
    const poll = along('Poll', 'a>a')
    const go = along('Go', 'a>c')
    const waits = await judged([poll, go], reachesC())
    expect(waits).toMatchObject({ verdict: 'violated', path: 'aa', loop: 0 })
    expect(waits.lasso?.brokenBy).toEqual({ weak: ['Go'], strong: [] })
    expect(await judged([poll, go], reachesC({ weak: ['Go'] }))).toMatchObject({ verdict: 'proved' })
  })

  test('paths that join count each: one that keeps the promise does not hide one that breaks it', async () => {
    // d is found first by way of b, where the promise is kept; by way of c it never is.
    const split = along('Go', 'a>b', 'a>c', 'b>d', 'c>d')
    expect(await judged([split], eventually('b', is('b')))).toMatchObject({
      verdict: 'violated',
      path: 'acd',
      loop: 2,
    })
  })

  test('a promise kept before the loop is kept; one made again in the loop is not', async () => {
    const round = along('Go', 'a>b', 'b>c', 'c>d', 'd>c')
    expect(await judged([round], leadsTo('a to b', is('a'), is('b')))).toMatchObject({ verdict: 'proved' })
    expect(await judged([round], eventually('b', is('b')))).toMatchObject({ verdict: 'proved' })
    expect(await judged([round], alwaysEventually('b', is('b')))).toMatchObject({
      verdict: 'violated',
      path: 'abcdc',
      loop: 2,
    })
    expect(await judged([round], alwaysEventually('d', is('d')))).toMatchObject({ verdict: 'proved' })
    expect(await judged([round], leadsTo('d to a', is('d'), is('a')))).toMatchObject({
      verdict: 'violated',
      path: 'abcdcd',
      loop: 3,
    })
  })

  test('a promise that is never made is vacuous', async () => {
    const found = await judged([turn], leadsTo('z to c', is('z'), is('c')))
    expect(found).toMatchObject({ verdict: 'proved', vacuous: true })
  })

  test('each instance is fair by itself, and one alone can be named', async () => {
    const serve = action('Serve', { client: [0, 1] }, (state: { served: boolean[] }, { client }) => {
      state.served[client] = true
    })
    const property = (weak: string[]) =>
      eventually('all served', ({ served }: { served: boolean[] }) => served.every(Boolean), {
        fairness: { weak },
      })
    const verdictOf = async (weak: string[]) => {
      const model = tiny({
        initial: { served: [false, false] },
        components: ['served[]'],
        actions: [serve],
        properties: [property(weak)],
      })
      return (await check(model, {})).properties[0]!.verdict
    }
    expect(await verdictOf(['Serve'])).toBe('proved')
    expect(await verdictOf(['Serve(client: 0)'])).toBe('violated')
    expect(await verdictOf(['Serve(client: 0)', 'Serve(client: 1)'])).toBe('proved')
  })

  test('fairness of an action that does not exist is an error, with the one that was meant', async () => {
    const error = await errorOf(judged([turn, leave], reachesC({ weak: ['Leaf'] })))
    expect(error.details).toMatchObject({ code: 'invalid-model', fix: "did you mean 'Leave'?" })
  })

  test('a predicate that fails is an error of the model, with the way there', async () => {
    const fails = eventually('broken', ({ at }: At) => {
      if (at === 'b') throw new Error('no')
      return false
    })
    const error = await errorOf(judged([turn], fails))
    expect(error.details).toMatchObject({ code: 'model-failed', where: "property 'broken'" })
    expect(error.trace?.states).toEqual([{ at: 'a' }, { at: 'b' }])
  })

  test('the oracle of the engine refuses it instead of leaving it out', async () => {
    await expect(judged([turn], reachesC(), { engine: 'oracle' })).rejects.toThrow(/does not judge liveness/)
  })

  test('random walks say that they do not judge it', async () => {
    const model = tiny<At>({
      initial: { at: 'a' },
      components: ['at'],
      actions: [turn, leave],
      properties: [reachesC(), always('not d', ({ at }) => at !== 'd')],
    })
    const { verdict, properties } = await simulate(model, {}, { walks: 5, seed: 1 })
    expect(verdict).toBe('inconclusive')
    const verdicts = Object.fromEntries(properties.map((property) => [property.name, property.verdict]))
    expect(verdicts).toEqual({ c: 'inconclusive', 'not d': 'sampled' })
  })
})

describe('a search that did not see everything', () => {
  const ahead = along('Go', 'a>b', 'b>c', 'c>d', 'd>d')

  test('proves no promise, and takes no state for an end that was not expanded', async () => {
    expect(await judged([ahead], eventually('e', is('e')), { maxDepth: 2 })).toMatchObject({
      verdict: 'bounded',
      run: 'bounded',
    })
    expect(await judged([ahead], eventually('b', is('b')), { maxDepth: 2 })).toMatchObject({
      verdict: 'bounded',
    })
  })

  test('but a loop that it saw is a loop', async () => {
    const round = along('Go', 'a>b', 'b>a', 'b>c', 'c>d')
    expect(await judged([round], eventually('e', is('e')), { maxDepth: 3 })).toMatchObject({
      verdict: 'violated',
      path: 'aba',
    })
  })

  test('a state that the constraint cuts is no end', async () => {
    const model = tiny<At>({
      initial: { at: 'a' },
      components: ['at'],
      actions: [ahead],
      constraint: ({ at }) => at !== 'b',
      properties: [eventually('e', is('e'))],
    })
    expect((await check(model, {})).properties[0]).toMatchObject({ verdict: 'bounded' })
  })

  test('after a violation of another property it is inconclusive, unless the search goes on', async () => {
    const model = tiny<At>({
      initial: { at: 'a' },
      components: ['at'],
      actions: [ahead],
      properties: [eventually('d', is('d')), always('not b', ({ at }) => at !== 'b')],
    })
    const verdicts = async (options: CheckOptions) =>
      (await check(model, {}, options)).properties.map(({ name, verdict }) => [name, verdict])
    expect(await verdicts({})).toEqual([
      ['d', 'inconclusive'],
      ['not b', 'violated'],
    ])
    expect(await verdicts({ continueAfterViolation: true })).toEqual([
      ['d', 'proved'],
      ['not b', 'violated'],
    ])
  })

  test('without memory for the analysis the verdict is inconclusive', async () => {
    const count = 20_000
    const model = tiny<{ n: number }>({
      initial: { n: 0 },
      components: ['n'],
      actions: [
        action('Up', {}, (state: { n: number }) => {
          state.n = (state.n + 1) % count
        }),
      ],
      properties: [eventually('end', ({ n }) => n === count - 1)],
    })
    const { memoryBytes, properties } = await check(model, {})
    expect(properties[0]).toMatchObject({ verdict: 'proved' })
    const short = await check(model, {}, { maxMemoryBytes: memoryBytes.engine + 100_000 })
    expect(short.properties[0]).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringMatching(/memory/),
    })
    expect(short.verdict).toBe('inconclusive')
  })
})
