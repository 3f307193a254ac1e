import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { reporters } from '../../../traces/index.ts'
import { reported, results } from './hostile.ts'

/** An object of SARIF 2.1.0 with these properties and no others; optional ones are named with a question mark. */
const object = (properties: Record<string, object>) => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name.replace('?', ''), schema]),
  ),
  required: Object.keys(properties).filter((name) => !name.endsWith('?')),
  additionalProperties: false,
})
const list = (items: object) => ({ type: 'array', items })
const string = { type: 'string' }
const index = { type: 'integer', minimum: 0 }
const bag = { type: 'object' }
const message = object({ text: { type: 'string', minLength: 1 } })
const location = object({
  'message?': message,
  'physicalLocation?': object({
    artifactLocation: object({ uri: { type: 'string', format: 'uri-reference' } }),
  }),
  'logicalLocations?': list(
    object({ 'name?': string, fullyQualifiedName: string, kind: { enum: ['module', 'function'] } }),
  ),
})
const result = object({
  ruleId: string,
  ruleIndex: index,
  kind: { enum: ['notApplicable', 'pass', 'fail', 'review', 'open', 'informational'] },
  level: { enum: ['none', 'note', 'warning', 'error'] },
  message,
  locations: list(location),
  'codeFlows?': list(
    object({
      'message?': message,
      threadFlows: list(object({ locations: list(object({ executionOrder: index, location })) })),
    }),
  ),
  properties: bag,
})
const rule = object({
  id: string,
  shortDescription: message,
  'fullDescription?': message,
  'help?': message,
  properties: bag,
})
const invocation = object({
  executionSuccessful: { type: 'boolean' },
  commandLine: string,
  toolExecutionNotifications: list(
    object({ level: { enum: ['none', 'note', 'warning', 'error'] }, message }),
  ),
})
const log = object({
  $schema: { type: 'string', pattern: '/sarif-schema-2\\.1\\.0\\.json$' },
  version: { const: '2.1.0' },
  runs: list(
    object({
      tool: object({ driver: object({ name: string, semanticVersion: string, rules: list(rule) }) }),
      automationDetails: object({ description: message }),
      invocations: list(invocation),
      results: list(result),
      properties: bag,
    }),
  ),
})
const ajv = new Ajv2020({ allErrors: true, formats: { 'uri-reference': /^[\w%.:/-]+$/ } })
const validate = ajv.compile(log)

const read = (name: keyof typeof results, given = {}) =>
  JSON.parse(reporters.sarif({ ...reported(results[name]), ...given })).runs[0]

interface Failure {
  readonly ruleId: string
  readonly kind: string
  readonly level: string
  readonly message: { readonly text: string }
}

describe('the SARIF report', () => {
  it.each(Object.entries(results))('of %s has the structure of the standard', (_, found) => {
    const document = JSON.parse(reporters.sarif(reported(found)))
    validate(document)
    expect(validate.errors ?? []).toEqual([])
    const [run] = document.runs
    for (const { ruleId, ruleIndex, kind, level } of run.results) {
      expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId)
      // Section 3.27.10 of the standard: only a failure has a level.
      expect(level === 'none').toBe(kind !== 'fail')
    }
    expect(run.tool.driver.rules).toHaveLength(found.properties.length)
  })

  it('has an error for what is violated, unwitnessed or vacuous, and nothing for what holds', () => {
    const facts = (read('everything').results as Failure[]).map(
      ({ ruleId, kind, level, message: { text } }) => [ruleId, kind, level, text],
    )
    expect(facts).toMatchInlineSnapshot(`
      [
        [
          "n < 2 & "small", ]]> 100%: ::error::owned",
          "fail",
          "error",
          "violated in 2 steps: not "it is <small>" (n & m = 2)",
        ],
        [
          "nothing is negative",
          "fail",
          "error",
          "vacuous: what it is about never happens",
        ],
        [
          "n is '7' <never>",
          "fail",
          "error",
          "unwitnessed: it is true in no state that is reachable within the configured bounds",
        ],
        [
          "deadlock freedom",
          "fail",
          "error",
          "violated in 3 steps",
        ],
      ]
    `)
  })

  it('tells a counterexample as a code flow, and where the model is', () => {
    const [first] = read('everything').results
    expect({ locations: first.locations, codeFlows: first.codeFlows }).toMatchInlineSnapshot(`
      {
        "codeFlows": [
          {
            "threadFlows": [
              {
                "locations": [
                  {
                    "executionOrder": 1,
                    "location": {
                      "message": {
                        "text": "initial state",
                      },
                    },
                  },
                  {
                    "executionOrder": 2,
                    "location": {
                      "logicalLocations": [
                        {
                          "fullyQualifiedName": "model <&"'>.Raise ]]>",
                          "kind": "function",
                          "name": "Raise ]]>",
                        },
                      ],
                      "message": {
                        "text": "::error::owned by a lane  ##[error]owned\\u0000 fencepost-1
      [Raise ]]> by="1\\n::error::owned by an argument"]",
                      },
                    },
                  },
                  {
                    "executionOrder": 3,
                    "location": {
                      "logicalLocations": [
                        {
                          "fullyQualifiedName": "model <&"'>.Raise ]]>",
                          "kind": "function",
                          "name": "Raise ]]>",
                        },
                      ],
                      "message": {
                        "text": "::error::owned by a lane  ##[error]owned\\u0000 fencepost-1
      [Raise ]]> by="1\\n::error::owned by an argument"]",
                      },
                    },
                  },
                ],
              },
            ],
          },
        ],
        "locations": [
          {
            "logicalLocations": [
              {
                "fullyQualifiedName": "model <&"'>",
                "kind": "module",
              },
            ],
            "physicalLocation": {
              "artifactLocation": {
                "uri": "models/model.ts",
              },
            },
          },
        ],
      }
    `)
    const { file: _, ...noFile } = reported(results.everything)
    const [scenario] = JSON.parse(reporters.sarif(noFile)).runs[0].results
    expect(scenario.locations[0]).not.toHaveProperty('physicalLocation')
  })

  it('says of each rule what it is for and who says so', () => {
    const { rules } = read('everything').tool.driver
    expect(rules[0]).toMatchInlineSnapshot(`
      {
        "fullDescription": {
          "text": "What is <meant> & why.",
        },
        "help": {
          "text": "What is <meant> & why.

      Sources: KIP-98; a "source"",
        },
        "id": "n < 2 & "small", ]]> 100%: ::error::owned",
        "properties": {
          "kind": "always",
        },
        "shortDescription": {
          "text": "n < 2 & "small", ]]> 100%: ::error::owned",
        },
      }
    `)
    expect(rules[1].help).toEqual({ text: 'It always is.' })
    expect(rules[2]).not.toHaveProperty('help')
  })

  it.each([['a violation that leaves others open'], ['a limited search'], ['a sample']] as const)(
    'says what is open, and why, after %s',
    (name) => {
      const { results: found, invocations } = read(name)
      const open = found.filter(({ kind }: { kind: string }) => kind === 'open')
      const reasons = invocations[0].toolExecutionNotifications
      expect({ open: open.map(({ ruleId }: { ruleId: string }) => ruleId), reasons }).toMatchSnapshot()
    },
  )
})
