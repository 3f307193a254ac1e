/** Texts, and the memory that they take. */

const encoder = new TextEncoder()

/** Bytes in UTF-8. */
export const byteLength = (text: string): number =>
  /^[\x20-\x7e]*$/.test(text) ? text.length : encoder.encode(text).length

/**
 * The same text, in memory of its own: a part of a text keeps all of it in memory, which here is a large piece of a file. For
 * what is kept beyond its line.
 */
export const detached = (text: string): string => ` ${text}`.slice(1)
