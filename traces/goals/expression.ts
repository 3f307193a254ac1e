/** What an expression over a state consists of. Positions are characters of its text, counted from 1. */

export type Expression =
  | { readonly kind: 'value'; readonly value: null | boolean | number | string }
  | PathExpression
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | Operation
  | Quantified

/** `partition[0].log.length`, from a part of the state or from what an `any` runs over. */
export interface PathExpression {
  readonly kind: 'path'
  readonly at: number
  readonly root: string
  readonly steps: readonly PathStep[]
}

export type PathStep =
  | { readonly kind: 'key'; readonly at: number; readonly key: string }
  | { readonly kind: 'index'; readonly at: number; readonly index: Expression }
  /** `[*]`: each element, or the value of each key. */
  | { readonly kind: 'each'; readonly at: number }

export const comparisons = ['==', '!=', '<=', '>=', '<', '>'] as const
export const sums = ['+', '-'] as const

/** A comparison or a sum. */
export interface Operation {
  readonly kind: 'operation'
  readonly at: number
  readonly operator: (typeof comparisons)[number] | (typeof sums)[number]
  readonly left: Expression
  readonly right: Expression
}

export const quantifiers = ['any', 'all', 'count'] as const

/** `any(record in partition[*].log[*], record.offset > 2)` */
export interface Quantified {
  readonly kind: (typeof quantifiers)[number]
  readonly name: string
  readonly over: PathExpression
  readonly condition: Expression
}
