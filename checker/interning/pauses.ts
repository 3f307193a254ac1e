/** Lets the host do other work now and then, and tells it how far the search is. */
import type { CheckOptions, Progress } from '../result.ts'

/** Long enough to cost nothing, short enough for an interruption to feel immediate. */
const intervalMs = 100

export class Pauses {
  readonly #startedMs = performance.now()
  readonly #onProgress: CheckOptions['onProgress']
  #lastMs = this.#startedMs

  constructor({ onProgress }: CheckOptions) {
    this.#onProgress = onProgress
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedMs
  }

  async pauseIfDue(progress: () => Omit<Progress, 'elapsedMs'>): Promise<void> {
    if (performance.now() - this.#lastMs < intervalMs) return
    this.#onProgress?.({ ...progress(), elapsedMs: this.elapsedMs })
    // A timer, and not a promise, so that signals and other timers get their turn.
    await new Promise((resolve) => setTimeout(resolve, 0))
    this.#lastMs = performance.now()
  }
}
