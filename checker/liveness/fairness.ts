/** Liveness properties with the instances that are fair for them. */
import { ModelError } from '../errors.ts'
import type { Instance } from '../instances.ts'
import type { LivenessProperty } from '../model.ts'
import { nearest } from '../suggest.ts'

/** By number, each once. */
export interface FairInstances {
  readonly weak: readonly number[]
  readonly strong: readonly number[]
}

/** What is asked of a behaviour for it to count. */
export interface Fair extends FairInstances {
  /** Whether it may stop where nothing that is fair can happen. */
  readonly mayStop: boolean
}

export interface Promised {
  readonly property: LivenessProperty<unknown>
  readonly fair: Fair
}

/** @throws ModelError 'invalid-model' if the fairness names an action that does not exist */
export function promisedOf(property: LivenessProperty<unknown>, instances: readonly Instance[]): Promised {
  const { weak = [], strong = [], mayStop = false } = property.fairness
  const named = (names: readonly string[]) => [
    ...new Set(names.flatMap((name) => instancesNamed(name, property.name, instances))),
  ]
  return { property, fair: { weak: named(weak), strong: named(strong), mayStop } }
}

function instancesNamed(name: string, property: string, instances: readonly Instance[]): number[] {
  const found = instances.filter(({ action, label }) => action.name === name || label === name)
  if (found.length > 0) return found.map(({ index }) => index)
  const actions = [...new Set(instances.map(({ action }) => action.name))]
  const near = nearest(name, actions)
  throw new ModelError({
    code: 'invalid-model',
    found: `its fairness names '${name}', which no action is called`,
    where: `property '${property}'`,
    expected: `the name of an action, or the label of an instance; actions are: ${actions.join(', ')}`,
    ...(near === undefined ? {} : { fix: `did you mean '${near}'?` }),
  })
}
