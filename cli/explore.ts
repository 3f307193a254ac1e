/** One search as a command runs it: with progress, and with the memory of this process. */
import type { Progress } from '../checker/index.ts'
import type { Environment } from './environment.ts'
import { progressLine } from './progress.ts'

/** The options by which a search is watched. */
export interface Watched {
  readonly processMemoryBytes: () => number
  readonly onProgress: (progress: Progress) => void
}

/**
 * Runs one search and shows how far it is.
 *
 * @param label says what is being searched, where several things are in turn
 * @throws what `run` throws
 */
export async function explore<Result>(
  run: (watched: Watched) => Promise<Result>,
  { stderr, processMemoryBytes }: Environment,
  label = '',
): Promise<Result> {
  const progress = progressLine(stderr, label)
  try {
    return await run({ processMemoryBytes, onProgress: progress.update })
  } finally {
    progress.end()
  }
}
