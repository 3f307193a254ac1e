import { describe, expect, test } from 'vitest'
import type { OracleResult } from '../../checker/oracle.ts'
import { type Expected, largeRows, smallRows } from './rows.ts'

function factsOf({ states, depth, properties }: OracleResult): Expected {
  const verdicts = Object.fromEntries(properties.map(({ name, verdict }) => [name, verdict]))
  return { ...states, depth, verdicts }
}

describe('the published counts, by the oracle', () => {
  test.each(smallRows)('$title', ({ oracle, expected }) => {
    expect(factsOf(oracle())).toEqual(expected)
  })
})
