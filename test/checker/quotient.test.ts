/** Quotients: what grows without end comes back, to the same end by engine and oracle; a wrong one is an error. */
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  action,
  always,
  check,
  defineModel,
  eventually,
  type ModelBody,
  reachable,
  simulate,
  stepper,
  transition,
} from '../../checker/index.ts'
import { checkBoth, errorOf, tiny } from './tiny.ts'

interface Stamps {
  stamps: number[]
}

/** Keeps the order of the stamps, and nothing else. */
function rename(state: Stamps): void {
  const order = [...new Set(state.stamps)].sort((one, other) => one - other)
  state.stamps.forEach((stamp, index) => {
    state.stamps[index] = order.indexOf(stamp)
  })
}

const touch = action('Touch', { who: [0, 1, 2] }, (state: Stamps, { who }) => {
  state.stamps[who] = Math.max(...state.stamps) + 1
})

const body = (quotient: ModelBody<Stamps>['quotient'], over: Partial<ModelBody<Stamps>> = {}) => ({
  initial: { stamps: [7, 7, 9] },
  components: ['stamps[]'],
  actions: [touch],
  ...(quotient === undefined ? {} : { quotient }),
  ...over,
})

describe('a quotient', () => {
  test('makes states of what grows without end finitely many; initial states are rewritten too', async () => {
    const { states, verdict } = await checkBoth(body(rename))
    // The tie in which it begins, and every strict order of three.
    expect([verdict, states.distinct]).toEqual(['proved', 1 + 6])
    expect((await check(tiny(body(undefined)), {}, { maxStates: 100 })).verdict).toBe('bounded')
    expect(stepper(tiny(body(rename)), {}).initialStates).toEqual([{ stamps: [0, 0, 1] }])
  })

  test('is what properties and traces see', async () => {
    const { properties } = await checkBoth(
      body(rename, {
        properties: [
          always('small', ({ stamps }) => stamps.every((stamp) => stamp <= 2)),
          reachable('the first is newest', ({ stamps }) => stamps[0]! > Math.max(stamps[1]!, stamps[2]!)),
          transition('renamed at once', (_: Stamps, after: Stamps) => Math.max(...after.stamps) < 3),
        ],
      }),
    )
    expect(properties.map(({ verdict }) => verdict)).toEqual(['proved', 'witnessed', 'proved'])
    expect(properties[1]!.trace!.states).toEqual([{ stamps: [0, 0, 1] }, { stamps: [2, 0, 1] }])
  })

  test('lets a duel be a loop', async () => {
    const never = eventually('a tie', ({ stamps }: Stamps) => stamps[1] === stamps[2], {
      fairness: { weak: ['Touch'] },
    })
    const { properties } = await check(tiny(body(rename, { properties: [never] })), {})
    const { loop, states, steps } = properties[0]!.trace!
    expect(states[loop!]).toEqual(states.at(-1))
    expect(new Set(steps.slice(loop).map(({ args }) => args.who)).size).toBe(3)
  })

  test('holds for random walks', async () => {
    const small = always('small', ({ stamps }: Stamps) => stamps.every((stamp) => stamp <= 2))
    const model = tiny(body(rename, { properties: [small] }))
    expect((await simulate(model, {}, { walks: 3, depth: 50 })).verdict).toBe('sampled')
  })

  test('is applied where memory forbids to remember, to the same end', async () => {
    const { states } = await check(tiny(body(rename)), {}, { maxMemoryBytes: 2 ** 24 })
    expect(states.distinct).toBe(7)
  })
})

describe('a wrong quotient is an error of the model', () => {
  test('that changes its own result', async () => {
    const half = ({ stamps }: Stamps) => {
      stamps.forEach((stamp, index) => {
        stamps[index] = Math.floor(stamp / 2)
      })
    }
    const { details } = await errorOf(check(tiny(body(half)), {}))
    expect(details).toMatchObject({
      code: 'model-failed',
      where: 'quotient, initial state 0',
      found: "it changes 'stamps[0]' of what it has rewritten itself",
    })
  })

  test('that does so only after a step, with the way there', async () => {
    const late = (state: Stamps) => {
      rename(state)
      if (state.stamps[0] === 2) state.stamps[1] = 1 - state.stamps[1]!
    }
    const error = await errorOf(check(tiny(body(late)), {}))
    expect(error.details.where).toBe('quotient, state after Touch(who: 0)')
    expect(error.trace!.states[0]).toEqual({ stamps: [0, 0, 1] })
  })

  test('that forgets what a guard asks for', async () => {
    const parity = action('Even', {}, ({ stamps }: Stamps, _, step) => {
      step.when('the newest stamp is large', Math.max(...stamps) > 2)
      stamps[0] = 0
    })
    const { details } = await errorOf(check(tiny(body(rename, { actions: [touch, parity] })), {}))
    expect(details).toMatchObject({ code: 'model-failed', found: 'it changes what Even can do from there' })
  })

  test('that throws, or returns a state', async () => {
    const throws = () => {
      throw new Error('no')
    }
    const { details } = await errorOf(check(tiny(body(throws)), {}))
    expect(details).toMatchObject({ code: 'model-failed', where: 'quotient' })
    const returns = (({ stamps }: Stamps) => ({ stamps: [...stamps] })) as (state: Stamps) => void
    expect((await errorOf(check(tiny(body(returns)), {}))).details.found).toBe('it returns an object')
  })
})

const clients = [0, 1, 2]
const rule = fc.record({
  client: fc.constantFrom(...clients),
  needsNewest: fc.boolean(),
  copiesFrom: fc.option(fc.constantFrom(...clients), { nil: undefined }),
  chooses: fc.boolean(),
})

interface Clients {
  clients: { stamp: number }[]
  top: number
}

/** Clients with stamps that are raised, copied and compared, in components of their own. */
const randomStamps = fc.array(rule, { minLength: 3, maxLength: 6, size: 'max' }).map((rules) =>
  defineModel<object, Clients>({
    name: 'stamps',
    config: v.object({}),
    build: () => ({
      initialStates: [
        { clients: clients.map(() => ({ stamp: 3 })), top: 3 },
        { clients: clients.map((stamp) => ({ stamp })), top: 5 },
      ],
      components: ['clients[]', 'top'],
      quotient(state) {
        const all = [state.top, ...state.clients.map(({ stamp }) => stamp)]
        const order = [...new Set(all)].sort((one, other) => one - other)
        state.top = order.indexOf(state.top)
        for (const each of state.clients) each.stamp = order.indexOf(each.stamp)
      },
      actions: rules.map(({ client, needsNewest, copiesFrom, chooses }, index) =>
        action(`Rule${index}`, {}, (state, _, step) => {
          const one = state.clients[client]!
          if (needsNewest) step.when('it has the newest stamp', one.stamp === state.top)
          const raises = chooses ? step.choose('raise', [true, false]) : copiesFrom === undefined
          if (raises) state.top += 1
          one.stamp = raises ? state.top : state.clients[copiesFrom ?? 0]!.stamp
        }),
      ),
      properties: [
        always('the first is not newest', ({ clients, top }) => clients[0]!.stamp !== top),
        reachable('all alike', ({ clients, top }) => clients.every(({ stamp }) => stamp === top)),
        transition('the top is kept', (before: Clients, after: Clients) => before.top <= after.top),
      ],
    }),
  }),
)

test('on random models engine and oracle agree, and find an end', async () => {
  let grew = 0
  await fc.assert(
    fc.asyncProperty(randomStamps, async (model) => {
      const options = { continueAfterViolation: true, maxStates: 2000 }
      const [fast, naive] = [
        await check(model, {}, options),
        await check(model, {}, { ...options, engine: 'oracle' }),
      ]
      const facts = ({ states, depth, verdict, properties, limit }: typeof fast) => ({
        ...{ states, depth, verdict, limit },
        properties: properties.map(({ reason: _, ...property }) => property),
      })
      expect(facts(fast)).toEqual(facts(naive))
      expect(fast.limit).toBeUndefined()
      if (fast.states.distinct > 6) grew++
    }),
    { numRuns: 200, seed: 11 },
  )
  expect(grew).toBeGreaterThan(30)
})
