/** What the search did, and what it never did. */
import type { CheckResult, GuardCoverage } from '../../checker/index.ts'
import { boundsTexts } from './bounds.ts'
import { counted, grouped, mebibytes, seconds } from './numbers.ts'

export interface CoverageOptions {
  /** Also name guards that were always true, or always false. */
  readonly guards: boolean
  /** Leaves out what never happened: of a search for one way that says nothing. */
  readonly brief?: boolean
}

export function coverageLines(result: CheckResult, { guards, brief = false }: CoverageOptions): string[] {
  const { coverage, states, depth, elapsedMs, memoryBytes } = result
  const transitions = coverage.actions.reduce((sum, { fired }) => sum + fired, 0)
  const neverFired = coverage.actions.filter(({ fired }) => fired === 0).map(({ name }) => name)
  const complete =
    result.limit === undefined &&
    result.sample === undefined &&
    !result.properties.some(({ verdict }) => verdict === 'inconclusive')
  return [
    ...labelled('bounds', boundsTexts(result.config)),
    ...labelled('states', [
      `${grouped(states.distinct)} distinct, ${grouped(states.generated)} generated, depth ${depth}`,
    ]),
    ...labelled('symmetry', symmetryTexts(result)),
    ...labelled('recipes', [recipeText(coverage.recipeRuns, transitions)]),
    ...labelled('took', [`${seconds(elapsedMs)}, ${mebibytes(memoryBytes.process)}`]),
    ...(brief ? [] : labelled(complete ? 'never fired' : 'not fired yet', neverFired)),
    ...(guards ? guardLines(result, complete) : []),
  ]
}

/** Guards that were reached and made no difference, and those that let nothing pass. */
function guardLines({ coverage }: CheckResult, complete: boolean): string[] {
  const named = (found: readonly GuardCoverage[]) => found.map(({ action, guard }) => `${action}: ${guard}`)
  const { guards } = coverage
  return [
    ...labelled(
      complete ? 'never blocked' : 'no block yet',
      named(guards.filter(({ blocked }) => blocked === 0)),
    ),
    ...labelled(
      complete ? 'never passed' : 'no pass yet',
      named(guards.filter(({ passed }) => passed === 0)),
    ),
  ]
}

/** How to understand the number of states, where it is not that of all states. */
function symmetryTexts({ symmetry }: CheckResult): string[] {
  if (symmetry === undefined) return []
  if (symmetry.unused !== undefined) return [`not used: ${symmetry.unused}`]
  const sorts = symmetry.sorts.map(({ sort, members }) => `${sort} (${members})`).join(', ')
  const extent = symmetry.complete ? 'in every case' : 'not in every case'
  const tested = `that it changes nothing was tested ${grouped(symmetry.tests)} times, ${extent}`
  return [`states that are the same up to renaming are one: ${sorts}`, tested]
}

function recipeText(runs: number, transitions: number): string {
  const perRun = runs === 0 ? 0 : transitions / runs
  const ratio = perRun < 10 ? perRun.toFixed(1) : grouped(Math.floor(perRun))
  return `${counted(runs, 'run')} for ${counted(transitions, 'transition')}, ${ratio} transitions a run`
}

const labelled = (label: string, values: readonly string[]): string[] =>
  values.map((value, index) => `${(index === 0 ? label : '').padEnd(14)}${value}`)
