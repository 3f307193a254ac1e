/** The duel of two sessions is a real loop, and what ends it is what the example says. */
import { expect, test } from 'vitest'
import { check } from '../../checker/index.ts'
import { oracle } from '../../checker/oracle.ts'
import { fencingDuel } from '../../examples/fencing-duel.ts'
import { expectLasso, plainGraphOf } from '../checker/liveness/lasso-facts.ts'
import { shortestStem } from '../checker/liveness/oracle.ts'

const promise = 'some session completes a transaction'

async function judged(config: object) {
  const { states, depth, properties } = await check(fencingDuel, config, { continueAfterViolation: true })
  const others = properties.filter(({ name }) => name !== promise).map(({ verdict }) => verdict)
  expect(others).toEqual(['proved', 'witnessed'])
  return { states, depth, found: properties.find(({ name }) => name === promise)! }
}

test('under weak fairness of every step the sessions fence each other for ever', async () => {
  const { states, depth, found } = await judged({})
  expect({ states, depth }).toEqual({ states: { distinct: 33, generated: 67 }, depth: 7 })
  const { trace } = found
  const steps = trace!.steps.map(({ action, args }) => `${action} ${args.session}`)
  expect([steps.slice(0, trace!.loop), steps.slice(trace!.loop)]).toEqual([
    ['Start 0', 'Start 1'],
    ['LearnThatFenced 0', 'Start 0', 'LearnThatFenced 1', 'Start 1'],
  ])
  expect(trace!.property!.lasso!.brokenBy).toEqual({
    weak: [],
    strong: ['Write(session: 0)', 'Write(session: 1)'],
  })
})

test('what ends the duel: to be quick enough now and then, or not to be started again', async () => {
  expect((await judged({ fairness: 'strong' })).found.verdict).toBe('proved')
  const { states, found } = await judged({ restart: false })
  expect([states.distinct, found.verdict]).toEqual([33, 'proved'])
})

test.each([{}, { fairness: 'strong' }, { restart: false }])('the oracles agree: %j', async (config) => {
  const { states, found } = await judged(config)
  const safety = ['only the newest session commits', 'a session is fenced']
  expect(oracle(fencingDuel, config, { properties: safety }).states).toEqual(states)
  const { build } = fencingDuel
  const fixed = { ...fencingDuel, config: fencingDuel.config, build: () => built }
  const built = build({ restart: true, fairness: 'weak', renameEpochs: true, ...config } as never, {
    defences: { has: () => true },
  })
  const known = plainGraphOf(fixed)
  const property = built.properties[0] as never
  const fair = known.fairOf(property)
  const stem = shortestStem(known.graph, known.initial, property, fair)
  expect(found.trace === undefined ? undefined : found.trace.loop! + 1).toBe(stem)
  if (found.trace !== undefined) expectLasso(found.trace, property, fair, known)
})

test('without the quotient no state comes back, and nothing is proved', async () => {
  const { verdict, properties } = await check(fencingDuel, { renameEpochs: false }, { maxStates: 500 })
  expect([verdict, properties[0]!.verdict]).toEqual(['bounded', 'bounded'])
})
