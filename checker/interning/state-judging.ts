/**
 * Judges states by the properties of states, each once, in the order in which they were found.
 *
 * The state from which another was found first was judged before it. Between the two little differs, and most
 * properties read nothing of that: only the others are asked, see `readers.ts`.
 */
import type { Judging } from './judging.ts'
import { Readers } from './readers.ts'
import type { Space } from './space.ts'

export class StateJudging {
  readonly #space: Space
  readonly #judging: Judging
  readonly #readers: Readers
  /** A mask over judges: those that are asked about the state. */
  readonly #asked: Int32Array
  readonly #ids: Int32Array
  /** The words of the state and of the one that it was found from. */
  #words = new Int32Array(0)
  #parentWords = new Int32Array(0)

  constructor(space: Space, judging: Judging) {
    this.#space = space
    this.#judging = judging
    this.#readers = new Readers(judging.stateJudges.length, space.components.count)
    this.#asked = new Int32Array(this.#readers.maskWords)
    this.#ids = new Int32Array(space.components.count)
    judging.stateJudges.forEach(({ memo }, judge) => {
      memo.onEvaluation = (reads, ids) => this.#readers.note(judge, reads, ids)
    })
  }

  /** Judges the next state. */
  judgeNext(): void {
    const state = this.#judging.states++
    if (this.#judging.stateJudges.length === 0) return
    this.#open(state)
    const asked = this.#asked
    for (let maskWord = 0; maskWord < asked.length; maskWord++) {
      let listed = asked[maskWord]!
      while (listed !== 0) {
        const lowest = listed & -listed
        listed ^= lowest
        const { property, memo } = this.#judging.stateJudges[(maskWord << 5) + 31 - Math.clz32(lowest)]!
        if (property.settled === undefined) property.judgeBy(memo, this.#ids, state, 0, undefined)
      }
    }
  }

  /** Takes a state apart, and lists the judges to ask. */
  #open(state: number): void {
    const { states, layout } = this.#space
    if (this.#words.length !== states.wordCount) {
      this.#words = new Int32Array(states.wordCount)
      this.#parentWords = new Int32Array(states.wordCount)
    }
    states.read(state, this.#words)
    layout.unpack(this.#words, this.#ids)
    const parent = states.parent(state)
    if (parent < 0) this.#askAll()
    else {
      states.read(parent, this.#parentWords)
      this.#askReaders()
    }
  }

  /** Lists every judge: nothing is known of what an initial state came from. */
  #askAll(): void {
    this.#asked.fill(0)
    this.#judging.stateJudges.forEach((_, judge) => {
      this.#asked[judge >>> 5]! |= 1 << (judge & 31)
    })
  }

  /** Lists the judges of what differs between the two states. */
  #askReaders(): void {
    const { layout } = this.#space
    this.#asked.fill(0)
    for (let word = 0; word < this.#words.length; word++) {
      const difference = this.#words[word]! ^ this.#parentWords[word]!
      if (difference === 0) continue
      for (const component of layout.fields[word]!) {
        if (((difference >>> layout.shift[component]!) & layout.mask[component]!) === 0) continue
        this.#readers.addTo(this.#asked, component, this.#ids[component]!)
      }
    }
  }
}
