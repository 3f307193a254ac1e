/**
 * Two-phase commit up to renaming of its managers: the number of orbits that a symmetry reduction must find. Counted
 * the plain way, from all reachable states.
 */
import { describe, expect, it } from 'vitest'
import { always, check, type Model } from '../../checker/index.ts'
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
  const result = await check(counting, { managers })
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
  })
})
