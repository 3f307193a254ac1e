/** The error for a function of the model that returns what it must not. */
import { ModelError } from './errors.ts'

/** @param wanted what was expected, and how to fix it */
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

function described(returned: unknown): string {
  if (typeof returned === 'string') return JSON.stringify(returned)
  if (typeof returned === 'function') return 'a function'
  if (typeof returned !== 'object' || returned === null) return String(returned)
  if (typeof (returned as { then?: unknown }).then === 'function') return 'a promise'
  return Array.isArray(returned) ? 'an array' : 'an object'
}
