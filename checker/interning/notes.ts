/** What the nodes of action tries note about guards, by number. */
export interface Note {
  /** The guards that were passed on the way to the node, in order. */
  readonly passed: readonly string[]
  /** Of a disabled leaf, the guard that was not passed. */
  readonly blockedBy?: string
}

export class Notes {
  /** Note 0 notes nothing. */
  readonly #notes: Note[] = [{ passed: [] }]
  readonly #numbers = new Map<string, number>()

  get(number: number): Note {
    return this.#notes[number]!
  }

  numberOf(passed: readonly string[], blockedBy?: string): number {
    if (passed.length === 0 && blockedBy === undefined) return 0
    const text = JSON.stringify([passed, blockedBy ?? null])
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, this.#notes.length)
    return this.#notes.push({ passed, ...(blockedBy === undefined ? {} : { blockedBy }) }) - 1
  }
}
