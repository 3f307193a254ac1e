/** An explanation as JSON, format `fencepost-explanation/1`; its schema is schemas/explanation.json. */
import type { Explanation } from '../../traces/index.ts'

export function explanationJson({
  trace,
  slice,
  incidental,
  sealing,
  prevention,
  sentence,
}: Explanation): string {
  const { model, config, defencesOff, property, steps } = trace
  const preset = (config as { preset?: unknown } | null)?.preset
  const document = {
    format: 'fencepost-explanation/1',
    model,
    ...(typeof preset === 'string' ? { preset } : {}),
    config,
    defencesOff,
    property,
    sentence,
    steps: steps.map(({ action, args, choices }, index) => ({ number: index + 1, action, args, choices })),
    slice,
    incidental,
    sealing,
    prevention,
  }
  return `${JSON.stringify(document, null, 2)}\n`
}
