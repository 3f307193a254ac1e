/** What the search did, and what it never did. */
import type { CheckResult } from '../../checker/index.ts'
import { counted, grouped, mebibytes, seconds } from './numbers.ts'

export interface CoverageOptions {
  /** Also name guards that never blocked anything. */
  readonly guards: boolean
}

export function coverageLines(result: CheckResult, { guards }: CoverageOptions): string[] {
  const { coverage, states, depth, elapsedMs, memoryBytes } = result
  const transitions = coverage.actions.reduce((sum, { fired }) => sum + fired, 0)
  const perRun = coverage.recipeRuns === 0 ? 0 : Math.floor(transitions / coverage.recipeRuns)
  const neverFired = coverage.actions.filter(({ fired }) => fired === 0).map(({ name }) => name)
  const neverBlocked = coverage.guards.filter(({ blocked }) => blocked === 0)
  return [
    `states       ${grouped(states.distinct)} distinct, ${grouped(states.generated)} generated, depth ${depth}`,
    `recipes      ${counted(coverage.recipeRuns, 'run')} for ${counted(transitions, 'transition')}, ` +
      `${counted(perRun, 'transition')} a run`,
    `took         ${seconds(elapsedMs)}, ${mebibytes(memoryBytes.process)}`,
    ...named('never fired', neverFired),
    ...(guards
      ? named(
          'never blocked',
          neverBlocked.map(({ action, guard }) => `${action}: ${guard}`),
        )
      : []),
  ]
}

const named = (label: string, names: readonly string[]): string[] =>
  names.map((name, index) => `${(index === 0 ? label : '').padEnd(13)}${name}`)
