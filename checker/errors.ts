/** Every error that a user can meet has a code and says what was found, where, what was expected and how to fix it. */
import type { Trace } from './trace.ts'

export type ErrorCode =
  | 'unknown-name'
  | 'invalid-configuration'
  | 'invalid-option'
  | 'invalid-model'
  | 'model-failed'
  | 'impure-recipe'
  | 'asymmetric-model'
  | 'unreadable-input'
  | 'trace-does-not-apply'
  | 'cannot-write'

export interface ErrorDetails {
  readonly code: ErrorCode
  /** What was found, in one sentence. */
  readonly found: string
  /** File and position, action, property or option. */
  readonly where?: string
  readonly expected?: string
  readonly fix?: string
}

export class FencepostError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(details: ErrorDetails, options?: ErrorOptions) {
    super(sentence(details), options)
    this.name = new.target.name
    this.code = details.code
    this.details = details
  }
}

/** The caller asked for something that does not exist or cannot be read: exit code 2. */
export class UsageError extends FencepostError {}
/** The model itself is wrong (throws, is impure, has an impossible shape): exit code 4. */
export class ModelError extends FencepostError {
  /** The way to the state in which it went wrong, if the model got as far as having states. */
  readonly trace?: Trace

  constructor(details: ErrorDetails, options?: ErrorOptions & { readonly trace?: Trace }) {
    super(details, options)
    if (options?.trace !== undefined) this.trace = options.trace
  }
}

/** The error for a function of the model that threw, of whatever was thrown. */
export function failed(where: string, thrown: unknown): ModelError {
  if (thrown instanceof ModelError) return thrown
  const found = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)
  return new ModelError({ code: 'model-failed', found: `it throws ${found}`, where }, { cause: thrown })
}

function sentence({ found, where, expected, fix }: ErrorDetails): string {
  return [
    where === undefined ? found : `${where}: ${found}`,
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(fix === undefined ? [] : [`to fix: ${fix}`]),
  ].join('\n  ')
}

/** The error for a function of the model that depends on more than it should. */
export function impureRecipe(where: string, found: string, cause?: unknown): ModelError {
  const why =
    cause instanceof ModelError ? cause.details.found : cause instanceof Error ? cause.message : undefined
  return new ModelError(
    {
      code: 'impure-recipe',
      found: why === undefined ? found : `${found}: ${why}`,
      where,
      expected: 'a function that depends on nothing but the state, its arguments and its choices',
      fix: 'look for variables outside of it, clocks, random numbers, and stored constants that are changed later',
    },
    // An error of the model has said what it has to say; only what it was caused by is news.
    { cause: cause instanceof ModelError ? cause.cause : cause },
  )
}
