/** What may be asked of programs is answered both ways, and each rule of Kafka is missed where it is switched off. */

import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { check } from '../../../checker/index.ts'
import { stepper } from '../../../checker/stepper.ts'
import { configSchema } from '../../../spec/outside/config.ts'
import { programs } from '../../../spec/outside/model.ts'

const transactional = { name: 'app', reads: 'input', onStart: ['initialise', 'seek to committed offset'] }
const loop = ['poll', 'begin', { send: 'output' }, 'send offsets', 'commit']
const app = { ...transactional, loop }
const rewinding = {
  ...app,
  loop: ['poll', 'begin', 'process', ...loop.slice(2)],
  onError: ['abort', 'seek to committed offset'],
}
const poison = [{ event: 0, poison: true }]
const store = ['poll', 'begin', 'update store', { send: 'changelog' }, 'send offsets', 'commit']
const plain = (...steps: readonly unknown[]) => ({
  name: 'app',
  reads: 'input',
  onStart: ['seek to committed offset'],
  loop: ['poll', ...steps, 'commit offset'],
})
const taking = { event: 0 }
const later = [{ event: 1 }, { event: 0 }]

async function verdictOf(question: string, config: unknown, defencesOff: readonly string[] = []) {
  const { properties } = await check(programs, config, {
    properties: [question],
    defencesOff: [...defencesOff],
  })
  return properties[0]?.verdict
}

/** A configuration in which it holds (or is witnessed), and one in which it does not. */
const questions: readonly (readonly [question: string, holds: object, fails: object])[] = [
  ['every event has its effect in the end', { apps: [app] }, { apps: [plain()] }],
  ['no event has its effect twice', { apps: [app], crashes: 1 }, { apps: [app], inputs: [taking, taking] }],
  [
    'output and offset agree when no transaction is open',
    { apps: [app], crashes: 1 },
    { apps: [plain({ send: 'output' })] },
  ],
  [
    'effects of a key are in the order of its events',
    { apps: [app], inputs: later.toReversed() },
    { apps: [app], inputs: later },
  ],
  [
    'all outputs of an event are alike',
    { apps: [{ ...plain('process', { send: 'output' }), result: 'determined' }], crashes: 1 },
    { apps: [{ ...plain('process', { send: 'output' }), result: 'not determined' }], crashes: 1 },
  ],
  [
    'outputs are made of what was not aborted',
    {
      apps: [app, { ...app, name: 'second', reads: 'output', loop: loop.with(2, { send: 'last' }) }],
      crashes: 1,
    },
    {
      apps: [
        app,
        {
          ...app,
          name: 'second',
          reads: 'output',
          isolation: 'read_uncommitted',
          loop: loop.with(2, { send: 'last' }),
        },
      ],
      crashes: 1,
    },
  ],
  ['an event is processed twice', { apps: [plain('process')], crashes: 1 }, { apps: [plain('process')] }],
  [
    'a record that cannot be processed has no output, and its offset stays',
    { apps: [rewinding], inputs: poison },
    { apps: [{ ...rewinding, onError: ['send offsets', 'commit'] }], inputs: poison },
  ],
  [
    'an effect is there whose transaction was aborted',
    {
      apps: [{ ...rewinding, loop: ['poll', 'begin', { call: 'none' }, 'process', ...loop.slice(2)] }],
      effects: 'calls',
      errors: 1,
    },
    { apps: [rewinding], effects: 'calls', errors: 1 },
  ],
  [
    'progress is visible only with the output',
    { apps: [{ ...app, loop: ['poll', 'begin', { send: 'progress' }, ...loop.slice(2)] }] },
    { apps: [plain({ send: 'progress' }, { send: 'output' })] },
  ],
  [
    'the store counts what was committed, each event once',
    { apps: [{ ...app, loop: store, onStart: ['restore store', ...transactional.onStart] }] },
    { apps: [{ ...app, loop: store.with(4, 'abort') }] },
  ],
  [
    'an older value never replaces a newer one',
    { apps: [plain({ database: ['overwrite older row'] })], inputs: later },
    { apps: [plain({ database: ['overwrite row'] })], inputs: later },
  ],
  [
    'a reader waits for an open transaction',
    { apps: [app, { name: 'reader', reads: 'output', loop: ['poll'] }] },
    { apps: [plain({ send: 'output' }), { name: 'reader', reads: 'output', loop: ['poll'] }] },
  ],
  [
    'no key has two rows',
    { apps: [plain({ database: ['insert row unless its key is there'] })], inputs: later },
    { apps: [plain({ database: ['insert row'] })], inputs: later },
  ],
  [
    'row and output agree when no transaction is open',
    { apps: [{ ...app, loop: ['poll', 'process'] }] },
    {
      apps: [{ ...app, loop: ['poll', 'begin', { database: ['insert row'] }, ...loop.slice(2)] }],
      crashes: 1,
    },
  ],
]

describe('each question is answered both ways', () => {
  it.each(questions)('%s', async (question, holds, fails) => {
    expect(await verdictOf(question, holds)).toMatch(/^(proved|witnessed)$/)
    expect(await verdictOf(question, fails)).toMatch(/^(violated|unwitnessed)$/)
  })

  it('there are no others', () => {
    const config = { apps: [app] }
    const names =
      programs.build(v.parse(configSchema, config), { defences: { has: () => true } }).questions ?? []
    expect(names.map(({ name }) => name).sort()).toEqual(questions.map(([name]) => name).sort())
  })
})

describe('a row that is claimed by a dead relay', () => {
  const inputs = [{ topic: 'requests', event: 0 }]
  const shop = { name: 'shop', reads: 'requests', loop: ['poll', { database: ['insert outbox row'] }] }
  const relay = { name: 'relay', loop: ['claim outbox row', { send: 'output' }, 'mark sent'] }
  const stuck = { apps: [relay, shop], inputs, crashes: 1, crashBefore: 1 }

  it.each([
    ['never, although claims of the living may end', 'violated', { leaseEnds: 3 }],
    ['in the end, if its claim ends', 'proved', { claimsEnd: true }],
  ])('is sent %s', async (_, verdict, config) => {
    expect(await verdictOf('every event has its effect in the end', { ...stuck, ...config })).toBe(verdict)
  })
})

it.each([
  [{ crashes: 1 }, true],
  [{}, false],
])('with the faults %o, nothing may happen as well: %s', (faults, mayRest) => {
  const world = stepper(programs, { apps: [app], ...faults })
  const { enabled } = world.successors(world.initialStates[0] ?? null)
  expect(enabled.some(({ action }) => action === 'Rest')).toBe(mayRest)
})

describe('a rule of Kafka that is switched off is missed', () => {
  const shared = { ...app, instances: 2, transactionalIds: 'shared' }
  const rows = [
    {
      rule: 'fencing by transactional.id',
      config: { apps: [shared], rebalances: 1, groupMetadata: 'group id only' },
    },
    { rule: 'fencing by generation', config: { apps: [{ ...app, instances: 2 }], rebalances: 1 } },
    {
      rule: 'stable offsets only',
      config: { apps: [{ ...shared, onStart: transactional.onStart.toReversed() }], rebalances: 1 },
    },
    {
      rule: 'read_committed',
      config: {
        apps: [app, { ...app, name: 'second', reads: 'output', loop: loop.with(2, { send: 'last' }) }],
        effects: 'last',
        crashes: 1,
      },
    },
  ]

  it.each(rows)('$rule', async ({ rule, config }) => {
    expect(await verdictOf('no event has its effect twice', config)).toBe('proved')
    expect(await verdictOf('no event has its effect twice', config, [rule])).toBe('violated')
  })

  it('there are no others', () => {
    expect(programs.defences?.map(({ name }) => name)).toEqual(rows.map(({ rule }) => rule))
  })
})
