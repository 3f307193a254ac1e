import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { action, always, check, ModelError } from '../../checker/index.ts'
import { canonical, deepFreeze, displayed, mutableCopy, samePlain, textOf } from '../../checker/plain.ts'
import { checkBoth, tiny } from './tiny.ts'

const plain = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger().map((number) => number + 0),
    fc.string(),
    fc.array(tie('value')),
    fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      tie('value'),
    ),
  ),
})).value

/** The same data with the keys of every object in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, shuffled(item)]),
  )
}

describe('canonical values', () => {
  test('equal data in any order of keys has one text, and is copied and frozen to the bottom', () => {
    fc.assert(
      fc.property(plain, (value) => {
        const [one, two] = [canonical(value, 'x'), canonical(shuffled(value), 'x')]
        expect(textOf(one)).toBe(textOf(two))
        expect(JSON.parse(textOf(one))).toEqual(JSON.parse(JSON.stringify(value)))
        const frozen = (item: unknown): boolean =>
          item === null ||
          typeof item !== 'object' ||
          (Object.isFrozen(item) && Object.values(item).every(frozen))
        expect(frozen(one)).toBe(true)
        expect(samePlain(shuffled(value), one)).toBe(true)
      }),
    )
  })

  test('different data has different texts', () => {
    fc.assert(
      fc.property(plain, plain, (one, two) => {
        const [first, second] = [canonical(one, 'x'), canonical(two, 'x')]
        expect(textOf(first) === textOf(second)).toBe(samePlain(one, second))
      }),
    )
    expect(samePlain({ a: 1 }, { b: 1 })).toBe(false)
    expect(samePlain([1], { 0: 1 })).toBe(false)
    expect(samePlain({ a: 1, b: 2 }, { a: 1 })).toBe(false)
  })

  const holes = [1, 2, 3]
  delete holes[1]
  const cyclic: unknown[] = []
  cyclic.push(cyclic)
  const refused: [string, unknown, RegExp][] = [
    ['negative zero', { a: -0 }, /x\.a: negative zero/],
    ['NaN', [Number.NaN], /x\[0\]: the number NaN/],
    ['infinity', Infinity, /number Infinity/],
    ['a fraction', 0.5, /number 0\.5/],
    ['an unsafe integer', 2 ** 53, /number 9007199254740992/],
    ['undefined', { a: undefined }, /undefined/],
    ['a hole', holes, /holes/],
    ['an array with other keys', Object.assign([1], { more: 1 }), /extra keys/],
    ['a class', new Date(0), /Date/],
    ['a map', new Map(), /Map/],
    ['a function', () => 1, /function/],
    ['a symbol', Symbol('s'), /symbol/],
    ['a big integer', 1n, /bigint/],
    ['a symbol as key', { [Symbol('s')]: 1 }, /symbol as a key/],
    ['a lone surrogate', 'a\ud800', /surrogate/],
    ['a lone surrogate as key', { '\udc00': 1 }, /the key/],
    ['the key that sets the prototype', JSON.parse('{"__proto__": 1}'), /__proto__/],
    ['a cycle', cyclic, /cyclic/],
  ]
  test.each(refused)('%s is refused', (_, value, message) => {
    expect(() => canonical(value, 'x')).toThrow(ModelError)
    expect(() => canonical(value, 'x')).toThrow(message)
  })

  test('objects without prototype and well-formed surrogate pairs are data', () => {
    expect(canonical(Object.assign(Object.create(null), { a: '\u{1f600}' }), 'x')).toEqual({ a: '\u{1f600}' })
  })

  test('a mutable copy shares nothing', () => {
    const value = canonical({ list: [{ n: 1 }] }, 'x') as { list: { n: number }[] }
    const copy = mutableCopy(value)
    copy.list[0]!.n = 2
    copy.list.push({ n: 3 })
    expect(value).toEqual({ list: [{ n: 1 }] })
  })

  test('freezing goes to the bottom', () => {
    const value = { list: [{ n: 1 }] }
    deepFreeze(value)
    expect(() => {
      value.list[0]!.n = 2
    }).toThrow(TypeError)
  })

  test('anything can be displayed', () => {
    const value = { a: undefined, b: [1, 0.5, Number.NaN], c: () => 1, d: { e: 2n } }
    expect(displayed(value)).toEqual({ b: [1, '0.5', 'NaN'], c: expect.any(String), d: { e: '2' } })
  })
})

describe('canonical values in models', () => {
  interface State {
    bag: Record<string, number>
    order: string
  }

  test('the order in which keys were added cannot be observed', async () => {
    const initial: State = { bag: {}, order: '' }
    const add = action('Add', { key: ['b', 'a'] }, (state: State, { key }, step) => {
      step.when('not there', state.bag[key] === undefined)
      state.bag[key] = 1
    })
    const look = action('Look', {}, (state: State, _, step) => {
      step.when('both', Object.keys(state.bag).length === 2)
      state.order = Object.keys(state.bag).join('')
    })
    const result = await checkBoth({
      initial,
      components: ['bag', 'order'],
      actions: [add, look],
      properties: [always('sorted', ({ order }: State) => order === '' || order === 'ab')],
    })
    expect(result.verdict).toBe('proved')
    expect(result.states).toEqual({ distinct: 5, generated: 7 })
  })

  test('what is no plain data is refused where it is stored, with the way there', async () => {
    const store = action('Store', {}, (state: State) => {
      state.bag.half = 0.5
    })
    const run = check(
      tiny({ initial: { bag: {}, order: '' }, components: ['bag', 'order'], actions: [store] }),
      {},
    )
    await expect(run).rejects.toMatchObject({
      code: 'invalid-model',
      trace: { states: [{ bag: {}, order: '' }] },
    })
    await expect(run).rejects.toThrow(/Store, component bag\.half: the number 0\.5/)
  })
})
