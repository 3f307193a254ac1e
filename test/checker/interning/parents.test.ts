/** Parents in a byte each are those that were given. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Parents } from '../../../checker/interning/parents.ts'

const difference = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(253, 254, 255, 256, 1000) },
  { weight: 1, arbitrary: fc.integer({ min: -1000, max: 1000 }) },
)

test('parents come back in whatever order they are asked for, also between additions', () => {
  const order = fc.array(fc.nat(299), { maxLength: 200 })
  fc.assert(
    fc.property(fc.array(difference, { minLength: 1, maxLength: 300 }), order, (differences, asked) => {
      const parents = new Parents(320)
      let parent = -1
      const given = differences.map((each) => {
        parent += each
        return parent
      })
      given.forEach((each, place) => {
        parents.append(place, each)
        expect(parents.at(place)).toBe(each)
      })
      for (const each of asked) {
        const place = each % given.length
        expect(parents.at(place)).toBe(given[place])
      }
    }),
    { numRuns: 300 },
  )
})

test('parents that grow by little take little more than a byte', () => {
  const parents = new Parents(3200)
  for (let place = 0; place < 3200; place++) parents.append(place, Math.floor(place / 3))
  expect(parents.bytes / 3200).toBe(1.125)
})
