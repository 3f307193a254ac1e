/** Text that arrives in pieces, as numbered lines, in bounded memory. */

/** Takes one line, without its end. `cut` says how many characters were left out, as the line is longer than any that is kept. */
export type TakeLine = (number: number, text: string, cut: number) => void

/** Longer lines are cut: no line of a dump that says something about a batch comes near. */
export const charactersMax = 1 << 20

/** Splits at line feeds, and takes carriage returns before them away. Lines are counted from 1. */
export async function eachLine(
  pieces: AsyncIterable<string> | Iterable<string>,
  take: TakeLine,
): Promise<void> {
  let rest = ''
  let cut = 0
  let number = 0
  const finish = (text: string) => {
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text
    take(++number, whole.slice(0, charactersMax), cut + Math.max(whole.length - charactersMax, 0))
    rest = ''
    cut = 0
  }
  for await (const piece of pieces) {
    let from = 0
    for (let to = piece.indexOf('\n'); to >= 0; to = piece.indexOf('\n', from)) {
      finish(rest + piece.slice(from, to))
      from = to + 1
    }
    rest += piece.slice(from)
    if (rest.length > charactersMax) {
      cut += rest.length - charactersMax
      rest = rest.slice(0, charactersMax)
    }
  }
  if (rest !== '' || cut > 0) finish(rest)
}
