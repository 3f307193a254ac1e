/** Runs a case of a claim and compares what is found with what is expected. */
import {
  type CheckOptions,
  type CheckResult,
  check,
  type PropertyResult,
  type PropertyVerdict,
} from '../../checker/index.ts'
import type { ClaimCase } from '../../spec/claims/claim.ts'
import { findInTrace, type Shown } from '../../traces/index.ts'
import { isVacuous } from '../exit-codes.ts'

export interface JudgedProperty {
  readonly name: string
  readonly expected: PropertyVerdict
  readonly found: PropertyVerdict
  /** What differs, in one sentence; absent if it is as expected. */
  readonly differs?: string
  /** Where its trace has what it is expected to show. */
  readonly shown: readonly Shown[]
  readonly result: PropertyResult
}

export interface JudgedCase {
  readonly asExpected: boolean
  readonly properties: readonly JudgedProperty[]
  readonly result: CheckResult
}

type Watched = Pick<CheckOptions, 'onProgress' | 'signal' | 'processMemoryBytes'>

/**
 * Explores the case to its end, or until all that it asks is settled.
 *
 * @throws UsageError (rejects) for a configuration, defence or property that does not exist
 */
export async function judgeCase(one: ClaimCase, watched: Watched = {}): Promise<JudgedCase> {
  const { model, preset, config, without = [], expected } = one
  const whole = preset === undefined ? config : { preset, ...config }
  const result = await check(model, whole, {
    ...watched,
    defencesOff: without,
    properties: Object.keys(expected),
    continueAfterViolation: true,
  })
  const properties = result.properties.map((property) => judge(one, property))
  return { asExpected: properties.every(({ differs }) => differs === undefined), properties, result }
}

function judge({ expected, shows = {} }: ClaimCase, result: PropertyResult): JudgedProperty {
  const { name, verdict: found, trace } = result
  const wanted = expected[name] as PropertyVerdict
  const texts = shows[name] ?? []
  const { shown, missing } = trace === undefined ? { shown: [] } : findInTrace(trace, texts)
  const differs =
    found !== wanted
      ? `'${name}' is ${found}, expected ${wanted}`
      : isVacuous(result)
        ? `'${name}' is proved because what it is about never happens`
        : missing === undefined
          ? undefined
          : withoutText(name, missing, shown.at(-1))
  return { name, expected: wanted, found, shown, result, ...(differs === undefined ? {} : { differs }) }
}

const withoutText = (name: string, missing: string, last: Shown | undefined): string =>
  `the trace of '${name}' does not show '${missing}'` +
  (last === undefined ? '' : ` after '${last.text}' in step ${last.step}`)
