/** Makes small models for tests, without ceremony. */
import * as v from 'valibot'
import { expect } from 'vitest'
import {
  type CheckOptions,
  type CheckResult,
  check,
  defineModel,
  type Model,
  type ModelBody,
  ModelError,
} from '../../checker/index.ts'

type Body<State> = Partial<ModelBody<State>> & Pick<ModelBody<State>, 'components'>

export function tiny<State>(body: Body<State> | (() => Body<State>)): Model<object, State> {
  return defineModel({
    name: 'tiny',
    config: v.object({}),
    build: (): ModelBody<State> => ({
      actions: [],
      properties: [],
      ...(typeof body === 'function' ? body() : body),
    }),
  })
}

/** Checks with the engine, and demands that the oracle says the same of states, verdicts and counterexamples. */
export async function checkBoth<State>(body: Body<State>, options: CheckOptions = {}): Promise<CheckResult> {
  const model = tiny(body)
  const [fast, naive] = [
    await check(model, {}, options),
    await check(model, {}, { ...options, engine: 'oracle' }),
  ]
  const shared = ({ states, depth, verdict, properties }: CheckResult) => ({
    states,
    depth,
    verdict,
    properties: properties.map(({ reason: _, ...property }) => property),
  })
  expect(shared(fast)).toEqual(shared(naive))
  return fast
}

/** What `check` rejects with. */
export async function errorOf(run: Promise<unknown>): Promise<ModelError> {
  const outcome = await run.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(outcome).toBeInstanceOf(ModelError)
  return outcome as ModelError
}
