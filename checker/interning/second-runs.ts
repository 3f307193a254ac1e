/**
 * Which of the new combinations of a recipe or property are run a second time, to see whether it comes to the same.
 * All of the first ones: what is impure, or tells plain copies from drafts of immer, mostly shows it at once. Of the
 * later ones an even sample. It goes by their number alone, so that the same search makes the same runs.
 */

/** As many as a small model has in all, and a large one of most of its actions and properties. */
const alwaysUpTo = 256
/** A prime, since combinations that differ in one thing alone often come at distances that are powers of two. */
const thenOneIn = 17

export class SecondRuns {
  #met = 0

  /** Counts a new combination, and says whether it is run a second time. */
  isDue(): boolean {
    const met = this.#met++
    return met < alwaysUpTo || met % thenOneIn === 0
  }
}
