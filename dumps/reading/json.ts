/** JSON that others have written: nothing is taken for granted. */

/** The value, or undefined if the text is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const objectOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined

export const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

export const numberOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) ? (value as number) : undefined
