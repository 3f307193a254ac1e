/** One exploration as a command runs it: with progress, and with the memory of this process. */
import { type CheckOptions, type CheckResult, check } from '../checker/index.ts'
import type { AnyModel, ConfigInput } from './catalogue.ts'
import type { Environment } from './environment.ts'
import { progressLine } from './progress.ts'

/**
 * @param label says what is being searched, where several things are in turn
 * @throws UsageError, ModelError as `check` does
 */
export async function explore(
  model: AnyModel,
  config: ConfigInput,
  options: CheckOptions,
  { stderr, processMemoryBytes }: Environment,
  label = '',
): Promise<CheckResult> {
  const progress = progressLine(stderr, label)
  try {
    return await check(model, config, { ...options, processMemoryBytes, onProgress: progress.update })
  } finally {
    progress.end()
  }
}
