/** Splits an expression into its smallest parts. */
import { UsageError } from '../../checker/errors.ts'

export interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'sign' | 'end'
  /** Of a text, without its quotes. */
  readonly text: string
  /** Of its first character, counted from 1. */
  readonly at: number
}

const parts: readonly (readonly [Token['kind'], RegExp])[] = [
  ['name', /[\p{L}_$][\p{L}\p{N}_$]*/uy],
  ['number', /\d+/y],
  ['text', /'[^']*'|"[^"]*"/y],
  ['sign', /==|!=|<=|>=|&&|\|\||[<>!()[\].,*+-]/y],
]

/** Longer ones are no questions any more, and could nest deeper than a stack allows. */
const lengthMax = 2000

/** @throws UsageError 'invalid-option' for a character that begins nothing */
export function tokensOf(text: string): Token[] {
  if (text.length > lengthMax) throw wrong(`it has ${text.length} characters`, 1, `at most ${lengthMax}`)
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    if (/\s/.test(text[at]!)) at++
    else {
      const token = tokenAt(text, at)
      tokens.push(token)
      at += token.text.length + (token.kind === 'text' ? 2 : 0)
    }
  }
  return [...tokens, { kind: 'end', text: '', at: text.length + 1 }]
}

function tokenAt(text: string, at: number): Token {
  for (const [kind, pattern] of parts) {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found === undefined) continue
    return { kind, text: kind === 'text' ? found.slice(1, -1) : found, at: at + 1 }
  }
  const character = String.fromCodePoint(text.codePointAt(at)!)
  if (character === '=') throw wrong("a single '='", at + 1, "'==' for a comparison")
  if (`'"`.includes(character))
    throw wrong('a text without its end', at + 1, `another ${character} where it ends`)
  throw wrong(
    `the character '${character}'`,
    at + 1,
    'a path, a value, a comparison, and, or, not, any, all or count',
  )
}

/** The one kind of error that an expression can have before it is evaluated. */
export const wrong = (found: string, at: number, expected: string, fix?: string) =>
  new UsageError({
    code: 'invalid-option',
    where: `goal, character ${at}`,
    found,
    expected,
    ...(fix === undefined ? {} : { fix }),
  })
