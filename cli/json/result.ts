/** The result of a check or a simulation as JSON, format `fencepost-result/1`; its schema is schemas/result.json. */
import type { CheckResult, PropertyResult } from '../../checker/index.ts'
import { wayName } from '../trace-files.ts'

/** `files`: trace files by the name of their property. */
export function resultJson(result: CheckResult, files: ReadonlyMap<string, string>): string {
  const { model, config, defencesOff, verdict, states, depth, limit, sample } = result
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
    properties: result.properties.map((property) => propertyJson(property, files)),
    coverage,
    ...(limit === undefined ? {} : { limit }),
    ...(sample === undefined ? {} : { sample }),
    elapsedMs,
    workers,
    memoryBytes,
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function propertyJson({ trace, ways, ...property }: PropertyResult, files: ReadonlyMap<string, string>) {
  const fileOf = (name: string) => (files.has(name) ? { trace: files.get(name) } : {})
  if (ways === undefined) return { ...property, ...fileOf(property.name) }
  const found = ways.found.map(({ faults, isMinimal, trace: other }, index) => ({
    faults,
    isMinimal,
    depth: other.states.length,
    ...fileOf(other === trace ? property.name : wayName(property.name, index)),
  }))
  return { ...property, ...fileOf(property.name), ways: { ...ways, found } }
}
