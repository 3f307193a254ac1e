/** The path patterns that name components: `tm`, `rm[]`, `partition[].log`, `network[][]`. */
import { ModelError } from './errors.ts'

/** One step of a path: a key, or every key (and index) there is. */
export type Segment = { readonly kind: 'key'; readonly key: string } | { readonly kind: 'each' }

const wellFormed = /^(?:[^.[\]]+|\[\])(?:\.[^.[\]]+|\[\])*$/

/** @throws ModelError 'invalid-model' if the pattern is no path */
export function parsePattern(pattern: string): readonly Segment[] {
  if (!wellFormed.test(pattern)) {
    throw new ModelError({
      code: 'invalid-model',
      found: `'${pattern}' is no component path`,
      expected: "keys joined by dots, '[]' for each element or key: 'tm', 'rm[]', 'partition[].log'",
    })
  }
  return [...pattern.matchAll(/\[\]|[^.[\]]+/g)].map(([segment]) =>
    segment === '[]' ? { kind: 'each' } : { kind: 'key', key: segment },
  )
}
