/** The result of a check or a simulation as JSON, format `fencepost-result/1`; its schema is schemas/result.json. */
import type { CheckResult } from '../../checker/index.ts'

/** `files`: trace files by the name of their property. */
export function resultJson(result: CheckResult, files: ReadonlyMap<string, string>): string {
  const { model, config, defencesOff, verdict, states, depth, symmetry, limit, sample } = result
  const { elapsedMs, workers, memoryBytes, coverage } = result
  const preset = (config as { preset?: unknown } | null)?.preset
  const document = {
    format: 'fencepost-result/1',
    model,
    ...(typeof preset === 'string' ? { preset } : {}),
    config,
    defencesOff,
    verdict,
    states,
    depth,
    properties: result.properties.map(({ trace: _, ...property }) => ({
      ...property,
      ...(files.has(property.name) ? { trace: files.get(property.name) } : {}),
    })),
    coverage,
    ...(symmetry === undefined ? {} : { symmetry }),
    ...(limit === undefined ? {} : { limit }),
    ...(sample === undefined ? {} : { sample }),
    elapsedMs,
    workers,
    memoryBytes,
  }
  return `${JSON.stringify(document, null, 2)}\n`
}
