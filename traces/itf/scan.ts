/** Looks at the text of a JSON document before it is parsed: parsing what is huge or cut takes time and memory. */

export type Flaw =
  | { readonly kind: 'cut'; readonly within: 'a text' | 'a value' }
  | { readonly kind: 'deep' }
  | { readonly kind: 'crowded' }

export interface ScanLimits {
  /** Levels of lists and objects. */
  readonly depth: number
  /** Lists and objects in all. */
  readonly containers: number
}

const [quote, backslash] = [0x22, 0x5c]
const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b
const isClosing = (code: number): boolean => code === 0x5d || code === 0x7d

/** The first thing that is wrong, in one pass; what is well-balanced and within the limits may still be no JSON. */
export function scan(
  text: string,
  { depth: depthMax, containers: containersMax }: ScanLimits,
): Flaw | undefined {
  let [depth, containers] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfText(text, at)
      if (at < 0) return { kind: 'cut', within: 'a text' }
    } else if (isOpening(code)) {
      if (++depth > depthMax) return { kind: 'deep' }
      if (++containers > containersMax) return { kind: 'crowded' }
    } else if (isClosing(code)) depth--
  }
  return depth > 0 ? { kind: 'cut', within: 'a value' } : undefined
}

/** Where the quote is that closes a text; -1 if there is none. */
function endOfText(text: string, opening: number): number {
  let closing = text.indexOf('"', opening + 1)
  while (closing > 0 && isEscaped(text, closing)) closing = text.indexOf('"', closing + 1)
  return closing
}

/** An odd number of backslashes before it. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === backslash) before--
  return (at - before) % 2 === 0
}
