/**
 * Two-phase commit up to renaming of its managers. The number of orbits is counted the plain way, from all reachable
 * states, and the reduction must find the same.
 */
import { describe, expect, it } from 'vitest'
import { always, check, type Model, type Plain, stepper } from '../../checker/index.ts'
import { twoPhaseCommit } from '../../examples/two-phase-commit.ts'

interface State {
  readonly managers: readonly string[]
  readonly coordinator: { readonly decision: string; readonly prepared: readonly boolean[] }
  readonly sent: { readonly prepared: readonly boolean[]; readonly commit: boolean; readonly abort: boolean }
}

/** Equal for two states exactly if one is the other with its managers renamed. */
function orbitOf({ managers, coordinator, sent }: State): string {
  const each = managers.map((state, at) => `${state} ${coordinator.prepared[at]} ${sent.prepared[at]}`)
  return JSON.stringify([each.toSorted(), coordinator.decision, sent.commit, sent.abort])
}

async function orbits(managers: number): Promise<number> {
  const seen = new Set<string>()
  // Reads the whole state, so it is asked of every one of them.
  const collects = always('is counted', (state: State) => {
    seen.add(orbitOf(state))
  })
  const model = twoPhaseCommit as unknown as Model<unknown, State>
  const counting = {
    ...model,
    build: (...args: Parameters<typeof model.build>) => ({ ...model.build(...args), properties: [collects] }),
  }
  const result = await check(counting, { managers }, { symmetry: false })
  expect(result.verdict).toBe('proved')
  return seen.size
}

describe('orbits of two-phase commit', () => {
  it.each([
    [1, 12],
    [2, 34],
    [3, 80],
    [4, 166],
    [5, 314],
    [6, 553],
    [7, 920],
  ])('%i managers: %i', async (managers, published) => {
    expect(await orbits(managers)).toBe(published)
    const { states } = await check(twoPhaseCommit, { managers }, { properties: ['consistent'] })
    expect(states.distinct).toBe(published)
  })

  it('10 managers: 3300, and the run says what was counted', async () => {
    const result = await check(twoPhaseCommit, { managers: 10 }, { properties: ['consistent'] })
    expect(result.states).toEqual({ distinct: 3300, generated: 43_298 })
    expect(result.verdict).toBe('proved')
    // Every case would be as much as the whole search: the result does not claim that.
    expect(result.symmetry).toEqual({
      sorts: [{ sort: 'manager', members: 10 }],
      tests: expect.any(Number),
      complete: false,
    })
  })

  it('verdicts, depths and stories by real names are those of the whole search', async () => {
    for (const managers of [2, 3, 4]) {
      const [reduced, whole] = await Promise.all([
        check(twoPhaseCommit, { managers }),
        check(twoPhaseCommit, { managers }, { symmetry: false }),
      ])
      expect(reduced.symmetry?.complete).toBe(true)
      expect(whole.symmetry).toBeUndefined()
      expect(reduced.depth).toBe(whole.depth)
      const facts = ({ properties }: typeof whole) =>
        properties.map(({ name, verdict, depth, vacuous }) => ({ name, verdict, depth, vacuous }))
      expect(facts(reduced)).toEqual(facts(whole))
      const { initialStates, take } = stepper(twoPhaseCommit, { managers })
      for (const { trace } of reduced.properties) {
        if (trace === undefined) continue
        let state: Plain = trace.states[0]!
        expect(initialStates).toContainEqual(state)
        trace.steps.forEach((step, index) => {
          state = take(state, step).next
          expect(state).toEqual(trace.states[index + 1])
        })
      }
    }
  })
})
