import { describe, expect, test } from 'vitest'
import { check } from '../../checker/index.ts'
import type { OracleResult } from '../../checker/oracle.ts'
import { twoPhaseCommit } from '../../examples/two-phase-commit.ts'
import { type Expected, largeRows, smallRows } from './rows.ts'

function factsOf({ states, depth, properties }: OracleResult): Expected {
  const verdicts = Object.fromEntries(properties.map(({ name, verdict }) => [name, verdict]))
  return { ...states, depth, verdicts }
}

/** What an engine and the oracle must agree on: everything but why a property is open and how the search went. */
function agreedPart(result: OracleResult): unknown {
  const { model, config, defencesOff, verdict, states, depth, limit } = result
  const properties = result.properties.map(({ reason: _, ...property }) => property)
  return { model, config, defencesOff, verdict, states, depth, limit, properties }
}

describe('the published counts, by the oracle', () => {
  test.each(smallRows)('$title', ({ oracle, expected }) => {
    expect(factsOf(oracle())).toEqual(expected)
  })
})

describe('the published counts, by the engine', () => {
  test.each([...smallRows, ...largeRows])('$title', async ({ engine, expected }) => {
    expect(factsOf(await engine())).toEqual(expected)
  })
})

describe('engine and oracle tell the same stories', () => {
  test.each(smallRows)('$title', async ({ engine, oracle }) => {
    expect(agreedPart(await engine())).toEqual(agreedPart(oracle()))
  })
})

describe('the economy of remembering', () => {
  /**
   * By hand. For each manager: Prepare and AbortAlone look at its 4 states; ReceivePrepared at the 3 decisions and,
   * if there is none, at the message, which makes 4; ReceiveCommit and ReceiveAbort at one message each, 2 and 2;
   * DecideCommit gets one manager further, 1. And once: 3 decisions each for DecideCommit and DecideAbort.
   */
  const combinations = (managers: number) => (4 + 4 + 4 + 2 + 2 + 1) * managers + 3 + 3

  test('a recipe of two-phase commit runs once for each combination of what it reads', async () => {
    for (const managers of [1, 2, 3, 4, 5, 6]) {
      const { coverage } = await check(twoPhaseCommit, { managers }, { symmetry: false })
      expect(coverage.recipeRuns).toBe(combinations(managers))
    }
  })

  test('with 7 managers, 125 recipe runs serve 2.7 million transitions, and properties are remembered too', async () => {
    const { coverage, states } = await check(twoPhaseCommit, { managers: 7 }, { symmetry: false })
    expect(coverage.recipeRuns).toBe(combinations(7))
    expect(coverage.recipeRuns).toBe(125)
    const fired = coverage.actions.reduce((sum, action) => sum + action.fired, 0)
    expect(fired).toBe(states.generated - 1)
    for (const { evaluations, served } of coverage.properties) expect(evaluations * 80).toBeLessThan(served)
  })
})
