/**
 * Checks a quotient where it is used. Rewriting what is rewritten must change nothing. And a sample of what it changes is
 * tried: from the state before the rewriting, each instance must come to the same states as from the one after it.
 */
import { ModelError } from '../errors.ts'
import type { Instance } from '../instances.ts'
import type { Plain } from '../model.ts'
import { samePlain, textOf } from '../plain.ts'
import type { Prepared } from '../prepare.ts'
import { Rewriter, valuesAfter } from '../quotient.ts'
import { type RecipeRun, RecipeRunner } from '../recipe-run.ts'
import { allRuns } from '../stepper.ts'

/** So many of the outcomes that it changes are tried, and from then on each as many'th. */
const tried = 64

export class QuotientCheck {
  readonly #prepared: Prepared
  readonly #rewriter: Rewriter
  readonly #runner: RecipeRunner
  /** Outcomes that were changed. */
  #changed = 0

  constructor(prepared: Prepared) {
    this.#prepared = prepared
    this.#rewriter = new Rewriter(prepared.shape, prepared.body.quotient!)
    this.#runner = new RecipeRunner(prepared.shape, prepared.happens)
    for (const [index, values] of prepared.initial.entries()) {
      this.#assertIdempotent(values, `initial state ${index}`)
    }
  }

  /** @throws ModelError 'model-failed' */
  outcome(instance: Instance, values: readonly Plain[], options: readonly number[], run: RecipeRun): void {
    if (run.blockedBy !== undefined) return
    const after = valuesAfter(run, values)
    this.#assertIdempotent(after, `state after ${instance.label}`)
    const action = this.#prepared.body.actions[instance.actionIndex]!
    const plain = { ...instance, action }
    const before = valuesAfter(this.#runner.run({ instance: plain, values, options, draft: 'plain' }), values)
    if (samePlain(before, after)) return
    if (++this.#changed > tried && this.#changed % tried > 0) return
    this.#assertAlike(before, after, instance)
  }

  #assertIdempotent(values: readonly Plain[], where: string): void {
    const again = this.#rewriter.rewritten(values)
    const component = values.findIndex((value, index) => !samePlain(again[index], value))
    if (component < 0) return
    const path = this.#prepared.shape.components[component]
    throw wrong(`it changes '${path}' of what it has rewritten itself`, where, {
      expected: 'a canonical form: applied to its own result, a quotient changes nothing',
    })
  }

  #assertAlike(before: readonly Plain[], after: readonly Plain[], taken: Instance): void {
    const differs = this.#prepared.instances.find((instance) => {
      return this.#comesTo(instance, before) !== this.#comesTo(instance, after)
    })
    if (differs === undefined) return
    const where = `state after ${taken.label}`
    throw wrong(`it changes what ${differs.label} can do from there`, where, {
      expected:
        'that every action comes to the same, whether a state is rewritten before it or only after it',
      fix: 'keep in the canonical form all that a guard, a choice or a later state depends on',
    })
  }

  /** All states that an instance leads to, rewritten, as text. */
  #comesTo(instance: Instance, values: readonly Plain[]): string {
    const texts: string[] = []
    for (const run of allRuns(this.#runner, instance, values)) {
      if (run.blockedBy === undefined) texts.push(textOf(valuesAfter(run, values) as Plain[]))
    }
    return texts.sort().join('\n')
  }
}

const wrong = (found: string, where: string, wanted: { expected: string; fix?: string }) =>
  new ModelError({ code: 'model-failed', found, where: `quotient, ${where}`, ...wanted })
