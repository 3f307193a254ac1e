/** States up to a renaming: the model's quotient, applied to all that the engines ever see. */
import type { Instance } from './instances.ts'
import type { Action, ModelBody, Plain } from './model.ts'
import { type RecipeRun, RecipeRunner } from './recipe-run.ts'
import { checkReturnedByRecipe } from './returned.ts'
import type { Shape } from './shape.ts'

type Quotient = NonNullable<ModelBody<unknown>['quotient']>

/** Actions whose outcomes are rewritten; what the rewriting reads is read by the action. */
export const upTo = (quotient: Quotient, actions: readonly Action<unknown>[]): Action<unknown>[] =>
  actions.map((action) => ({
    ...action,
    recipe: (state, args, step) => {
      const returned = action.recipe(state, args, step) as unknown
      apply(quotient, state)
      return returned as void
    },
  }))

function apply(quotient: Quotient, state: unknown): void {
  checkReturnedByRecipe(quotient(state) as unknown, state, 'quotient')
}

/** Rewrites states that are no outcome of an action. */
export class Rewriter {
  readonly #runner: RecipeRunner
  readonly #instance: Instance

  constructor(shape: Shape, quotient: Quotient) {
    this.#runner = new RecipeRunner(shape)
    const action = { name: 'quotient', parameters: {}, recipe: (state: unknown) => apply(quotient, state) }
    const argumentsForRun = () => ({})
    this.#instance = { index: 0, actionIndex: 0, action, args: {}, label: 'quotient', argumentsForRun }
  }

  /** @throws ModelError 'model-failed' if the quotient fails */
  rewritten(values: readonly Plain[]): readonly Plain[] {
    const run = this.#runner.run({ instance: this.#instance, values, options: [], draft: 'plain' })
    return valuesAfter(run, values)
  }
}

/** The values of all components after a run. */
export const valuesAfter = ({ written }: RecipeRun, values: readonly Plain[]): readonly Plain[] =>
  values.map((value, component) => (written.has(component) ? written.get(component)! : value))
