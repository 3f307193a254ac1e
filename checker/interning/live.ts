/**
 * Enabled actions by component: per value of a component the instances that it does not already rule out. An
 * instance is asked about one component first; it is ruled out by a value only if the answer is 'disabled' at once.
 *
 * The sets are bit masks over instances, so that their union over the components lists the instances of a state in
 * the order that breaks ties.
 */
import { grown } from './memory.ts'

export class LiveInstances {
  /** Words per mask. */
  readonly maskWords: number
  /** Components that some instance is asked about first. */
  readonly rootComponents: number[] = []
  /** Per component: one mask per id. */
  readonly masks: Int32Array[]
  /** Per component and id: states expanded that had it. Counted for root components only. */
  readonly visits: Int32Array[]
  /** Instances not ruled out by any component: they ask about none, or were never tried. */
  readonly always: Int32Array
  /** Per component: the instances that are asked about it first. */
  readonly #asked: (Int32Array | undefined)[]
  readonly #sizes: number[]

  constructor(instances: number, components: number) {
    this.maskWords = (instances + 31) >>> 5
    this.masks = Array.from({ length: components }, () => new Int32Array(0))
    this.visits = Array.from({ length: components }, () => new Int32Array(0))
    this.#asked = new Array(components).fill(undefined)
    this.#sizes = new Array(components).fill(0)
    this.always = new Int32Array(this.maskWords)
    for (let instance = 0; instance < instances; instance++)
      this.always[instance >>> 5]! |= 1 << (instance & 31)
  }

  get bytes(): number {
    return [...this.masks, ...this.visits].reduce((sum, words) => sum + words.byteLength, 0)
  }

  /** Makes room for a new value of a component: it rules nothing out yet. */
  addValue(component: number, id: number): void {
    this.#sizes[component] = id + 1
    const asked = this.#asked[component]
    if (asked === undefined) return
    if (id >= this.visits[component]!.length) this.#resize(component, 2 * (id + 1))
    this.masks[component]!.set(asked, id * this.maskWords)
  }

  /** From now on the instance is listed by the values of the component. */
  setRoot(instance: number, component: number): void {
    const [word, bit] = [instance >>> 5, 1 << (instance & 31)]
    if ((this.always[word]! & bit) === 0) return
    this.remove(instance)
    const asked = this.#askedOf(component)
    asked[word]! |= bit
    const masks = this.masks[component]!
    for (let id = 0; id < this.#sizes[component]!; id++) masks[id * this.maskWords + word]! |= bit
  }

  /** The instance is disabled wherever the component has this value. */
  ruleOut(instance: number, component: number, id: number): void {
    this.masks[component]![id * this.maskWords + (instance >>> 5)]! &= ~(1 << (instance & 31))
  }

  /** The instance is no longer listed everywhere. */
  remove(instance: number): void {
    this.always[instance >>> 5]! &= ~(1 << (instance & 31))
  }

  #askedOf(component: number): Int32Array {
    const known = this.#asked[component]
    if (known !== undefined) return known
    const asked = new Int32Array(this.maskWords)
    this.#asked[component] = asked
    this.rootComponents.push(component)
    this.#resize(component, this.#sizes[component]! + 1)
    return asked
  }

  #resize(component: number, values: number): void {
    this.visits[component] = grown(this.visits[component]!, values)
    this.masks[component] = grown(this.masks[component]!, values * this.maskWords)
  }
}
