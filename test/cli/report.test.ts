import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exitCodeOf } from '../../cli/exit-codes.ts'
import { shownVerdict, verdictSentences } from '../../cli/report/verdict.ts'
import type { CheckResult, Limit, PropertyResult } from '../../index.ts'
import { fencepost, temporaryFolder } from './harness.ts'

const property = (given: Partial<PropertyResult>): PropertyResult => ({
  name: 'p',
  kind: 'always',
  verdict: 'proved',
  vacuous: false,
  ...given,
})

const resultOf = (given: Partial<CheckResult>): CheckResult => ({
  model: 'm',
  config: {},
  defencesOff: [],
  verdict: 'proved',
  states: { distinct: 1, generated: 1 },
  depth: 9,
  properties: [property({})],
  coverage: { actions: [], guards: [], components: [], properties: [], recipeRuns: 0 },
  elapsedMs: 0,
  workers: 1,
  memoryBytes: { engine: 0, process: 0 },
  ...given,
})

describe('the verdict in words', () => {
  it.each<[string, Partial<CheckResult>, string[], number]>([
    ['a proof', {}, ['every state that is reachable within the configured bounds was visited'], 0],
    [
      'a witness that is missing',
      {
        verdict: 'violated',
        properties: [property({ kind: 'reachable', verdict: 'unwitnessed', vacuous: true })],
      },
      ['never happens: p'],
      1,
    ],
    [
      'a violation in an initial state',
      { verdict: 'violated', properties: [property({ verdict: 'violated', depth: 1 })] },
      ['violated in 0 steps: p'],
      1,
    ],
    [
      'a violation that leaves others open',
      {
        verdict: 'violated',
        properties: [
          property({ verdict: 'violated', depth: 2 }),
          property({ name: 'q', verdict: 'inconclusive' }),
        ],
      },
      ['violated in 1 step: p', 'the search stopped at depth 9; --continue settles the other properties'],
      1,
    ],
    [
      'a vacuous property',
      { properties: [property({ vacuous: true })] },
      [
        'vacuous, what they are about never happens: p',
        'every state that is reachable within the configured bounds was visited',
      ],
      1,
    ],
    [
      'an inconclusive run',
      { verdict: 'inconclusive', properties: [property({ verdict: 'inconclusive' })] },
      [],
      3,
    ],
    [
      'a bounded run, in which a property may still come to say something',
      {
        verdict: 'bounded',
        properties: [property({ verdict: 'bounded', vacuous: true })],
        limit: { kind: 'memory', value: 2 ** 30, completeToDepth: 7 },
      },
      [
        'stopped at the limit of 1,024 MiB of memory; complete to depth 7, no proof',
        'never put to the test so far: p',
      ],
      3,
    ],
  ])('%s', (_, given, sentences, code) => {
    expect(verdictSentences(resultOf(given))).toEqual(sentences)
    expect(exitCodeOf(resultOf(given))).toBe(code)
  })

  it('has vacuity in the headline', () => {
    const vacuous = [property({}), property({ name: 'q', vacuous: true })]
    expect(shownVerdict(resultOf({ properties: vacuous }))).toBe('proved, but vacuous')
    const violated = [...vacuous, property({ verdict: 'violated' })]
    expect(shownVerdict(resultOf({ verdict: 'violated', properties: violated }))).toBe('violated, vacuous')
    const bounded = resultOf({
      verdict: 'bounded',
      properties: [property({ verdict: 'bounded', vacuous: true })],
    })
    expect(shownVerdict(bounded)).toBe('bounded')
  })

  it('tells apart what was not seen so far and what was not put to the test', () => {
    const properties = [
      property({ kind: 'reachable', verdict: 'bounded', vacuous: true }),
      property({ name: 'q', verdict: 'bounded', vacuous: true }),
      property({ name: 'r', verdict: 'bounded' }),
    ]
    const limit = { kind: 'depth', value: 2, completeToDepth: 1 } as const
    expect(verdictSentences(resultOf({ verdict: 'bounded', properties, limit })).slice(1)).toEqual([
      'not seen so far: p',
      'never put to the test so far: q',
    ])
  })

  it.each<[Limit['kind'], number, string]>([
    ['states', 1, 'stopped at the limit of 1 state'],
    ['depth', 5, 'stopped at the limit of 5 levels'],
    ['time', 90_000, 'stopped at the limit of 1 min 30 s'],
    ['interrupted', 7, 'stopped by you'],
    ['constraint', 1000, "the model's constraint cut 1,000 states off"],
  ])('the limit %s', (kind, value, sentence) => {
    const limited = resultOf({ verdict: 'bounded', limit: { kind, value, completeToDepth: 3 } })
    expect(verdictSentences(limited)).toEqual([`${sentence}; complete to depth 3, no proof`])
  })
})

describe('what no command expects', () => {
  it('is called a mistake in fencepost, with its place', async () => {
    const catalogue = () => Promise.reject(new TypeError('no such thing'))
    const { code, stdout, stderr } = await fencepost(['list'], { catalogue })
    expect(stderr).toMatch(
      /^internal error, a mistake in fencepost: TypeError: no such thing\n +at .*report\.test\.ts/,
    )
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
  })
})

describe('fencepost list --json FILE', () => {
  it('writes the file, and prints the list all the same', async () => {
    const folder = temporaryFolder()
    const { code, stdout } = await fencepost(['list', 'presets', '--json', 'list.json'], { folder })
    expect(JSON.parse(readFileSync(join(folder, 'list.json'), 'utf8')).presets).toHaveLength(2)
    expect(stdout).toContain('repeat: npx fencepost list presets --json list.json')
    expect(code).toBe(0)
    const refused = await fencepost(['list', '--json', 'absent/list.json'], { folder })
    expect(refused).toMatchObject({ code: 2, stdout: '' })
  })
})
