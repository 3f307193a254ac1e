/** The JSON schemas of the package. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'

const schemaOf = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../schemas/${name}.json`, import.meta.url), 'utf8'))

/** What the schema of the package says is wrong with a document. */
export function problems(schema: string, document: unknown) {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true })
  const validate = ajv.compile(schemaOf(schema))
  validate(document)
  return validate.errors ?? []
}
