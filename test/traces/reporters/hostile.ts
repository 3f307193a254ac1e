/** Real results of every verdict, of a model whose names try to break out of every format. */
import * as v from 'valibot'
import { action, always, check, defineModel, reachable, simulate } from '../../../checker/index.ts'
import type { CheckResult } from '../../../checker/result.ts'
import type { Reported } from '../../../traces/index.ts'

interface State {
  n: number
}

export const below = 'n < 2 & "small", ]]> 100%: ::error::owned'
const unseen = "n is '7' <never>"

const hostile = defineModel({
  name: 'model <&"\'>\u0007',
  config: v.object({ note: v.optional(v.string(), '<!-- "&\u0000') }),
  build: () => ({
    initial: { n: 0 },
    components: ['n'],
    actions: [
      action('Raise ]]>', { by: ['1\n::error::owned by an argument'] }, (state: State, _, step) => {
        step.when('it is small', state.n < 3)
        state.n++
        step.emit({
          kind: 'note',
          lane: '::error::owned by a lane',
          text: '##[error]owned\u0000 fencepost-1',
        })
      }),
    ],
    properties: [
      always(below, (state: State, claim) => claim.that('it is <small>', state.n < 2, { 'n & m': state.n }), {
        summary: 'What is <meant> & why.',
        sources: ['KIP-98', 'a "source"'],
      }),
      always('n is a number', (state: State) => state.n >= 0, { summary: 'It always is.' }),
      always('nothing is negative', (state: State, claim) => {
        claim.given('n is negative', state.n < 0)
        return false
      }),
      reachable('n is 1', (state: State) => state.n === 1),
      reachable(unseen, (state: State) => state.n === 7),
    ],
    properTermination: () => false,
  }),
})

export const results = {
  everything: await check(hostile, {}, { continueAfterViolation: true }),
  'a violation that leaves others open': await check(hostile, {}),
  'a limited search': await check(hostile, {}, { maxDepth: 2 }),
  'a sample': await simulate(hostile, {}, { walks: 2, depth: 2 }),
  'a proof': await check(hostile, {}, { properties: ['n is a number', 'n is 1'] }),
} as const satisfies Record<string, CheckResult>

/** @returns what a reporter is given, with the time taken out */
export const reported = (result: CheckResult): Reported => ({
  result: { ...result, elapsedMs: 1500 },
  title: './model <&">.ts, without "a % of it"',
  repeat: "npx fencepost check './model <&\">.ts'",
  version: '1.2.3',
  about: new Map(
    hostile
      .build({ note: '' }, { defences: { has: () => true } })
      .properties.map((each) => [each.name, each]),
  ),
  file: 'models/model.ts',
})
