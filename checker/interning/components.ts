/** The interned values of all components of a model. */
import type { Plain } from '../model.ts'
import type { Shape } from '../shape.ts'
import { ValueTable } from './values.ts'

export class Components {
  readonly tables: readonly ValueTable[]
  /** Told about each new value. */
  onNewValue: (component: number, id: number) => void = () => {}

  constructor(shape: Shape) {
    this.tables = shape.components.map((path) => new ValueTable(path))
  }

  get count(): number {
    return this.tables.length
  }

  get bytes(): number {
    return this.tables.reduce((sum, table) => sum + table.bytes + table.randomWords.byteLength, 0)
  }

  get sizes(): number[] {
    return this.tables.map((table) => table.size)
  }

  intern(component: number, value: Plain): number {
    const table = this.tables[component]!
    const before = table.size
    const id = table.intern(value)
    if (id === before) this.onNewValue(component, id)
    return id
  }

  /** The values behind a tuple of ids, which begins at `offset`. */
  values(ids: ArrayLike<number>, offset = 0): Plain[] {
    return this.tables.map((table, component) => table.value(ids[offset + component]!))
  }

  /** The hash of a tuple: the xor of the random words of its values. */
  hash(ids: ArrayLike<number>): number {
    let hash = 0
    for (let component = 0; component < this.tables.length; component++) {
      hash ^= this.tables[component]!.randomWords[ids[component]!]!
    }
    return hash
  }
}
