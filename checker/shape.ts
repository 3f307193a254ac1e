/**
 * The fixed outer form of all states of a model: containers (objects and arrays whose keys never change) down to
 * components (the units of drafting, interning and memoising), as given by path patterns over an initial state.
 */

import { parsePattern, type Segment } from './component-pattern.ts'
import { ModelError } from './errors.ts'
import type { Plain } from './model.ts'
import { nearest } from './suggest.ts'

export interface ComponentNode {
  readonly kind: 'component'
  /** Position among the components of the model. */
  readonly index: number
  /** `partition[0].log` */
  readonly path: string
}

export interface ContainerNode {
  readonly kind: 'container'
  readonly path: string
  readonly isArray: boolean
  /** In canonical order; for an array its indices. */
  readonly children: ReadonlyMap<string, ShapeNode>
}

export type ShapeNode = ComponentNode | ContainerNode

export interface Shape {
  readonly root: ContainerNode
  /** Paths of the components: by pattern as declared, then in the order of the state. */
  readonly components: readonly string[]
}

/** A pattern of which `position` segments have led to the value at hand. */
interface Match {
  readonly pattern: number
  readonly position: number
}

/**
 * Splits a (canonical) state into components.
 * @throws ModelError 'invalid-model' unless every leaf lies in exactly one component and every pattern matches
 */
export function shapeOf(state: Plain, patterns: readonly string[]): Shape {
  return new ShapeBuilder(patterns).build(state)
}

class ShapeBuilder {
  readonly #patterns: readonly string[]
  readonly #segments: readonly (readonly Segment[])[]
  readonly #paths: string[][]
  readonly #matched: boolean[]

  constructor(patterns: readonly string[]) {
    this.#patterns = patterns
    this.#segments = patterns.map(parsePattern)
    this.#paths = patterns.map(() => [])
    this.#matched = patterns.map(() => false)
  }

  build(state: Plain): Shape {
    const root = this.#visit(
      state,
      '',
      this.#patterns.map((_, pattern) => ({ pattern, position: 0 })),
    )
    const unmatched = this.#matched.indexOf(false)
    if (unmatched >= 0) throw this.#matchesNothing(unmatched, state)
    if (root.kind === 'component') throw new Error('a component path has at least one segment')
    const components = this.#paths.flat()
    const index = new Map(components.map((path, position) => [path, position]))
    return { root: numbered(root, index), components }
  }

  #visit(value: Plain, path: string, matches: readonly Match[]): ShapeNode {
    const ending = matches.filter(({ pattern, position }) => position === this.#segments[pattern]!.length)
    if (ending.length > 0) return this.#component(path, ending[0]!, matches)
    if (value === null || typeof value !== 'object') {
      const found = path === '' ? 'the state is no object or array' : `'${path}' lies in no component`
      throw invalid(found, 'initial state', 'an object, with a component path for every leaf of it')
    }
    const isArray = Array.isArray(value)
    const children = new Map<string, ShapeNode>()
    for (const match of matches) {
      if (this.#segments[match.pattern]![match.position]!.kind === 'each') this.#matched[match.pattern] = true
    }
    for (const [key, child] of Object.entries(value)) {
      const below = matches.filter((match) => this.#leadsTo(match, key))
      const childPath = isArray ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
      const advanced = below.map(({ pattern, position }) => ({ pattern, position: position + 1 }))
      children.set(key, this.#visit(child, childPath, advanced))
    }
    return { kind: 'container', path, isArray, children }
  }

  #leadsTo({ pattern, position }: Match, key: string): boolean {
    const segment = this.#segments[pattern]![position]!
    return segment.kind === 'each' || segment.key === key
  }

  #component(path: string, { pattern }: Match, matches: readonly Match[]): ComponentNode {
    const other = matches.find((match) => match.pattern !== pattern)
    if (other !== undefined) {
      const [one, two] = [this.#patterns[pattern]!, this.#patterns[other.pattern]!]
      throw invalid(`the component paths '${one}' and '${two}' overlap`, path, 'each leaf in one component')
    }
    this.#matched[pattern] = true
    this.#paths[pattern]!.push(path)
    return { kind: 'component', index: -1, path }
  }

  #matchesNothing(pattern: number, state: Plain): ModelError {
    const name = this.#patterns[pattern]!
    const keys = state !== null && typeof state === 'object' ? Object.keys(state) : []
    const near = nearest(name, keys)
    const fix = near === undefined ? undefined : `did you mean '${near}'?`
    return invalid(
      `the component path '${name}' matches nothing`,
      'initial state',
      'a path of the state',
      fix,
    )
  }
}

/** Components get their numbers when all paths are known: by pattern, not by place in the state. */
function numbered(node: ContainerNode, index: ReadonlyMap<string, number>): ContainerNode {
  const number = (child: ShapeNode): ShapeNode =>
    child.kind === 'component' ? { ...child, index: index.get(child.path)! } : numbered(child, index)
  return { ...node, children: new Map([...node.children].map(([key, child]) => [key, number(child)])) }
}

/**
 * Takes a canonical state apart.
 * @returns the value of each component
 * @throws ModelError 'invalid-model' where the containers differ from the shape
 */
export function componentsOf(shape: Shape, state: Plain, where: string): Plain[] {
  const values: Plain[] = new Array(shape.components.length)
  const visit = (node: ShapeNode, value: Plain): void => {
    if (node.kind === 'component') {
      values[node.index] = value
      return
    }
    if (!sameContainer(node, value)) {
      const place = node.path === '' ? where : `${where}, ${node.path}`
      throw invalid('another set of keys than in the first initial state', place, 'containers fixed in shape')
    }
    for (const [key, child] of node.children) visit(child, (value as Record<string, Plain>)[key]!)
  }
  visit(shape.root, state)
  return values
}

function sameContainer(node: ContainerNode, value: Plain): boolean {
  if (value === null || typeof value !== 'object' || Array.isArray(value) !== node.isArray) return false
  const keys = Object.keys(value)
  return keys.length === node.children.size && keys.every((key) => node.children.has(key))
}

/** Puts a state together from the values of its components. */
export function stateOf(shape: Shape, values: readonly Plain[]): Plain {
  const build = (node: ShapeNode): Plain => {
    if (node.kind === 'component') return values[node.index]!
    const entries = [...node.children].map(([key, child]) => [key, build(child)] as const)
    return Object.freeze(
      node.isArray ? entries.map(([, child]) => child) : Object.fromEntries(entries),
    ) as Plain
  }
  return build(shape.root)
}

function invalid(found: string, where: string, expected: string, fix?: string): ModelError {
  return new ModelError({
    code: 'invalid-model',
    found,
    ...(where === '' ? {} : { where }),
    expected,
    ...(fix === undefined ? {} : { fix }),
  })
}
