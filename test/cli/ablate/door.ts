/** A catalogue of two defences that cover each other: a door stays shut while it has a bolt or a lock. */
import * as v from 'valibot'
import type { Catalogue } from '../../../cli/catalogue.ts'
import { action, always, defineModel } from '../../../index.ts'

interface State {
  door: 'shut' | 'open'
  tries: number
}

const names = ['bolt', 'lock'] as const

/** `coveredBy`: what the catalogue says covers each. */
export function doorCatalogue(coveredBy: Partial<Record<(typeof names)[number], readonly string[]>>) {
  const defences = names.map((name) => ({
    name,
    summary: 'It keeps the door shut.',
    sources: [],
    exercisedBy: {
      scenario: 'house',
      preset: 'old',
      property: 'the door stays shut',
      ...(coveredBy[name] === undefined ? {} : { together: coveredBy[name] }),
    },
  }))
  const initial: State = { door: 'shut', tries: 0 }
  const model = defineModel({
    name: 'door',
    config: v.strictObject({ preset: v.literal('old') }),
    defences,
    build: (_, { defences: active }) => ({
      initial,
      components: ['door', 'tries'],
      actions: [
        action('Push', {}, (state: State, __, step) => {
          step.when('strength is left', state.tries < 2)
          state.tries++
          if (!names.some((name) => active.has(name))) state.door = 'open'
        }),
      ],
      properties: [always('the door stays shut', (state: State) => state.door === 'shut')],
    }),
  })
  const scenarios = [{ name: 'house', summary: 'A house.', sources: [], config: {} }]
  const presets = [{ name: 'old', summary: 'As it was.', sources: [], flags: {} }]
  return { model, scenarios, presets, defences, parameters: [], claims: [] } as unknown as Catalogue
}
