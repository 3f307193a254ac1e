/** What `fencepost ablate` found as JSON, format `fencepost-ablation/1`; its schema is schemas/ablation.json. */
import type { Removal } from '../ablate/removals.ts'

interface AblationFound {
  readonly model: string
  readonly removals: readonly Removal[]
  /** Defences that do not exist where they were to be removed. */
  readonly lacking: readonly string[]
  readonly interrupted: boolean
}

/** `fileOf`: the trace file of a property that falls. */
type FileOf = (removal: Removal, property: string) => string | undefined

export function ablationJson(
  { model, removals, lacking, interrupted }: AblationFound,
  fileOf: FileOf,
): string {
  const document = {
    format: 'fencepost-ablation/1',
    model,
    interrupted,
    lacking,
    removals: removals.map((removal) => removalJson(removal, fileOf)),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function removalJson(removal: Removal, fileOf: FileOf) {
  const { defencesOff, situation, outcome, onlyTogether, coveredBy, cells, result } = removal
  return {
    defencesOff,
    scenario: situation.scenario,
    preset: situation.preset,
    outcome,
    ...(defencesOff.length === 1 ? { coveredBy } : { onlyTogether }),
    properties: cells.map(({ property, kind, verdict, effect, steps }) => {
      const trace = effect === 'falls' ? fileOf(removal, property) : undefined
      return {
        name: property,
        kind,
        verdict,
        effect,
        ...(steps === undefined ? {} : { steps }),
        ...(trace === undefined ? {} : { trace }),
      }
    }),
    states: result.states,
    depth: result.depth,
    ...(result.limit === undefined ? {} : { limit: result.limit }),
    elapsedMs: result.elapsedMs,
  }
}
