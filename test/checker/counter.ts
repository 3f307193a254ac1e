/** The smallest models there are, for tests of the oracle. */
import * as v from 'valibot'
import { type Action, action, defineModel, type ModelBody } from '../../checker/model.ts'
import { type OracleOptions, oracle } from '../../checker/oracle.ts'

export interface Counter {
  n: number
}

/** 0 -> 1 -> ... -> `last`. */
export const countUp = (last: number): Action<Counter> =>
  action('Up', {}, (state: Counter, _, step) => {
    step.when('below the last', state.n < last)
    state.n += 1
  })

/** What the oracle finds in a model that has only this. */
export function explore<State>(body: Partial<ModelBody<State>>, options?: OracleOptions) {
  const model = defineModel({
    name: 'tiny',
    config: v.object({}),
    build: (): ModelBody<State> => ({ components: [], actions: [], properties: [], ...body }),
  })
  return oracle(model, {}, options)
}
