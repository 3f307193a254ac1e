/**
 * A copy of a state that notes which places of it are read before they are written. It may be changed like any plain
 * object, so that a recipe can run on it; what was stored in it is read and changed without a note.
 */
import type { Plain } from '../model.ts'
import { mutableCopy } from '../plain.ts'
import { keysOf, type Place, placeIn, rootPlace } from './places.ts'

type Data = Record<string, unknown>

export class Tracked {
  /** What a recipe or a property sees. */
  readonly view: unknown
  readonly reads = new Set<Place>()
  readonly #places = new WeakMap<object, Place>()
  /** By object of the copy: what stands for it, and which of its keys were written. */
  readonly #proxies = new WeakMap<object, object>()
  readonly #targets = new WeakMap<object, object>()
  readonly #written = new WeakMap<object, Set<string>>()
  readonly #root: unknown

  constructor(state: Plain) {
    this.#root = mutableCopy(state)
    this.view = this.#viewOf(this.#root, rootPlace)
  }

  /** The state as it is now, with the notes that copying what was stored elsewhere takes. */
  result(): unknown {
    return this.#copyOwn(this.#root)
  }

  /** A value without views in it; what these stand for counts as read. */
  plain(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    const target = this.#targets.get(value)
    if (target !== undefined) this.#noteKeys(target)
    const read = target === undefined ? value : (this.#proxies.get(target) as object)
    return mapped(read, (item) => this.plain(item))
  }

  /** Copies what is still where it was without a note, and what was stored with notes. */
  #copyOwn(target: unknown): unknown {
    if (typeof target !== 'object' || target === null) return target
    const written = this.#written.get(target)
    return mapped(target, (item, key) => (written?.has(key) ? this.plain(item) : this.#copyOwn(item)))
  }

  #viewOf(value: unknown, place: Place): unknown {
    if (typeof value !== 'object' || value === null) return value
    const known = this.#proxies.get(value)
    if (known !== undefined) return known
    const proxy = new Proxy(value, this.#handler)
    this.#places.set(value, place)
    this.#proxies.set(value, proxy)
    this.#targets.set(proxy, value)
    return proxy
  }

  readonly #handler: ProxyHandler<object> = {
    get: (target, key) => {
      if (typeof key === 'symbol' || isMethod(target, key)) return Reflect.get(target, key)
      const value = (target as Data)[key]
      if (this.#written.get(target)?.has(key)) return value
      const place = this.#note(target, key)
      return Object.hasOwn(target, key) ? this.#viewOf(value, place) : value
    },
    set: (target, key, value) => {
      this.#noteWritten(target, String(key))
      return Reflect.set(target, key, value)
    },
    deleteProperty: (target, key) => {
      this.#noteWritten(target, String(key))
      return Reflect.deleteProperty(target, key)
    },
    has: (target, key) => {
      if (typeof key === 'string') this.#noteUnlessWritten(target, key)
      return Reflect.has(target, key)
    },
    ownKeys: (target) => {
      this.#noteKeys(target)
      return Reflect.ownKeys(target)
    },
    getOwnPropertyDescriptor: (target, key) => {
      if (typeof key === 'string') this.#noteUnlessWritten(target, key)
      return Reflect.getOwnPropertyDescriptor(target, key)
    },
  }

  #noteWritten(target: object, key: string): void {
    const written = this.#written.get(target)
    if (written === undefined) this.#written.set(target, new Set([key]))
    else written.add(key)
  }

  #noteUnlessWritten(target: object, key: string): void {
    if (!this.#written.get(target)?.has(key)) this.#note(target, key)
  }

  #note(target: object, key: string): Place {
    const at = this.#places.get(target)!
    const place = Array.isArray(target) && key === 'length' ? keysOf(at) : placeIn(at, key)
    this.reads.add(place)
    return place
  }

  #noteKeys(target: object): void {
    this.reads.add(keysOf(this.#places.get(target)!))
  }
}

const isMethod = (target: object, key: string) =>
  Array.isArray(target) && key !== 'length' && Object.hasOwn(Array.prototype, key)

function mapped(value: object, of: (item: unknown, key: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item, index) => of(item, String(index)))
  return Object.fromEntries(Object.keys(value).map((key) => [key, of((value as Data)[key], key)]))
}
