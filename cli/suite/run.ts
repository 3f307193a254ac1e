/** The claims that were asked for, and the run of their cases one after the other. */
import { unknownName } from '../../checker/index.ts'
import type { Claim, ClaimCase } from '../../spec/claims/claim.ts'
import type { Watched } from '../explore.ts'
import { type JudgedCase, judgeCase } from './judge.ts'

export interface RunCase {
  readonly claim: Claim
  readonly one: ClaimCase
  readonly judged: JudgedCase
}

const prefix = 'claim-'

/**
 * The claims of these ids, with `claim-` before them or not; all if none is given.
 *
 * @throws UsageError (unknown-name) for one that there is not
 */
export function claimsOf(claims: readonly Claim[], ids: readonly string[]): readonly Claim[] {
  const asked = ids.map((id) => {
    const found = claims.find((claim) => claim.id === id || claim.id === `${prefix}${id}`)
    if (found !== undefined) return found
    const names = claims.map((claim) => claim.id)
    throw unknownName('claim', id, names, '--only')
  })
  return asked.length === 0 ? claims : claims.filter((claim) => asked.includes(claim))
}

export const casesOf = (claims: readonly Claim[]) =>
  claims.flatMap((claim) => claim.cases.map((one) => ({ claim, one })))

/** The preset that a case was run under, where its model has presets. */
export function presetOf({ judged: { result } }: RunCase): string | undefined {
  const { preset } = result.config as { readonly preset?: unknown }
  return typeof preset === 'string' ? preset : undefined
}

/** Runs one search, which `search` does when it is told how it is watched. */
export type Explore = (
  label: string,
  search: (watched: Watched) => Promise<JudgedCase>,
) => Promise<JudgedCase>

/** Each case as it comes; ends before its time if the user asks for that. */
export async function* runCases(
  claims: readonly Claim[],
  explore: Explore,
  signal?: AbortSignal,
): AsyncGenerator<RunCase> {
  const cases = casesOf(claims)
  for (const [index, { claim, one }] of cases.entries()) {
    const label = `${index + 1} of ${cases.length}, ${claim.id}, ${one.name}: `
    const watch = signal === undefined ? {} : { signal }
    const judged = await explore(label, (watched) => judgeCase(one, { ...watched, ...watch }))
    if (signal?.aborted === true) return
    yield { claim, one, judged }
  }
}
