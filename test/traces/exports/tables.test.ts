import { csvParseRows } from 'd3-dsv'
import fc from 'fast-check'
import { Lexer, type Tokens } from 'marked'
import { describe, expect, it } from 'vitest'
import { type Trace, valueText } from '../../../index.ts'
import { writeCsv } from '../../../traces/exports/csv.ts'
import { writeJsonl } from '../../../traces/exports/jsonl.ts'
import { writeMarkdown } from '../../../traces/exports/markdown.ts'
import { visible } from '../../../traces/text/value.ts'
import { hostileTrace } from './arbitrary.ts'

const trace: Trace = {
  model: 'm',
  config: {},
  defencesOff: ['epoch check'],
  states: [{ n: 0 }, { n: 1 }, { n: 1 }],
  steps: [
    {
      action: 'Go',
      args: { client: 0 },
      choices: [{ name: 'fate', value: 'lost' }],
      events: [
        { kind: 'sent', lane: 'a', peer: 'b', message: 'M', fields: { x: 1 } },
        { kind: 'note', lane: 'b', text: '=1+1, "quoted" | a*b* <i>' },
      ],
      faults: ['crashes'],
    },
    { action: 'Rest', args: {}, choices: [], events: [] },
  ],
  property: { name: 'n is | 0', kind: 'always', failed: { part: 'zero', values: { n: 1 } } },
}

describe('writeCsv', () => {
  it('has a row for each event, and one for a step without', () => {
    expect(writeCsv(trace).replaceAll('\r', '')).toMatchInlineSnapshot(`
      "step,action,arguments,choices,faults,event,lane,peer,message,fields,text
      1,Go,client=0,fate=lost,crashes,sent,a,b,M,x=1,
      1,Go,client=0,fate=lost,crashes,note,b,,,,"'=1+1, ""quoted"" | a*b* <i>"
      2,Rest,,,,,,,,,
      "
    `)
  })

  it('is read back by a reader of CSV, whatever the texts are', () => {
    fc.assert(
      fc.property(hostileTrace, (random) => {
        const text = writeCsv(random)
        const [header, ...rows] = csvParseRows(text)
        const told = random.steps.flatMap<{ readonly text?: string }>(({ events }) =>
          events.length === 0 ? [{}] : [...events],
        )
        expect(header).toHaveLength(11)
        expect(rows.map((row) => row.at(-1))).toEqual(
          told.map((event) => visible(event.text ?? '').replace(/^(?=[=+\-@])/, "'")),
        )
        expect(rows.every((row) => row.length === 11 && !row.some((cell) => /^[=+\-@]/.test(cell)))).toBe(
          true,
        )
        expect(text.replaceAll('\r\n', '')).not.toMatch(/\p{Cc}/u)
      }),
    )
  })
})

describe('writeJsonl', () => {
  it('says what it is a trace of, then tells state after state', () => {
    expect(writeJsonl(trace)).toMatchInlineSnapshot(`
      "{"config":{},"defencesOff":["epoch check"],"kind":"trace","length":2,"model":"m","property":{"failed":{"part":"zero","values":{"n":1}},"kind":"always","name":"n is | 0"}}
      {"kind":"initial","state":{"n":0},"step":0}
      {"action":"Go","args":{"client":0},"choices":[{"name":"fate","value":"lost"}],"events":[{"fields":{"x":1},"kind":"sent","lane":"a","message":"M","peer":"b"},{"kind":"note","lane":"b","text":"=1+1, \\"quoted\\" | a*b* <i>"}],"faults":["crashes"],"kind":"step","state":{"n":1},"step":1,"told":["a -> b  M x=1","b  =1+1, \\"quoted\\" | a*b* <i>"]}
      {"action":"Rest","args":{},"choices":[],"events":[],"kind":"step","state":{"n":1},"step":2,"told":[]}
      "
    `)
  })

  it('gives the trace back', () => {
    fc.assert(
      fc.property(hostileTrace, (random) => {
        const text = writeJsonl(random)
        const [about, initial, ...steps] = text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
        const { kind: _, length, ...facts } = about
        expect(length).toBe(random.steps.length)
        expect({
          ...facts,
          states: [initial.state, ...steps.map(({ state }) => state)],
          steps: steps.map(({ kind, step, told, state, ...taken }) => taken),
        }).toEqual(random)
      }),
    )
  })
})

const squeezed = (text: string): string => visible(text).replaceAll(/ +/g, ' ').trim()

/** What a reader of Markdown takes for the text of a cell. */
const textOf = ({ tokens }: Tokens.TableCell): string =>
  tokens
    .map((token) => {
      if (token.type === 'br' || token.raw === '<br>') return '\n'
      if (token.type !== 'text' && token.type !== 'escape' && token.type !== 'strong') {
        throw new Error(`markup: ${token.type} ${token.raw}`)
      }
      return (token as Tokens.Text).text
    })
    .join('')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")

describe('writeMarkdown', () => {
  it('has what it shows, and a table of the steps', () => {
    expect(writeMarkdown(trace, { slice: new Set([1]) })).toMatchInlineSnapshot(`
      "## n is \\| 0

      - violated: n is \\| 0: not "zero"
      - n = 1
      - defence switched off: epoch check

      | step | what happens | action | what changes |
      |---:|---|---|---|
      | **1** | a -&#62; b M x=1<br>b =1+1, "quoted" \\| a\\*b\\* &#60;i&#62; | \\[Go client=0; fate=lost\\] | n: 0 -&#62; 1 |
      | 2 |  | \\[Rest\\] |  |
      "
    `)
  })

  it('says how a loop goes on', () => {
    expect(writeMarkdown({ ...trace, loop: 1 })).toContain('And so on for ever from state 1')
    expect(writeMarkdown({ ...trace, loop: 2 })).toContain('After that nothing can happen any more')
  })

  it('is read as text, whatever the texts are', () => {
    fc.assert(
      fc.property(hostileTrace, (random) => {
        const tokens = Lexer.lex(writeMarkdown(random), { gfm: true }).filter(({ type }) => type !== 'space')
        expect(tokens[0]?.type).toBe('heading')
        const table = tokens.find(({ type }) => type === 'table') as Tokens.Table
        expect(table.rows).toHaveLength(random.steps.length)
        table.rows.forEach((row, index) => {
          const step = random.steps[index]!
          const action = textOf(row[2] as Tokens.TableCell)
          expect(action.startsWith(squeezed(`[${step.action}`))).toBe(true)
          for (const { name, value } of step.choices) {
            expect(action).toContain(squeezed(`${name}=${valueText(value)}`))
          }
          expect(() => [row[1], row[3]].map((cell) => textOf(cell as Tokens.TableCell))).not.toThrow()
        })
        expect(['heading', 'list', 'table', 'paragraph']).toEqual(
          expect.arrayContaining([...new Set(tokens.map(({ type }) => type))]),
        )
      }),
    )
  })
})
