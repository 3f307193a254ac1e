/**
 * Evaluates expressions over states. What is not there equals nothing and is neither less nor greater: a comparison
 * with it is false. That is noted, because a name that is in no state at all is a mistake.
 */
import type { Expression, Operation, PathExpression, PathStep, Quantified } from './expression.ts'

/** A place of an expression that made no sense in a state. */
export interface Trouble {
  /** The character of the expression, counted from 1. */
  readonly at: number
  readonly found: string
  /** The names that there are in its place. */
  readonly known: readonly string[]
}

/** Names that an `any` gave to its elements, the innermost first. */
type Scope = { readonly name: string; readonly value: unknown; readonly outer: Scope } | undefined

/** The value of what is not there. */
const nothing = Symbol('nothing')

export class Evaluator {
  readonly #expression: Expression
  /** By place, as are the places that made sense in some state. */
  readonly #troubles = new Map<string, Trouble>()
  readonly #sensible = new Set<string>()
  /** By the place of a comparison with a text: what it was compared with. */
  readonly #compared = new Map<number, { readonly wanted: string; readonly seen: Set<string> }>()
  #state: unknown

  constructor(expression: Expression) {
    this.#expression = expression
  }

  holds(state: unknown): boolean {
    this.#state = state
    return this.#isTrue(this.#expression, undefined)
  }

  /** Places that made sense in no state so far, although they were looked at. */
  get troubles(): Trouble[] {
    return [...this.#troubles].filter(([place]) => !this.#sensible.has(place)).map(([, trouble]) => trouble)
  }

  /** Texts that nothing was equal to wherever they were compared, with what there was: perhaps one of those was meant. */
  get neverEqual(): { readonly at: number; readonly wanted: string; readonly seen: readonly string[] }[] {
    return [...this.#compared].flatMap(([at, { wanted, seen }]) =>
      seen.has(wanted) ? [] : [{ at, wanted, seen: [...seen] }],
    )
  }

  #isTrue(expression: Expression, scope: Scope): boolean {
    switch (expression.kind) {
      case 'not':
        return !this.#isTrue(expression.of, scope)
      case 'and':
        return this.#isTrue(expression.left, scope) && this.#isTrue(expression.right, scope)
      case 'or':
        return this.#isTrue(expression.left, scope) || this.#isTrue(expression.right, scope)
      default:
        return this.#answer(expression, scope)
    }
  }

  /** What is neither true nor false is no answer. */
  #answer(expression: Expression, scope: Scope): boolean {
    const value = this.#value(expression, scope)
    if (value === nothing) return false
    const at = expression.kind === 'path' ? expression.at : 1
    const place = `answer ${at}`
    if (typeof value !== 'boolean') {
      return this.#note(place, at, `this is ${named(value)}, and not true or false`, [], false)
    }
    this.#sensible.add(place)
    return value
  }

  #value(expression: Expression, scope: Scope): unknown {
    switch (expression.kind) {
      case 'value':
        return expression.value
      case 'path':
        return this.#values(expression, scope)[0] ?? nothing
      case 'operation':
        return this.#operation(expression, scope)
      case 'any':
      case 'all':
      case 'count':
        return this.#over(expression, scope)
      default:
        return this.#isTrue(expression, scope)
    }
  }

  #over({ kind, name, over, condition }: Quantified, outer: Scope): boolean | number {
    const holds = ({ value }: { readonly value: unknown }) => this.#isTrue(condition, { name, value, outer })
    const values = this.#found(over, outer).map((value) => ({ value }))
    if (kind === 'any') return values.some(holds)
    return kind === 'all' ? values.every(holds) : values.filter(holds).length
  }

  #operation({ operator, at, ...operands }: Operation, scope: Scope): unknown {
    const [left, right] = [this.#value(operands.left, scope), this.#value(operands.right, scope)]
    if (left === nothing || right === nothing) return operator === '+' || operator === '-' ? nothing : false
    if (operands.right.kind === 'value') this.#noteText(at, left, right)
    if (operator === '==') return isSame(left, right)
    if (operator === '!=') return !isSame(left, right)
    if (typeof left !== 'number' || typeof right !== 'number') {
      return this.#note(`${at}`, at, `'${operator}' is between ${named(left)} and ${named(right)}`, [], false)
    }
    this.#sensible.add(`${at}`)
    return calculated(operator, left, right)
  }

  /** All values that a path names; none where it leads nowhere. */
  #found(path: PathExpression, scope: Scope): readonly unknown[] {
    let values: readonly unknown[] = this.#root(path, scope)
    for (const step of path.steps) values = values.flatMap((value) => this.#below(value, step, scope))
    return values
  }

  #values(path: PathExpression, scope: Scope): readonly unknown[] {
    return this.#found(path, scope).map((value) => value ?? null)
  }

  #root({ root, at }: PathExpression, scope: Scope): readonly unknown[] {
    for (let names = scope; names !== undefined; names = names.outer)
      if (names.name === root) return [names.value]
    return this.#ownValue(this.#state, root, at)
  }

  #below(value: unknown, step: PathStep, scope: Scope): readonly unknown[] {
    if (step.kind === 'key') {
      const hasLength = step.key === 'length' && (Array.isArray(value) || typeof value === 'string')
      return hasLength ? [value.length] : this.#ownValue(value, step.key, step.at)
    }
    if (step.kind === 'index') {
      const index = this.#value(step.index, scope)
      const isKey = typeof index === 'number' || typeof index === 'string'
      // An index beyond the end is no mistake: lists grow.
      if (Array.isArray(value) && isKey) return Object.hasOwn(value, index) ? [value[index as number]] : []
      return isKey ? this.#ownValue(value, String(index), step.at) : []
    }
    if (typeof value !== 'object' || value === null)
      return this.#note(`${step.at}`, step.at, `this is ${named(value)}, and no list`, [], [])
    this.#sensible.add(`${step.at}`)
    return Object.keys(value).map((key) => (value as Record<string, unknown>)[key])
  }

  #ownValue(value: unknown, key: string, at: number): readonly unknown[] {
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, key)) {
      this.#sensible.add(`${at}`)
      return [(value as Record<string, unknown>)[key]]
    }
    const known = typeof value === 'object' && value !== null ? Object.keys(value) : []
    return this.#note(`${at}`, at, `there is no '${key}' in ${named(value)}`, known, [])
  }

  #noteText(at: number, found: unknown, wanted: unknown): void {
    if (typeof found !== 'string' || typeof wanted !== 'string') return
    const { seen } = this.#compared.get(at) ?? { seen: new Set<string>() }
    this.#compared.set(at, { wanted, seen: seen.add(found) })
  }

  #note<Result>(place: string, at: number, found: string, known: readonly string[], result: Result): Result {
    const before = this.#troubles.get(place)?.known ?? []
    this.#troubles.set(place, { at, found, known: [...new Set([...before, ...known])] })
    return result
  }
}

function calculated(operator: Operation['operator'], left: number, right: number): boolean | number {
  switch (operator) {
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    case '>=':
      return left >= right
    case '+':
      return left + right
    default:
      return left - right
  }
}

/** Plain values, compared by what they contain. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other
  const keys = Object.keys(one)
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => {
      return (
        Object.hasOwn(other, key) && isSame(one[key as keyof typeof one], other[key as keyof typeof other])
      )
    })
  )
}

const named = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  const names = { string: 'a text', number: 'a number', boolean: 'true or false' }
  return names[typeof value as keyof typeof names] ?? 'what is here'
}
