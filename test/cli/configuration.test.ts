import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { mergeConfiguration, parseAssignment } from '../../cli/configuration.ts'

const schema = v.pipe(
  v.object({
    crashes: v.optional(v.number(), 0),
    network: v.optional(v.strictObject({ lost: v.number(), late: v.optional(v.number(), 0) })),
    free: v.optional(v.record(v.string(), v.number())),
    acks: v.optional(v.picklist(['all', '1'])),
    flags: v.optional(
      v.partial(v.strictObject({ level: v.picklist([1, 2]), mode: v.picklist(['1', 'off']) })),
    ),
  }),
  v.check(() => true),
)

describe('mergeConfiguration', () => {
  it('lets later sources win, key by key', () => {
    const layers = [{ crashes: 1, network: { lost: 1, late: 2 } }, { network: { late: 3 } }, { crashes: 0 }]
    expect({ ...mergeConfiguration(schema, layers) }).toEqual({
      crashes: 0,
      network: expect.objectContaining({ lost: 1, late: 3 }),
    })
  })

  it('refuses keys that the schema would ignore or refuse, inside and outside, and suggests the nearest', () => {
    expect(() => mergeConfiguration(schema, [{ crash: 1 }])).toThrow(
      /no key 'crash'[^"]*did you mean 'crashes'/,
    )
    expect(() => mergeConfiguration(schema, [{ network: { lots: 1 } }])).toThrow(
      /^configuration, network: there is no key 'lots'[^"]*did you mean 'lost'/,
    )
    expect(() => mergeConfiguration(schema, [{ flags: { modes: 'off' } }])).toThrow(
      /^configuration, flags: there is no key 'modes'[^"]*did you mean 'mode'/,
    )
    expect(() => mergeConfiguration(schema, [{ constructor: 1 }])).toThrow("no key 'constructor'")
  })

  it('takes any key where the schema does', () => {
    expect(mergeConfiguration(schema, [{ free: { anything: 1 } }])).toHaveProperty('free.anything', 1)
    expect(mergeConfiguration(v.any(), [{ anything: 1 }])).toHaveProperty('anything', 1)
  })

  it('pollutes no prototype', () => {
    const hostile = [
      JSON.parse('{"__proto__": {"polluted": true}}'),
      parseAssignment(schema, '__proto__.polluted=true'),
    ]
    for (const layer of hostile) {
      expect(() => mergeConfiguration(schema, [layer])).toThrow("no key '__proto__'")
      mergeConfiguration(v.any(), [{ a: 1 }, layer])
    }
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('parseAssignment', () => {
  it.each([
    ['crashes=2', { crashes: 2 }],
    ['network.lost=1', { network: { lost: 1 } }],
    ['name=read_committed', { name: 'read_committed' }],
    ['name="2"', { name: '2' }],
    ['on=true', { on: true }],
    ['list=[1,2]', { list: [1, 2] }],
    ['text=a=b', { text: 'a=b' }],
    ['empty=', { empty: '' }],
    ['acks=1', { acks: '1' }],
    ['flags.mode=1', { flags: { mode: '1' } }],
    ['flags.mode=off', { flags: { mode: 'off' } }],
    ['flags.level=1', { flags: { level: 1 } }],
    ['flags.absent=1', { flags: { absent: 1 } }],
    ['acks.inner=1', { acks: { inner: 1 } }],
    ['flags={"level":2}', { flags: { level: 2 } }],
  ])('reads %s', (text, value) => {
    expect(JSON.parse(JSON.stringify(parseAssignment(schema, text)))).toEqual(value)
  })

  it.each(['', '=1', 'crashes', 'a..b=1', '.a=1'])('refuses "%s"', (text) => {
    expect(() => parseAssignment(schema, text)).toThrow('does not assign anything')
  })
})
