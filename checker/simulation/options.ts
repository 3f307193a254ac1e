/** What a simulation was asked for, completed and checked. */
import { UsageError } from '../errors.ts'
import type { Action } from '../model.ts'
import type { Sample, SimulateOptions } from '../result.ts'
import { unknownName } from '../suggest.ts'

const largestWeight = 1_000_000

/** @throws UsageError 'invalid-option' */
export function sampleAsked(options: SimulateOptions): Pick<Sample, 'seed' | 'walks' | 'maxDepth' | 'bias'> {
  const { seed = 1, walks = 1000, depth = 100, bias = {}, timeoutMs } = options
  demandWhole('seed', seed, 0, Number.MAX_SAFE_INTEGER)
  demandWhole('walks', walks, 1, 2 ** 32)
  demandWhole('depth', depth, 1, Number.MAX_SAFE_INTEGER)
  if (timeoutMs !== undefined && !(timeoutMs > 0)) throw invalid('timeoutMs', timeoutMs, 'a positive number')
  return { seed, walks, maxDepth: depth, bias: { ...bias } }
}

function demandWhole(option: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return
  throw invalid(option, value, `a whole number from ${least} to ${most}`)
}

/**
 * The weight of each action.
 * @throws UsageError 'unknown-name' for an action that the model does not have, 'invalid-option' for a weight that is none
 */
export function weightsOf(
  actions: readonly Action<unknown>[],
  bias: Readonly<Record<string, number>>,
): number[] {
  const names = actions.map(({ name }) => name)
  for (const [name, weight] of Object.entries(bias)) {
    if (!names.includes(name)) throw unknownName('action', name, names, 'bias')
    if (!(weight >= 0 && weight <= largestWeight)) {
      throw invalid(`bias of ${name}`, weight, `a number from 0 (never) to ${largestWeight}; 1 is usual`)
    }
  }
  return names.map((name) => (Object.hasOwn(bias, name) ? bias[name]! : 1))
}

const invalid = (option: string, value: unknown, expected: string) =>
  new UsageError({
    code: 'invalid-option',
    found: `it is ${String(value)}`,
    where: `option ${option}`,
    expected,
  })
