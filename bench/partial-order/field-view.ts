/** A state that notes which fields of its components are looked at. */
import { viewOf } from '../../checker/container-view.ts'
import type { ContainerNode, Shape } from '../../checker/shape.ts'
import { keysOf } from './changes.ts'

export class FieldView {
  /** What is handed to a property. */
  readonly state: unknown
  readonly #note: (field: string) => void
  readonly #seen = new Map<string, object>()
  #source: unknown

  constructor(shape: Shape, note: (field: string) => void) {
    const keys = keysByComponent(shape.root)
    const refuse = (): never => {
      throw new Error('a property only looks at the state')
    }
    this.#note = note
    this.state = viewOf(shape.root, {
      read: (component) => {
        const value = keys[component]!.reduce((at, key) => (at as Record<string, unknown>)[key], this.#source)
        return this.#tracked(value, shape.components[component]!)
      },
      write: refuse,
      refuse,
    })
  }

  /** Looks at another state from now on. */
  open(source: unknown): void {
    this.#source = source
    this.#seen.clear()
  }

  #tracked(value: unknown, path: string): unknown {
    this.#note(path)
    if (value === null || typeof value !== 'object') return value
    // The same place is the same object, as long as it is the same state.
    const known = this.#seen.get(path) ?? this.#proxy(value, path)
    this.#seen.set(path, known)
    return known
  }

  #proxy(value: object, path: string): object {
    const shadow: object = Array.isArray(value) ? [...value] : { ...value }
    return new Proxy(shadow, {
      get: (target, key, receiver) => {
        if (typeof key === 'symbol') return Reflect.get(target, key, receiver)
        if (Array.isArray(target) && key === 'length') this.#note(keysOf(path))
        else if (Object.hasOwn(target, key)) return this.#tracked(Reflect.get(target, key), `${path}.${key}`)
        else if (!(key in target)) this.#note(`${path}.${key}`)
        return Reflect.get(target, key, receiver)
      },
      has: (target, key) => {
        this.#note(`${path}.${String(key)}`)
        return Reflect.has(target, key)
      },
      ownKeys: (target) => {
        this.#note(keysOf(path))
        return Reflect.ownKeys(target)
      },
    })
  }
}

/** The keys that lead to each component. */
function keysByComponent(root: ContainerNode): (readonly string[])[] {
  const found: (readonly string[])[] = []
  const visit = (node: ContainerNode, keys: readonly string[]) => {
    for (const [key, child] of node.children) {
      if (child.kind === 'component') found[child.index] = [...keys, key]
      else visit(child, [...keys, key])
    }
  }
  visit(root, [])
  return found
}
