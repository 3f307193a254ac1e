/** The schema of questions in files, made from what is listed, so that it has every parameter that there is. */
import type { Listing } from '../../cli/list/listing.ts'

type Parameter = Listing['parameters'][number]

const names = (of: string) => ({ type: 'array', items: { type: 'string' }, description: of })

function schemaOf({ allowed, summary }: Pick<Parameter, 'allowed' | 'summary'>) {
  const description = summary
  if (allowed === undefined || 'keys' in allowed) return { type: 'object', description }
  if ('oneOf' in allowed) return { enum: allowed.oneOf, description }
  const { from: minimum, to: maximum } = allowed
  return { type: 'integer', minimum, ...(maximum === undefined ? {} : { maximum }), description }
}

const entries = (parameters: readonly Parameter[], prefix = '') =>
  Object.fromEntries(parameters.map((one) => [one.name.slice(prefix.length), schemaOf(one)]))

/** Programs have parameters of their own: where they are named, others are not looked at. */
export function configurationSchema({ parameters }: Listing) {
  const isFlag = ({ name }: Parameter) => name.startsWith('flags.')
  const own = entries(parameters.filter((one) => !isFlag(one)))
  const question = {
    $schema: { type: 'string' },
    scenario: { type: 'string', description: 'The scenario that the parameters change.' },
    without: names('Defences that are switched off.'),
    properties: names('Properties that are asked; all that are promised if none is named.'),
  }
  const flags = {
    ...own.flags,
    properties: entries(parameters.filter(isFlag), 'flags.'),
    additionalProperties: false,
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'fencepost-configuration/1',
    title: 'A question for fencepost check',
    description: 'What `fencepost check --config` reads.',
    type: 'object',
    if: { properties: { scenario: { const: 'programs' } }, required: ['scenario'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { properties: { ...question, apps: { type: 'array' } }, required: ['apps', 'properties'] },
    else: { properties: { ...question, ...own, flags }, additionalProperties: false },
  }
}
