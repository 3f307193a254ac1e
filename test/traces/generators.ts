/** Random plain data and random traces, for property-based tests. */
import fc from 'fast-check'
import type { Plain, Trace } from '../../index.ts'

const key = fc.oneof(
  fc.constantFrom('a', 'b', 'tag', 'value', '#tup', '#bigint', 'constructor', '', 'in-0', '0'),
  fc.string({ maxLength: 4 }).filter((text) => text !== '__proto__'),
)

export const plain: fc.Arbitrary<Plain> = fc.letrec<{ value: Plain }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger().map((value) => value + 0),
    fc.string({ maxLength: 6, unit: 'grapheme' }),
    fc.constant<Plain>({ tag: 'None', value: [] }),
    fc.constant<Plain>({ tag: 'None', value: { '#tup': [] } }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

const variable = key.filter((name) => !/^(#|mbt::|__proto__$)/.test(name))
const record = fc.dictionary(key, plain, { maxKeys: 3, noNullPrototype: true })

const event = fc.record(
  {
    kind: fc.constantFrom('sent' as const, 'delivered' as const, 'crashed' as const, 'note' as const),
    lane: fc.constantFrom('app', 'broker'),
    peer: fc.constantFrom('app', 'broker'),
    message: fc.constantFrom('EndTxn', 'Produce'),
    fields: record,
    late: fc.constant(true as const),
    text: fc.string({ maxLength: 5 }),
  },
  { requiredKeys: ['kind', 'lane'], noNullPrototype: true },
)

const step = fc.record(
  {
    action: fc.string({ maxLength: 5 }),
    args: record,
    choices: fc.array(fc.record({ name: key, value: plain }, { noNullPrototype: true }), { maxLength: 3 }),
    events: fc.array(event, { maxLength: 2 }),
    faults: fc.array(fc.string(), { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['action', 'args', 'choices', 'events'], noNullPrototype: true },
)

const property = fc.record(
  {
    name: fc.string(),
    kind: fc.constantFrom('always', 'transition', 'reachable', 'deadlock'),
    failed: fc.record({ part: fc.string(), values: record }, { noNullPrototype: true }),
  },
  { requiredKeys: ['name', 'kind'], noNullPrototype: true },
)

/** Traces with up to five states over the same variables, with and without property and lasso. */
export const trace: fc.Arbitrary<Trace> = fc
  .tuple(fc.uniqueArray(variable, { maxLength: 3 }), fc.array(step, { maxLength: 4 }))
  .chain(([variables, steps]) => {
    const state = fc
      .tuple(...variables.map(() => plain))
      .map(
        (values): Plain => Object.fromEntries(variables.map((name, index) => [name, values[index] as Plain])),
      )
    return fc.record(
      {
        model: fc.string(),
        config: plain,
        defencesOff: fc.array(fc.string()),
        background: fc.array(fc.string()),
        states: fc.array(state, { minLength: steps.length + 1, maxLength: steps.length + 1 }),
        steps: fc.constant(steps),
        property,
        loop: fc.nat({ max: steps.length }),
      },
      { requiredKeys: ['model', 'config', 'defencesOff', 'states', 'steps'], noNullPrototype: true },
    )
  })
