/** Reads the part of TLA+ that a module of definitions by values needs, and gives the values back. */
import type { Plain } from '../../../index.ts'

export interface TlaModule {
  readonly name: string
  readonly definitions: ReadonlyMap<string, TlaValue>
}

/** A record is a function of texts, so both are read as an object; the empty one is the empty sequence. */
export type TlaValue = Plain | { readonly reference: string }

/** In this order: comments and blanks, the lines around a module, texts, signs of several characters, words. */
const lexeme =
  /\\\*[^\n]*|\s+|(?<line>-{4,}|={4,})|(?<text>"(?:[^"\\\n]|\\["\\tnfr])*")|(?<sign><<|>>|\|->|:>|@@|==|[[\](),-])|(?<word>\w+)/y

function tokensOf(source: string): string[] {
  const tokens: string[] = []
  lexeme.lastIndex = 0
  while (lexeme.lastIndex < source.length) {
    const at = lexeme.lastIndex
    const found = lexeme.exec(source)
    if (found === null) throw new SyntaxError(`no word of TLA+: ${JSON.stringify(source.slice(at, at + 20))}`)
    const { line, text, sign, word } = found.groups ?? {}
    const token = line === undefined ? (text ?? sign ?? word) : line.slice(0, 4)
    if (token !== undefined) tokens.push(token)
  }
  return tokens
}

export const readTla = (source: string): TlaModule => new Reader(tokensOf(source)).module()

class Reader {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  module(): TlaModule {
    this.#expect('----', 'MODULE')
    const name = this.#identifier()
    this.#expect('----', 'EXTENDS')
    do this.#identifier()
    while (this.#skips(','))
    const definitions = new Map<string, TlaValue>()
    while (!this.#skips('====')) {
      const defined = this.#identifier()
      if (definitions.has(defined)) throw new SyntaxError(`${defined} is defined twice`)
      this.#expect('==')
      definitions.set(defined, this.#value())
    }
    if (this.#at < this.#tokens.length) throw new SyntaxError('something follows the module')
    return { name, definitions }
  }

  #value(): TlaValue {
    if (this.#skips('<<')) return this.#listed('>>', () => this.#value()) as Plain[]
    if (this.#skips('[')) return this.#record(']', ',', '|->', () => this.#identifier())
    if (this.#skips('(')) return this.#record(')', '@@', ':>', () => this.#text(this.#next()))
    if (this.#skips('-')) return -this.#number(this.#next())
    const token = this.#next()
    if (token.startsWith('"')) return this.#text(token)
    if (token === 'TRUE' || token === 'FALSE') return token === 'TRUE'
    return /^\d+$/.test(token) ? this.#number(token) : { reference: token }
  }

  #listed<Element>(closing: string, element: () => Element): Element[] {
    const elements: Element[] = []
    while (!this.#skips(closing)) {
      if (elements.length > 0) this.#expect(',')
      elements.push(element())
    }
    return elements
  }

  #record(closing: string, between: string, assigns: string, key: () => string): Plain {
    const entries: [string, Plain][] = []
    do {
      const name = key()
      this.#expect(assigns)
      entries.push([name, this.#value() as Plain])
    } while (this.#skips(between))
    this.#expect(closing)
    if (new Set(entries.map(([name]) => name)).size < entries.length) throw new SyntaxError('a field twice')
    return Object.fromEntries(entries)
  }

  #identifier(): string {
    const token = this.#next()
    const isReserved = /^(?:IF|THEN|ELSE|CASE|LET|IN|TRUE|FALSE|MODULE|EXTENDS|VARIABLES?|[WS]F_.*)$/.test(
      token,
    )
    if (!/^\w*[A-Za-z]\w*$/.test(token) || isReserved) throw new SyntaxError(`${token} is no name`)
    return token
  }

  #number(token: string): number {
    if (!/^\d+$/.test(token)) throw new SyntaxError(`${token} is no number`)
    return Number(token)
  }

  #text(token: string): string {
    if (!/^".*"$/.test(token)) throw new SyntaxError(`${token} is no text`)
    return token.slice(1, -1).replaceAll(/\\(.)/g, '$1')
  }

  #next(): string {
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw new SyntaxError('the module ends too early')
    return token
  }

  #skips(token: string): boolean {
    const isNext = this.#tokens[this.#at] === token
    if (isNext) this.#at++
    return isNext
  }

  #expect(...tokens: string[]): void {
    for (const token of tokens) {
      const found = this.#next()
      if (found !== token) throw new SyntaxError(`${found} instead of ${token}`)
    }
  }
}
