/**
 * Where the names of interchangeable participants occur in plain data, and what data becomes when they are renamed.
 */
import { ModelError } from '../errors.ts'
import type { Plain } from '../model.ts'
import { canonical, textOf } from '../plain.ts'

/** A kind of interchangeable participants. */
export interface Sort {
  readonly name: string
  readonly members: readonly (string | number)[]
}

/** By sort and position of a member: the position of the member whose name it takes. */
export type Permutation = readonly (readonly number[])[]

type NameSegment =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'each' }
  /** Each key; those that are members of the sort are names. */
  | { readonly kind: 'member'; readonly sort: number }

/** A path to names: on the way keys of a sort, at its end a value, a set of values, or nothing more. */
export interface NamePath {
  readonly text: string
  readonly segments: readonly NameSegment[]
  readonly end?: { readonly kind: 'value' | 'set'; readonly sort: number }
}

/** How far a path has led. */
export interface Cursor {
  readonly path: NamePath
  readonly at: number
}

const wellFormed = /^(?:[^.[\]]+|\[[^.[\]]*\])(?:\.[^.[\]]+|\[[^.[\]]*\])*$/

/** @throws ModelError 'invalid-model' if a text is no path, or names a sort that does not exist */
export function parseNamePath(text: string, sorts: readonly Sort[], end?: NamePath['end']): NamePath {
  if (!wellFormed.test(text)) throw noPath(text)
  const segments = [...text.matchAll(/\[([^.[\]]*)\]|[^.[\]]+/g)].map(([whole, name]): NameSegment => {
    if (name === undefined) return { kind: 'key', key: whole }
    if (name === '') return { kind: 'each' }
    const sort = sorts.findIndex((each) => each.name === name)
    if (sort < 0) throw noSort(text, name, sorts)
    return { kind: 'member', sort }
  })
  return { text, segments, ...(end === undefined ? {} : { end }) }
}

export const cursorsOf = (paths: readonly NamePath[]): Cursor[] => paths.map((path) => ({ path, at: 0 }))

/** Where the paths lead to below a key. */
export const below = (cursors: readonly Cursor[], key: string): Cursor[] =>
  cursors
    .filter(({ path, at }) => {
      const segment = path.segments[at]
      return segment !== undefined && (segment.kind !== 'key' || segment.key === key)
    })
    .map(({ path, at }) => ({ path, at: at + 1 }))

/** The sort whose members are the keys here, if they are names. */
export function keySortOf(cursors: readonly Cursor[]): number | undefined {
  for (const { path, at } of cursors) {
    const segment = path.segments[at]
    if (segment?.kind === 'member') return segment.sort
  }
  return undefined
}

/** Whether names are to be looked for in a value. */
export const leadsToNames = (cursors: readonly Cursor[]): boolean =>
  cursors.some(({ path, at }) => at < path.segments.length || path.end !== undefined)

const endOf = (cursors: readonly Cursor[]): NamePath['end'] =>
  cursors.find(({ path, at }) => at === path.segments.length && path.end !== undefined)?.path.end

/** The position of a member by its name as a key; -1 for another key. */
export const memberOfKey = (sort: Sort, key: string): number =>
  sort.members.findIndex((member) => String(member) === key)

/** Renames in a canonical value. */
export class Renamer {
  readonly #sorts: readonly Sort[]
  readonly #permutation: Permutation

  constructor(sorts: readonly Sort[], permutation: Permutation) {
    this.#sorts = sorts
    this.#permutation = permutation
  }

  /**
   * @param where names the value for people
   * @throws ModelError 'invalid-model' if the names are keys of an array that is too short for all of them
   */
  rename(value: Plain, cursors: readonly Cursor[], where: string): Plain {
    return leadsToNames(cursors) ? canonical(this.#rename(value, cursors, where), where) : value
  }

  #rename(value: Plain, cursors: readonly Cursor[], where: string): Plain {
    const end = endOf(cursors)
    if (end?.kind === 'value') return this.#name(end.sort, value)
    if (value === null || typeof value !== 'object') return value
    if (end?.kind === 'set' && Array.isArray(value)) {
      return value.map((item) => this.#name(end.sort, item)).sort(byValue)
    }
    const sort = keySortOf(cursors)
    const entries = Object.entries(value).map(([key, item]) => {
      const renamed = this.#rename(item as Plain, below(cursors, key), where)
      return [sort === undefined ? key : this.#key(sort, key), renamed] as const
    })
    if (!Array.isArray(value)) return Object.fromEntries(entries)
    const copy: Plain[] = new Array(value.length)
    for (const [key, item] of entries) copy[Number(key)] = item
    if (copy.length !== value.length) throw tooShort(this.#sorts[sort!]!, value.length, where)
    return copy
  }

  #key(sort: number, key: string): string {
    const member = memberOfKey(this.#sorts[sort]!, key)
    return member < 0 ? key : String(this.#image(sort, member))
  }

  #name(sort: number, value: Plain): Plain {
    const member = this.#sorts[sort]!.members.indexOf(value as string)
    return member < 0 ? value : this.#image(sort, member)
  }

  #image(sort: number, member: number): string | number {
    return this.#sorts[sort]!.members[this.#permutation[sort]![member]!]!
  }
}

const byValue = (one: Plain, two: Plain): number => (one! < two! ? -1 : one! > two! ? 1 : 0)

/**
 * What a value is to one member: a text that tells where its name occurs, and does not tell the other names of its
 * sort, or of other sorts, apart. Renaming all that is in it changes nothing.
 */
export function viewOf(
  value: Plain,
  cursors: readonly Cursor[],
  sorts: readonly Sort[],
  self: { readonly sort: number; readonly member: number },
): string {
  const nameOf = (sort: number, member: number) =>
    sort === self.sort && member === self.member ? '@self' : `@${sort}`
  const view = (item: Plain, at: readonly Cursor[]): string => {
    if (!leadsToNames(at)) return textOf(item)
    const end = endOf(at)
    const valueName = (each: Plain, sort: number) => {
      const member = sorts[sort]!.members.indexOf(each as string)
      return member < 0 ? textOf(each) : nameOf(sort, member)
    }
    if (end?.kind === 'value') return valueName(item, end.sort)
    if (item === null || typeof item !== 'object') return textOf(item)
    if (end?.kind === 'set' && Array.isArray(item)) {
      return `{${item
        .map((each) => valueName(each, end.sort))
        .sort()
        .join()}}`
    }
    const sort = keySortOf(at)
    const entries = Object.entries(item).map(([key, child]) => {
      const member = sort === undefined ? -1 : memberOfKey(sorts[sort]!, key)
      const name = member < 0 ? textOf(key) : nameOf(sort!, member)
      return `${name}:${view(child as Plain, below(at, key))}`
    })
    return `{${(sort === undefined ? entries : entries.sort()).join()}}`
  }
  return view(value, cursors)
}

const noPath = (text: string) =>
  new ModelError({
    code: 'invalid-model',
    found: `'${text}' is no path to names`,
    where: 'symmetry',
    expected: "keys joined by dots, '[]' for each element or key, '[sort]' where these are names of the sort",
  })

const noSort = (text: string, name: string, sorts: readonly Sort[]) =>
  new ModelError({
    code: 'invalid-model',
    found: `the path '${text}' names the sort '${name}', which is not declared`,
    where: 'symmetry',
    expected: `one of: ${sorts.map((each) => each.name).join(', ')}`,
    fix: "write '[]' for each element or key that is no name",
  })

const tooShort = ({ name }: Sort, length: number, where: string) =>
  new ModelError({
    code: 'invalid-model',
    found: `an array of ${length} elements, of which some ${name} is to be the index`,
    where,
    expected: `an element for every ${name}`,
    fix: `declare where ${name} is an index, or use an object for what not every ${name} has`,
  })
