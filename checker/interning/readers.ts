/**
 * Which judges of states must be asked about a new state, by what the step to it has changed.
 *
 * A judge that reads nothing of what a step changes says the same of both states. So what it has ever read tells
 * when to ask it again: the sets here are bit masks over judges, one for each component and value. A judge is left out
 * of those values that settle its answer alone, as the first thing that it reads.
 */
import { grown } from './memory.ts'

export class Readers {
  /** Words per mask. */
  readonly maskWords: number
  /** Per component: one mask per id, of the judges to ask when the component takes this value. */
  readonly #masks: Int32Array[]
  /** Per component: the judges that have read it. */
  readonly #readers: Int32Array[]
  /** Per component: how many ids have masks. */
  readonly #sizes: Int32Array

  constructor(judges: number, components: number) {
    this.maskWords = (judges + 31) >>> 5
    this.#masks = Array.from({ length: components }, () => new Int32Array(0))
    this.#readers = Array.from({ length: components }, () => new Int32Array(this.maskWords))
    this.#sizes = new Int32Array(components)
  }

  /** Adds the judges to ask when a component takes a value. */
  addTo(asked: Int32Array, component: number, id: number): void {
    if (id >= this.#sizes[component]!) this.#addValues(component, id)
    const masks = this.#masks[component]!
    const { maskWords } = this
    for (let word = 0; word < maskWords; word++) asked[word]! |= masks[id * maskWords + word]!
  }

  /** Notes what a judge has read to come to its answer. */
  note(judge: number, reads: readonly number[], ids: Int32Array): void {
    for (const component of reads) this.#addReader(judge, component)
    const [only] = reads
    if (only === undefined || reads.length > 1) return
    const id = ids[only]!
    if (id >= this.#sizes[only]!) this.#addValues(only, id)
    this.#masks[only]![id * this.maskWords + (judge >>> 5)]! &= ~(1 << (judge & 31))
  }

  #addReader(judge: number, component: number): void {
    const [word, bit] = [judge >>> 5, 1 << (judge & 31)]
    const readers = this.#readers[component]!
    if ((readers[word]! & bit) !== 0) return
    readers[word]! |= bit
    const masks = this.#masks[component]!
    for (let id = 0; id < this.#sizes[component]!; id++) masks[id * this.maskWords + word]! |= bit
  }

  /** Makes masks for the values up to an id. */
  #addValues(component: number, id: number): void {
    const { maskWords } = this
    if ((id + 1) * maskWords > this.#masks[component]!.length) {
      this.#masks[component] = grown(this.#masks[component]!, 2 * (id + 1) * maskWords)
    }
    for (let each = this.#sizes[component]!; each <= id; each++)
      this.#masks[component]!.set(this.#readers[component]!, each * maskWords)
    this.#sizes[component] = id + 1
  }
}
