/**
 * How wide texts are, without a browser to ask: the widths of Helvetica and of the fonts that are made to fit it (Arial,
 * Liberation Sans). Whoever draws a text is told its width, so that it takes no more in another font.
 */

/** In thousandths of the size of the font, from the blank to the tilde. */
const ascii = [
  ...[278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278],
  ...[556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556],
  ...[1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778],
  ...[667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556],
  ...[333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556],
  ...[556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584],
]

/** Latin letters with accents are as wide as most letters; nothing is known of others, and few are wider than high. */
const widthOf = (character: string): number => {
  const code = character.codePointAt(0) ?? 0
  return ascii[code - 32] ?? (code < 0x250 ? 667 : 1000)
}

/** In pixels, rounded up. */
export const textWidth = (text: string, size: number): number =>
  Math.ceil(([...text].reduce((sum, character) => sum + widthOf(character), 0) * size) / 1000)

/** Lines of at most this width, broken at blanks, or within what is longer than a line. */
export function wrapped(text: string, width: number, size: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/ +/).flatMap((one) => pieces(one, width, size))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && textWidth(longer, size) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}

function pieces(word: string, width: number, size: number): string[] {
  if (textWidth(word, size) <= width) return [word]
  const found: string[] = []
  let piece = ''
  for (const character of word) {
    if (piece !== '' && textWidth(piece + character, size) > width) {
      found.push(piece)
      piece = ''
    }
    piece += character
  }
  return [...found, piece]
}

/** The first lines of a long text, the last of them with dots. */
export function shortened(lines: readonly string[], count: number): string[] {
  if (lines.length <= count) return [...lines]
  const kept = lines.slice(0, count)
  return [...kept.slice(0, -1), `${(kept.at(-1) ?? '').slice(0, -2)}...`]
}
