import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { allowedBy, schemaOf } from '../../spec/allowed.ts'

const range = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3))

describe('what a schema takes', () => {
  it.each<[string, v.GenericSchema, unknown]>([
    ['texts', v.picklist(['all', '1']), { oneOf: ['all', '1'] }],
    ['numbers', v.picklist([1, 2]), { oneOf: [1, 2] }],
    ['yes or no', v.boolean(), { oneOf: [false, true] }],
    ['a range', range, { from: 1, to: 3 }],
    ['a range without an end', v.pipe(v.number(), v.minValue(0)), { from: 0 }],
    ['an object', v.strictObject({ a: v.number(), b: v.number() }), { keys: ['a', 'b'] }],
    ['what may be left out', v.optional(v.optional(range, 2), 3), { from: 1, to: 3 }],
    ['a part of an object', v.optional(v.partial(v.strictObject({ a: v.number() }))), { keys: ['a'] }],
    ['any number', v.number(), undefined],
    ['any text', v.string(), undefined],
  ])('is told of %s', (_, schema, allowed) => {
    expect(allowedBy(schema)).toEqual(allowed)
  })

  it('is told of a key of an object, also inside of another', () => {
    const schema = v.pipe(
      v.object({ flags: v.optional(v.partial(v.object({ mode: v.boolean() })), {}) }),
      v.check(() => true),
    )
    const flags = schemaOf(schema, 'flags')!
    expect(allowedBy(schemaOf(flags, 'mode')!)).toEqual({ oneOf: [false, true] })
    expect(schemaOf(schema, 'mode')).toBeUndefined()
    expect(schemaOf(v.number(), 'mode')).toBeUndefined()
  })
})
