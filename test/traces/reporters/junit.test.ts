import { readFileSync } from 'node:fs'
import { XmlDocument, type XmlElement, XsdValidator } from 'libxml2-wasm'
import { describe, expect, it } from 'vitest'
import { reporters } from '../../../traces/index.ts'
import { sentenceOf } from '../../../traces/reporters/reported.ts'
import { below, reported, results } from './hostile.ts'

const schema = XsdValidator.fromDoc(
  XmlDocument.fromString(readFileSync(new URL('junit.xsd', import.meta.url), 'utf8')),
)

const parsed = (result: (typeof results)[keyof typeof results]) =>
  XmlDocument.fromString(reporters.junit(reported(result)))

const cases = (document: XmlDocument) =>
  (document.find('//testcase') as XmlElement[]).map((element) => {
    const child = element.get('*') as XmlElement
    const told = child.attr('message')?.value ?? child.content
    return [element.attr('name')?.value, child.name, told]
  })

describe('the JUnit report', () => {
  it.each(Object.entries(results))('of %s is XML of the structure that is read everywhere', (_, result) => {
    const document = parsed(result)
    expect(() => schema.validate(document)).not.toThrow()
    const count = (what: string) => document.find(`//testcase/${what}`).length
    const suite = document.get('//testsuite') as XmlElement
    const attributes = Object.fromEntries(suite.attrs.map(({ name, value }) => [name, value]))
    expect(attributes).toMatchObject({
      name: './model <&">.ts, without "a % of it"',
      tests: String(result.properties.length),
      failures: String(count('failure')),
      skipped: String(count('skipped')),
      errors: '0',
      time: '1.500',
    })
  })

  it('fails what is violated, unwitnessed or vacuous, and passes what is settled', () => {
    expect(cases(parsed(results.everything))).toMatchInlineSnapshot(`
      [
        [
          "n < 2 & "small", ]]> 100%: ::error::owned",
          "failure",
          "violated in 2 steps: not "it is <small>" (n & m = 2)",
        ],
        [
          "n is a number",
          "system-out",
          "proved: every state that is reachable within the configured bounds was visited",
        ],
        [
          "nothing is negative",
          "failure",
          "vacuous: what it is about never happens",
        ],
        [
          "n is 1",
          "system-out",
          "witnessed in 1 step",
        ],
        [
          "n is '7' <never>",
          "failure",
          "unwitnessed: it is true in no state that is reachable within the configured bounds",
        ],
        [
          "deadlock freedom",
          "failure",
          "violated in 3 steps",
        ],
      ]
    `)
  })

  it('tells how it breaks, whatever the names are', () => {
    const document = parsed(results.everything)
    const first = document.get('//failure') as XmlElement
    expect((document.get('//testcase') as XmlElement).attr('name')?.value).toBe(below)
    expect(first.content).toMatchInlineSnapshot(`
      "1  ::error::owned by a lane  ##[error]owned\\u0000 fencepost-1  [Raise ]]> by="1\\n::error::owned by an argument"]
             n: 0 -> 1
      2  ::error::owned by a lane  ##[error]owned\\u0000 fencepost-1  [Raise ]]> by="1\\n::error::owned by an argument"]
             n: 1 -> 2

      violated: n < 2 & "small", ]]> 100%: ::error::owned: not "it is <small>"
          n & m = 2

      repeat: npx fencepost check './model <&">.ts'"
    `)
  })

  it.each([['a violation that leaves others open'], ['a limited search'], ['a sample']] as const)(
    'never passes what is open after %s',
    (name) => {
      const result = results[name]
      const open = result.properties.filter(({ verdict }) => /bounded|sampled|inconclusive/.test(verdict))
      expect(open.length).toBeGreaterThan(1)
      const skipped = cases(parsed(result)).filter(([, child]) => child === 'skipped')
      expect(skipped).toHaveLength(open.length)
      expect(new Set(skipped.map(([, , told]) => told))).toEqual(new Set(open.map(sentenceOf)))
    },
  )

  it('is not taken for valid XML when it is not', () => {
    expect(() => XmlDocument.fromString('<a b="\u0001"/>')).toThrow()
    const wrong = reporters
      .junit(reported(results.everything))
      .replace(/<failure message="[^"]*"/, '<failure')
    expect(() => schema.validate(XmlDocument.fromString(wrong))).toThrow(/message/)
  })
})
