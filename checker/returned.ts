/** What functions of the model must not return. */
import { ModelError } from './errors.ts'

/**
 * The error for a function that returned what it must not.
 * @param wanted what was expected, and how to fix it
 */
export function wrongReturn(
  where: string,
  returned: unknown,
  wanted: { readonly expected: string; readonly fix: string },
): ModelError {
  return new ModelError({
    code: 'model-failed',
    found: `it returns ${described(returned)}`,
    where,
    ...wanted,
  })
}

/**
 * Whether a function returned a promise, and so was not done when it returned. What becomes of the promise is of no
 * interest any more; without this a rejection would end the process.
 */
export function isPromise(returned: unknown): boolean {
  const promise = returned as PromiseLike<unknown> | null | undefined
  if (typeof promise?.then !== 'function') return false
  promise.then(undefined, () => undefined)
  return true
}

/**
 * What an expression comes to, and the state itself, may be returned: nobody means that as the next state.
 * @throws ModelError 'model-failed' for any other object, and for a promise
 */
export function checkReturnedByRecipe(returned: unknown, state: unknown, label: string): void {
  const promised = isPromise(returned)
  if (!promised && (typeof returned !== 'object' || returned === null || returned === state)) return
  throw wrongReturn(label, returned, {
    expected: 'a recipe that changes the state that it is given, and returns nothing',
    fix: promised
      ? 'recipes are synchronous: remove async and await'
      : 'assign to the fields of the state, as in `state.count += 1`; put braces around a single assignment',
  })
}

function described(returned: unknown): string {
  if (typeof returned === 'string') return JSON.stringify(returned)
  if (typeof returned === 'function') return 'a function'
  if (typeof returned !== 'object' || returned === null) return String(returned)
  if (typeof (returned as { then?: unknown }).then === 'function') return 'a promise'
  return Array.isArray(returned) ? 'an array' : 'an object'
}
