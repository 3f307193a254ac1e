/** Comparing what people write with what a model says. */

/** Without quotes around it. */
export const unquoted = (text: string): string => /^(["'])([\s\S]*)\1$/.exec(text)?.[2] ?? text

/** Words in small letters, with the parts of joined ones apart: `EndTxn reply` is `end txn reply`. */
export const plainWords = (text: string): string =>
  text
    .replaceAll(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, '$1 ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()

/** Whether two texts are the same words, however they are joined: `endtxn`, `EndTxn` and `end txn`. */
export const sameWords = (one: string, other: string): boolean => joined(one) === joined(other)

/** Whether the words of a text occur in another one after the other. */
export const saysWords = (text: string, wanted: string): boolean =>
  ` ${plainWords(text)} `.includes(` ${plainWords(wanted)} `)

const joined = (text: string): string => plainWords(text).replaceAll(' ', '')
