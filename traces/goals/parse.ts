/** Reads an expression over a state: recursive descent, one method for each level of binding. */
import {
  comparisons,
  type Expression,
  type Operation,
  type PathExpression,
  type PathStep,
  type Quantified,
  quantifiers,
  sums,
} from './expression.ts'
import { type Token, tokensOf, wrong } from './tokens.ts'

/** @throws UsageError 'invalid-option' that says where it is wrong, and what was expected there */
export const parseExpression = (text: string): Expression => new Parser(tokensOf(text)).all()

const nestingMax = 100

class Parser {
  readonly #tokens: readonly Token[]
  #next = 0
  #nesting = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  all(): Expression {
    const expression = this.#or()
    if (this.#token.kind !== 'end') throw this.#unexpected('and, or, a comparison, or the end')
    return expression
  }

  #or(): Expression {
    let left = this.#and()
    while (this.#takes('or') || this.#takes('||')) left = { kind: 'or', left, right: this.#and() }
    return left
  }

  #and(): Expression {
    let left = this.#not()
    while (this.#takes('and') || this.#takes('&&')) left = { kind: 'and', left, right: this.#not() }
    return left
  }

  #not(): Expression {
    if (!this.#takes('not') && !this.#takes('!')) return this.#comparison()
    return { kind: 'not', of: this.#deeper(() => this.#not()) }
  }

  #comparison(): Expression {
    const left = this.#sum()
    const compared = this.#operation(comparisons, left, () => this.#sum())
    return compared ?? left
  }

  #sum(): Expression {
    let left = this.#primary()
    for (;;) {
      const more = this.#operation(sums, left, () => this.#primary())
      if (more === undefined) return left
      left = more
    }
  }

  #operation(
    operators: readonly Operation['operator'][],
    left: Expression,
    right: () => Expression,
  ): Operation | undefined {
    const { at } = this.#token
    const operator = operators.find((one) => this.#takes(one))
    return operator && { kind: 'operation', at, operator, left, right: right() }
  }

  #primary(): Expression {
    const { kind, text } = this.#token
    if (this.#takes('(')) {
      const inner = this.#deeper(() => this.#or())
      this.#expect(')')
      return inner
    }
    if (kind === 'number') return { kind: 'value', value: this.#number() }
    if (this.#takes('-')) return { kind: 'value', value: -this.#number() }
    if (kind === 'text') {
      this.#next++
      return { kind: 'value', value: text }
    }
    if (kind !== 'name') throw this.#unexpected('a path, a value or a parenthesis')
    const constant = constants.get(text)
    if (constant !== undefined) {
      this.#next++
      return { kind: 'value', value: constant }
    }
    const quantifier = quantifiers.find((one) => one === text)
    if (quantifier !== undefined && this.#tokens[this.#next + 1]?.text === '(') return this.#over(quantifier)
    return this.#single(this.#path())
  }

  #over(kind: Quantified['kind']): Quantified {
    this.#next++
    this.#expect('(')
    const name = this.#name('a name for the element')
    this.#expect('in')
    const over = this.#path()
    if (!over.steps.some((step) => step.kind === 'each')) {
      throw wrong(
        'a path without [*]',
        over.at,
        'a path that names each element, such as partition[*].log[*]',
      )
    }
    this.#expect(',')
    const condition = this.#deeper(() => this.#or())
    this.#expect(')')
    return { kind, name, over, condition }
  }

  #path(): PathExpression {
    const { at } = this.#token
    const root = this.#name('a part of the state')
    const steps: PathStep[] = []
    for (;;) {
      const place = this.#token.at
      if (this.#takes('.')) steps.push({ kind: 'key', at: place, key: this.#name('the name of a field') })
      else if (this.#takes('[')) {
        steps.push(this.#takes('*') ? { kind: 'each', at: place } : this.#index(place))
        this.#expect(']')
      } else return { kind: 'path', at, root, steps }
    }
  }

  #index(at: number): PathStep {
    return { kind: 'index', at, index: this.#deeper(() => this.#sum()) }
  }

  #single(path: PathExpression): PathExpression {
    const each = path.steps.find((step) => step.kind === 'each')
    if (each === undefined) return path
    throw wrong(
      '[*], which names several values',
      each.at,
      'any(x in ..., ...), all(...) or count(...) around it',
    )
  }

  get #token(): Token {
    return this.#tokens[this.#next]!
  }

  #takes(text: string): boolean {
    const { kind, text: found } = this.#token
    if (kind === 'text' || kind === 'end' || found !== text) return false
    this.#next++
    return true
  }

  #expect(text: string): void {
    if (!this.#takes(text)) throw this.#unexpected(`'${text}'`)
  }

  #name(expected: string): string {
    const { kind, text } = this.#token
    if (kind !== 'name') throw this.#unexpected(expected)
    this.#next++
    return text
  }

  #number(): number {
    const { kind, text } = this.#token
    if (kind !== 'number' || !Number.isSafeInteger(Number(text))) throw this.#unexpected('a whole number')
    this.#next++
    return Number(text)
  }

  #deeper<Result>(inner: () => Result): Result {
    if (this.#nesting === nestingMax) throw this.#unexpected(`at most ${nestingMax} parts in each other`)
    this.#nesting++
    const result = inner()
    this.#nesting--
    return result
  }

  #unexpected(expected: string) {
    const { kind, text, at } = this.#token
    return wrong(kind === 'end' ? 'the end' : `'${text}'`, at, expected)
  }
}

const constants: ReadonlyMap<string, null | boolean> = new Map<string, null | boolean>([
  ['null', null],
  ['true', true],
  ['false', false],
])
