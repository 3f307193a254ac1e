/** One renaming of participants, as the engine applies it: from ids to ids. */
import { type Permutation, Renamer } from '../symmetry/names.ts'
import type { Symmetries } from '../symmetry/symmetries.ts'
import type { Components } from './components.ts'

export class Renaming {
  readonly permutation: Permutation
  readonly #components: Components
  readonly #symmetries: Symmetries
  readonly #renamer: Renamer
  /** Per component, the one that it becomes. */
  readonly #targets: Int32Array
  /** Per component, by id: the id that it becomes there, if that was asked before. */
  readonly #images: number[][]

  constructor(permutation: Permutation, symmetries: Symmetries, components: Components) {
    this.permutation = permutation
    this.#components = components
    this.#symmetries = symmetries
    this.#renamer = new Renamer(symmetries.sorts, permutation)
    this.#targets = Int32Array.from(symmetries.components, (_, index) =>
      symmetries.component(index, permutation),
    )
    this.#images = symmetries.components.map(() => [])
  }

  /** The component that a component becomes. */
  target(component: number): number {
    return this.#targets[component]!
  }

  /** The id that a value of a component becomes, among those of the component that it becomes. */
  image(component: number, id: number): number {
    const known = this.#images[component]![id]
    if (known !== undefined) return known
    const value = this.#components.tables[component]!.value(id)
    const { cursors, family } = this.#symmetries.components[component]!
    const renamed = this.#renamer.rename(value, cursors, `component ${family.replace(/^\./, '')}`)
    const image = this.#components.intern(this.#targets[component]!, renamed)
    this.#images[component]![id] = image
    return image
  }

  /** Renames some components of a state, the others being the same before and after. */
  apply(from: ArrayLike<number>, into: Int32Array, moving: ArrayLike<number>, offset = 0): void {
    for (let index = 0; index < moving.length; index++) {
      const component = moving[index]!
      into[offset + this.#targets[component]!] = this.image(component, from[offset + component]!)
    }
  }
}
