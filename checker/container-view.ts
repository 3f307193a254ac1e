/**
 * What a recipe or a property sees of the outer form of a state: proxies for the containers, which hand every
 * access to a component on to whoever keeps the components' values, and refuse any change of shape.
 */
import type { ContainerNode } from './shape.ts'

/** Keeps the values of the components during a run. */
export interface ComponentAccess {
  read(component: number): unknown
  write(component: number, value: unknown): void
  /** Reports that the containers may not be changed like this; throws. */
  refuse(found: string, path: string): never
}

/** The whole state, read and written through `access`. Made once per model; the runs come and go beneath it. */
export function viewOf(shape: ContainerNode, access: ComponentAccess): unknown {
  return containerView(shape, access)
}

function containerView(node: ContainerNode, access: ComponentAccess): object {
  const components = new Map<string, number>()
  const containers = new Map<string, object>()
  const shadow: Record<string, null> | null[] = node.isArray ? [] : {}
  for (const [key, child] of node.children) {
    ;(shadow as Record<string, null>)[key] = null
    if (child.kind === 'component') components.set(key, child.index)
    else containers.set(key, containerView(child, access))
  }
  const view = new Proxy(shadow, new ContainerHandler(node, components, containers, access))
  views.add(view)
  return view
}

const views = new WeakSet<object>()

/** Whether a value is part of the outer form of a state that some run is looking at. */
export const isContainerView = (value: object): boolean => views.has(value)

class ContainerHandler implements ProxyHandler<object> {
  readonly #node: ContainerNode
  readonly #components: ReadonlyMap<string, number>
  readonly #containers: ReadonlyMap<string, object>
  readonly #access: ComponentAccess

  constructor(
    node: ContainerNode,
    components: ReadonlyMap<string, number>,
    containers: ReadonlyMap<string, object>,
    access: ComponentAccess,
  ) {
    this.#node = node
    this.#components = components
    this.#containers = containers
    this.#access = access
  }

  get(shadow: object, key: string | symbol): unknown {
    if (typeof key === 'symbol') return Reflect.get(shadow, key)
    const component = this.#components.get(key)
    if (component !== undefined) return this.#access.read(component)
    return this.#containers.get(key) ?? Reflect.get(shadow, key)
  }

  set(shadow: object, key: string | symbol, value: unknown): boolean {
    const component = this.#components.get(key as string)
    if (component !== undefined) this.#access.write(component, value)
    else if (this.#containers.has(key as string)) this.#refuse(`replacing the container '${String(key)}'`)
    else if (key !== 'length' || value !== Reflect.get(shadow, 'length')) this.#refuseKey('setting', key)
    return true
  }

  /**
   * The value is given by an accessor, since Object.keys asks for descriptors too and what it learns (that the
   * key is there) is no read of the component.
   */
  getOwnPropertyDescriptor(shadow: object, key: string | symbol): PropertyDescriptor | undefined {
    const own = Reflect.getOwnPropertyDescriptor(shadow, key)
    if (own === undefined || own.configurable === false) return own
    return { get: () => this.get(shadow, key), enumerable: true, configurable: true }
  }

  deleteProperty(_: object, key: string | symbol): never {
    return this.#refuseKey('deleting', key)
  }

  defineProperty(_: object, key: string | symbol): never {
    return this.#refuseKey('defining', key)
  }

  setPrototypeOf(): never {
    return this.#refuse('changing the prototype')
  }

  preventExtensions(): never {
    return this.#refuse('freezing')
  }

  #refuseKey(what: string, key: string | symbol): never {
    return this.#refuse(`${what} the key '${String(key)}'`)
  }

  #refuse(what: string): never {
    return this.#access.refuse(what, this.#node.path)
  }
}
