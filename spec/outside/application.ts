/** An application of one's own as a model, to be checked from a file. */
import * as v from 'valibot'
import type { Model } from '../../checker/model.ts'
import { configSchema, type ProgramsConfig } from './config.ts'
import { programs } from './model.ts'
import type { State } from './state.ts'

/**
 * The model of applications as programs with another name and another default for each parameter that is given. What is
 * asked of it are its properties.
 *
 * @param ask names of questions: 'no event has its effect twice'
 */
export function application(
  name: string,
  given: v.InferInput<typeof configSchema>,
  ask: readonly string[],
): Model<ProgramsConfig, State> {
  const entries = Object.entries(configSchema.entries).map(([key, schema]) => {
    const value = given[key as keyof typeof given]
    return [key, value === undefined ? schema : v.optional(schema, value as never)]
  })
  const config = v.strictObject(Object.fromEntries(entries)) as unknown as typeof configSchema
  return {
    ...programs,
    name,
    config,
    build: (complete, context) => {
      const { questions = [], ...body } = programs.build(complete, context)
      const isAsked = (question: { name: string }) => ask.includes(question.name)
      return {
        ...body,
        properties: questions.filter(isAsked),
        questions: questions.filter((question) => !isAsked(question)),
      }
    },
  }
}
