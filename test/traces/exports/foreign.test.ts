import { instance } from '@viz-js/viz'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Plain, Trace } from '../../../index.ts'
import { writeDot } from '../../../traces/exports/dot.ts'
import { writeTla } from '../../../traces/exports/tla.ts'
import { writeTlcJson } from '../../../traces/exports/tlc-json.ts'
import { callText } from '../../../traces/text/steps.ts'
import { hostileTrace } from './arbitrary.ts'
import { readTla } from './tla-reader.ts'

const trace: Trace = {
  model: 'm',
  config: {},
  defencesOff: [],
  states: [
    { n: 0, who: null, 'a b': ['x"\\é', {}] },
    { n: -1, who: { IF: true }, 'a b': [] },
  ],
  steps: [
    {
      action: 'Go',
      args: { client: 0 },
      choices: [{ name: 'fate', value: null }],
      events: [{ kind: 'note', lane: 'a', text: 'so "it" is' }],
    },
  ],
  property: { name: 'n is 0', kind: 'always', failed: { part: 'zero', values: { n: -1 } } },
  loop: 0,
}

describe('writeTla', () => {
  it('defines each state, all of them, and the actions between them', () => {
    expect(writeTla(trace, { module: 'Loop' })).toMatchInlineSnapshot(`
      "---- MODULE Loop ----
      \\* a trace of m, about: n is 0
      EXTENDS Integers, Sequences, TLC

      \\* what is absent: null
      None == [tag |-> "None", value |-> <<>>]

      \\* the initial state
      State0 == (
        "a b" :> <<"x\\"\\\\\\\\u00e9", <<>>>> @@
        "n" :> 0 @@
        "who" :> None)

      \\* 1. a  so "it" is  [Go client=0; fate=null]
      State1 == (
        "a b" :> <<>> @@
        "n" :> -1 @@
        "who" :> ("IF" :> TRUE))

      Trace == <<State0, State1>>

      \\* Actions[n] leads from Trace[n] to Trace[n + 1]
      Actions == <<"[Go client=0; fate=null]">>

      \\* the last state is this one of Trace again
      Loop == 1
      =====================
      "
    `)
  })

  it('takes no name for a module that is none', () => {
    expect(writeTla(trace, { module: 'late marker' })).toContain('MODULE Trace')
    expect(writeTla(trace, { module: 'MODULE' })).toContain('MODULE Trace')
  })

  it.each([
    ['|->', '|-'],
    ['<<"x', '<"x'],
    ['None ==', 'None ='],
    ['====', ''],
  ])('is refused by the reader with %s for %s', (from, to) => {
    expect(() => readTla(writeTla(trace))).not.toThrow()
    expect(() => readTla(writeTla(trace).replaceAll(from, to))).toThrow(SyntaxError)
  })

  it('is a module that has the states, whatever the texts and values are', () => {
    fc.assert(
      fc.property(hostileTrace, (random) => {
        const text = writeTla(random)
        const { definitions } = readTla(text)
        const names = random.states.map((_, index) => `State${index}`)
        expect([...definitions.keys()]).toEqual([
          ...['None', ...names, 'Trace', 'Actions'],
          ...(random.loop === undefined ? [] : ['Loop']),
        ])
        expect(definitions.get('Trace')).toEqual(names.map((reference) => ({ reference })))
        expect(definitions.get('Actions')).toHaveLength(random.steps.length)
        random.states.forEach((state, index) => {
          expect(definitions.get(`State${index}`)).toEqual(inTla(state))
        })
        expect(text).toMatch(/^[\n -~]*$/)
      }),
    )
  })
})

/** What is read back: texts in ASCII, a name for null, and no difference between an empty record and an empty list. */
function inTla(value: Plain): unknown {
  if (value === null) return { reference: 'None' }
  if (typeof value === 'string') return ascii(value)
  if (Array.isArray(value)) return value.map(inTla)
  if (typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, one]) => [ascii(key), inTla(one)])
  return entries.length === 0 ? [] : Object.fromEntries(entries)
}

const ascii = (text: string): string =>
  text.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

describe('writeTlcJson', () => {
  it('has numbered states, and actions between them; the loop is the last', () => {
    expect(JSON.parse(writeTlcJson(trace))).toMatchInlineSnapshot(`
      {
        "counterexample": {
          "action": [
            [
              [
                1,
                {
                  "a b": [
                    "x"\\é",
                    {},
                  ],
                  "n": 0,
                  "who": {
                    "tag": "None",
                    "value": [],
                  },
                },
              ],
              {
                "context": {
                  "client": 0,
                  "fate": {
                    "tag": "None",
                    "value": [],
                  },
                },
                "location": {
                  "beginColumn": 0,
                  "beginLine": 0,
                  "endColumn": 0,
                  "endLine": 0,
                  "module": "fencepost",
                },
                "name": "Go",
                "parameters": [],
              },
              [
                2,
                {
                  "a b": [],
                  "n": -1,
                  "who": {
                    "IF": true,
                  },
                },
              ],
            ],
            [
              [
                2,
                {
                  "a b": [],
                  "n": -1,
                  "who": {
                    "IF": true,
                  },
                },
              ],
              {
                "context": {},
                "location": {
                  "beginColumn": 0,
                  "beginLine": 0,
                  "endColumn": 0,
                  "endLine": 0,
                  "module": "fencepost",
                },
                "name": "UnnamedAction",
                "parameters": [],
              },
              [
                1,
                {
                  "a b": [
                    "x"\\é",
                    {},
                  ],
                  "n": 0,
                  "who": {
                    "tag": "None",
                    "value": [],
                  },
                },
              ],
            ],
          ],
          "state": [
            [
              1,
              {
                "a b": [
                  "x"\\é",
                  {},
                ],
                "n": 0,
                "who": {
                  "tag": "None",
                  "value": [],
                },
              },
            ],
            [
              2,
              {
                "a b": [],
                "n": -1,
                "who": {
                  "IF": true,
                },
              },
            ],
          ],
        },
        "vars": [
          "a b",
          "n",
          "who",
        ],
      }
    `)
  })

  it('has what the reader of TLC asks for, for any trace', () => {
    fc.assert(
      fc.property(hostileTrace, (random) => {
        const { counterexample, vars } = JSON.parse(writeTlcJson(random))
        const { state, action } = counterexample
        expect(vars).toEqual(['IF', 'a', 'b c', 'if'])
        expect(state.map(([number]: [number]) => number)).toEqual(random.states.map((_, index) => index + 1))
        for (const [, values] of state) expect(Object.keys(values).sort()).toEqual(vars)
        action.forEach(([from, { name }, to]: [unknown, { name: string }, [number]], index: number) => {
          expect(from).toEqual(state[index])
          expect(to).toEqual(state[to[0] - 1])
          expect(name).toBe(random.steps[index]?.action ?? 'UnnamedAction')
        })
        const back = action.filter(([[from], , [to]]: [[number], unknown, [number]]) => to <= from)
        expect(back.map(([, , [to]]: [unknown, unknown, [number]]) => to - 1)).toEqual(
          random.loop === undefined ? [] : [random.loop],
        )
        expect(JSON.stringify(counterexample)).not.toContain('null')
      }),
    )
  })
})

describe('writeDot', () => {
  it('has states with what changed, and steps between them', () => {
    expect(writeDot(trace, { slice: new Set() })).toMatchInlineSnapshot(`
      "digraph trace {
        graph [label="a trace of m\\lviolated: n is 0: not \\"zero\\"\\ln = -1\\l", labelloc=t, labeljust=l, fontname="Helvetica"]
        node [shape=box, style=rounded, fontname="Helvetica", fontsize=10]
        edge [fontname="Helvetica", fontsize=10]
        s0 [label="initial state\\l"]
        s1 [label="state 1\\ln: 0 -> -1\\lwho: null -> {IF: true}\\l[\\"a b\\"]: - \\"x\\\\\\"\\\\\\\\é\\"\\l[\\"a b\\"]: - {}\\l", color="#c0392b", penwidth=2]
        s0 -> s1 [label="1. [Go client=0; fate=null]\\la  so \\"it\\" is\\l", style=dashed]
        s1 -> s0 [label="again", constraint=false]
      }
      "
    `)
  })

  it('is read by Graphviz, whatever the texts are', async () => {
    await fc.assert(
      fc.asyncProperty(hostileTrace, async (random) => {
        // One instance for several graphs may fail in its own code after some of them.
        const viz = await instance()
        const { objects = [], edges = [] } = viz.renderJSON(writeDot(random)) as {
          objects?: { label: string }[]
          edges?: { label: string }[]
        }
        expect(objects).toHaveLength(random.states.length)
        expect(edges).toHaveLength(random.steps.length + (random.loop === undefined ? 0 : 1))
        const labels = random.steps.map((step, index) => `${index + 1}. ${callText(step)}`)
        const read = edges.slice(0, labels.length).map(({ label }) => label.split('\\l')[0])
        const unescaped = read.map((text) => text?.replaceAll(/\\(["\\])/g, '$1').replaceAll('&amp;', '&'))
        expect(unescaped.sort()).toEqual(labels.map((label) => label.split('\\l')[0]).sort())
      }),
      { numRuns: 60 },
    )
  })
})
