/** The symmetries that a model declares, validated, and what they mean for its components and actions. */
import { ModelError } from '../errors.ts'
import type { Instance } from '../instances.ts'
import type { Choice, Plain, Symmetry } from '../model.ts'
import { canonical, textOf } from '../plain.ts'
import type { Shape, ShapeNode } from '../shape.ts'
import {
  below,
  type Cursor,
  cursorsOf,
  keySortOf,
  leadsToNames,
  memberOfKey,
  type NamePath,
  type Permutation,
  parseNamePath,
  Renamer,
  type Sort,
} from './names.ts'

/** A component, as far as names matter. */
export interface NamedComponent {
  /** Its path with sorts in the place of names: components that renaming exchanges have the same. */
  readonly family: string
  /** Whose it is: the members in its path, in order. */
  readonly owners: readonly { readonly sort: number; readonly member: number }[]
  /** Where names are in its value. */
  readonly cursors: readonly Cursor[]
}

export class Symmetries {
  readonly sorts: readonly Sort[]
  readonly components: readonly NamedComponent[]
  /** For each sort the exchanges of two neighbours, from which every renaming can be made. */
  readonly generators: readonly Permutation[]
  readonly #arguments: readonly Cursor[]
  readonly #choices: readonly Cursor[]
  readonly #instances: readonly Instance[]
  readonly #byLabel: ReadonlyMap<string, number>
  readonly #byPlace: ReadonlyMap<string, number>

  /** @throws ModelError 'invalid-model' if the declaration does not fit the model */
  constructor(declared: readonly Symmetry[], shape: Shape, instances: readonly Instance[]) {
    this.sorts = sortsOf(declared)
    const paths = declared.flatMap((symmetry, sort) => namePathsOf(symmetry, sort, this.sorts))
    this.#arguments = cursorsOf(argumentPaths(declared, this.sorts, 'arguments'))
    this.#choices = cursorsOf(argumentPaths(declared, this.sorts, 'choices'))
    const reached = new Set<NamePath>()
    this.components = namedComponents(shape, this.sorts, cursorsOf(paths), reached)
    const lost = paths.find((path) => !reached.has(path))
    if (lost !== undefined) throw leadsNowhere(lost.text)
    this.#byPlace = new Map(this.components.map((component, index) => [placeOf(component), index]))
    this.#instances = instances
    this.#byLabel = new Map(instances.map(({ action, args }, index) => [labelOf(action.name, args), index]))
    this.generators = this.sorts.flatMap((_, sort) => this.#exchangesIn(sort))
    for (const generator of this.generators)
      for (const { index } of instances) this.instance(index, generator)
  }

  /** Renames nothing. */
  get identity(): Permutation {
    return this.sorts.map(({ members }) => members.map((_, member) => member))
  }

  /** The component that a component becomes. */
  component(index: number, permutation: Permutation): number {
    const { family, owners } = this.components[index]!
    const renamed = owners.map(({ sort, member }) => ({ sort, member: permutation[sort]![member]! }))
    return this.#byPlace.get(placeOf({ family, owners: renamed }))!
  }

  /**
   * The instance of an action that an instance becomes.
   * @throws ModelError 'invalid-model' if there is none
   */
  instance(index: number, permutation: Permutation): number {
    const { action, args, label } = this.#instances[index]!
    const renamer = new Renamer(this.sorts, permutation)
    const renamed = renamer.rename(args as Plain, this.#arguments, `arguments of ${label}`)
    const image = this.#byLabel.get(labelOf(action.name, renamed))
    if (image === undefined) throw noInstance(label, textOf(renamed))
    return image
  }

  choices(choices: readonly Choice[], permutation: Permutation): Choice[] {
    const renamer = new Renamer(this.sorts, permutation)
    return choices.map(({ name, value }) => ({
      name,
      value: renamer.rename(value, below(this.#choices, name), `choice ${name}`),
    }))
  }

  /** What is exchanged by a generator, for people. */
  describe(generator: Permutation): string {
    const sort = generator.findIndex((images) => images.some((image, member) => image !== member))
    const { name, members } = this.sorts[sort]!
    const first = generator[sort]!.findIndex((image, member) => image !== member)
    return `${name} ${members[first]} and ${name} ${members[first + 1]}`
  }

  #exchangesIn(sort: number): Permutation[] {
    return this.sorts[sort]!.members.slice(1).map((_, first) => {
      const permutation = this.identity.map((images) => [...images])
      permutation[sort]![first] = first + 1
      permutation[sort]![first + 1] = first
      return permutation
    })
  }
}

const labelOf = (action: string, args: Plain): string => textOf([action, canonical(args, 'arguments')])

const placeOf = ({ family, owners }: Pick<NamedComponent, 'family' | 'owners'>): string =>
  `${family} ${owners.map(({ member }) => member).join()}`

function sortsOf(declared: readonly Symmetry[]): Sort[] {
  const sorts = declared.map(({ sort, members }) => ({ name: sort, members: [...members] }))
  sorts.forEach(({ name, members }, index) => {
    if (!/^[^.[\]]+$/.test(name)) throw invalid(`the sort '${name}'`, 'a name without dots and brackets')
    if (sorts.findIndex((each) => each.name === name) !== index)
      throw invalid(`the sort '${name}' is declared twice`, 'one declaration for each sort')
    if (new Set(members.map(String)).size !== members.length)
      throw invalid(`a member of the sort '${name}' is listed twice`, 'each name once')
    for (const member of members) {
      if (typeof member !== 'string' && !Number.isSafeInteger(member))
        throw invalid(`${String(member)} among the members of '${name}'`, 'strings and whole numbers')
    }
  })
  return sorts
}

function namePathsOf({ keys, values, sets }: Symmetry, sort: number, sorts: readonly Sort[]): NamePath[] {
  const { name } = sorts[sort]!
  for (const path of keys ?? []) {
    if (!path.includes(`[${name}]`))
      throw invalid(`the path '${path}' among the keys of '${name}'`, `'[${name}]' where they are names`)
  }
  return [
    ...(keys ?? []).map((path) => parseNamePath(path, sorts)),
    ...(values ?? []).map((path) => parseNamePath(path, sorts, { kind: 'value', sort })),
    ...(sets ?? []).map((path) => parseNamePath(path, sorts, { kind: 'set', sort })),
  ]
}

const argumentPaths = (
  declared: readonly Symmetry[],
  sorts: readonly Sort[],
  list: 'arguments' | 'choices',
): NamePath[] =>
  declared.flatMap((symmetry, sort) =>
    (symmetry[list] ?? []).map((path) => parseNamePath(path, sorts, { kind: 'value', sort })),
  )

/** Takes the shape of the state apart along the paths, and notes which paths lead to something. */
function namedComponents(
  shape: Shape,
  sorts: readonly Sort[],
  cursors: readonly Cursor[],
  reached: Set<NamePath>,
): NamedComponent[] {
  const components: NamedComponent[] = new Array(shape.components.length)
  const visit = (node: ShapeNode, at: readonly Cursor[], about: Omit<NamedComponent, 'cursors'>): void => {
    if (node.kind === 'component') {
      for (const { path } of at) reached.add(path)
      components[node.index] = { ...about, cursors: leadsToNames(at) ? at : [] }
      return
    }
    const sort = keySortOf(at)
    if (sort !== undefined) checkKeys(sorts[sort]!, node.path, [...node.children.keys()])
    for (const [key, child] of node.children) {
      const member = sort === undefined ? -1 : memberOfKey(sorts[sort]!, key)
      visit(child, below(at, key), {
        family: `${about.family}${member < 0 ? `.${key}` : `[${sorts[sort!]!.name}]`}`,
        owners: member < 0 ? about.owners : [...about.owners, { sort: sort!, member }],
      })
    }
  }
  visit(shape.root, cursors, { family: '', owners: [] })
  return components
}

function checkKeys({ name, members }: Sort, path: string, keys: readonly string[]): void {
  const missing = members.find((member) => !keys.includes(String(member)))
  if (missing === undefined) return
  throw invalid(`'${path}' has no key '${missing}', which is a ${name}`, `a key for every ${name}`)
}

const leadsNowhere = (path: string) => invalid(`the path '${path}' leads nowhere`, 'a path of the state')

const noInstance = (label: string, renamed: string) =>
  invalid(
    `${label} becomes an action with the arguments ${renamed}, which does not exist`,
    'the arguments of an action to be all members of a sort, or none of them',
  )

const invalid = (found: string, expected: string) =>
  new ModelError({ code: 'invalid-model', found, where: 'symmetry', expected })
