/** What was found of dumps as JSON, format `fencepost-validation/1`; its schema is schemas/validation.json. */
import { doubts, rules, type Validation } from '../../dumps/index.ts'

export function validationJson(validation: Validation): string {
  const document = {
    format: 'fencepost-validation/1',
    ...validation,
    findings: validation.findings.map((finding) => {
      const { because, sources } = rules[finding.rule]
      return { ...finding, because, sources }
    }),
    doubts: validation.doubts.map((doubt) => ({ ...doubt, because: doubts[doubt.about] })),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}
