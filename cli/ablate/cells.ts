/** What the removal of defences does to each property: one cell of the table each. */
import type {
  CheckResult,
  PropertyKind,
  PropertyResult,
  PropertyVerdict,
  Trace,
} from '../../checker/index.ts'

/**
 * `falls`: violated without the defences, and not with them. `violated anyway`: with them, too. `unsettled`:
 * a limit left it open.
 */
export type Effect = 'falls' | 'holds' | 'violated anyway' | 'unsettled'

export interface Cell {
  readonly property: string
  readonly kind: PropertyKind
  readonly verdict: PropertyVerdict
  readonly effect: Effect
  /** Of the shortest counterexample. */
  readonly steps?: number
  readonly trace?: Trace
}

/**
 * Witnesses (`reachable`) are left out: that something happens no more is no guarantee that falls.
 *
 * @param intact the same with every defence in place
 */
export const cellsOf = (result: CheckResult, intact: CheckResult): Cell[] =>
  result.properties
    .filter(({ kind }) => kind !== 'reachable')
    .map((property) => {
      const { name, kind, verdict, depth, trace } = property
      const effect = effectOf(property, intact)
      const violated = verdict === 'violated'
      return {
        property: name,
        kind,
        verdict,
        effect,
        ...(violated && depth !== undefined ? { steps: depth - 1 } : {}),
        ...(effect === 'falls' && trace !== undefined ? { trace } : {}),
      }
    })

function effectOf({ name, verdict, depth = Infinity }: PropertyResult, intact: CheckResult): Effect {
  const before = intact.properties.find((property) => property.name === name)
  if (before?.verdict === 'violated') return 'violated anyway'
  if (verdict === 'proved') return 'holds'
  if (verdict !== 'violated') return 'unsettled'
  // A search that stopped early still vouches for the levels that it finished.
  const vouchedFor = before?.verdict === 'proved' ? Infinity : (intact.limit?.completeToDepth ?? 0)
  return depth <= vouchedFor ? 'falls' : 'unsettled'
}

export const fallen = (cells: readonly Cell[]): Cell[] => cells.filter(({ effect }) => effect === 'falls')
