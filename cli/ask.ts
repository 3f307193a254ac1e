/** What `check --schedule` and `check --goal` search for in the place of everything. */
import { resolve } from 'node:path'
import { type CheckOptions, type CheckResult, UsageError } from '../checker/index.ts'
import { type Completion, completeSchedule, reach } from '../traces/index.ts'
import type { Environment } from './environment.ts'
import { readText } from './files.ts'
import type { Asked } from './report/asked.ts'
import type { Subject } from './subject.ts'

/** A search for one way. */
export interface Ask {
  readonly run: (subject: Subject, options: CheckOptions) => Promise<CheckResult>
  /** How its result is told; absent where the goal is a property whose violation tells itself. */
  readonly asked: (result: CheckResult) => Asked | undefined
}

/** Nobody writes longer ones by hand. */
const scheduleBytesMax = 1_000_000

export function askSchedule(file: string, { folder }: Environment): Ask {
  const text = readText(resolve(folder, file), 'schedule', scheduleBytesMax)
  let completion: Completion | undefined
  return {
    run: async ({ model, config }, options) => {
      completion = await completeSchedule(model, config, { text, source: file }, options)
      return completion.result
    },
    asked: () => ({ participle: 'completed', ...(completion === undefined ? {} : { completion }) }),
  }
}

export function askGoal(goal: string): Ask {
  return {
    run: ({ model, config }, options) => reach(model, config, goal, options),
    asked: ({ properties: [first] }) => (first?.kind === 'reachable' ? { participle: 'reached' } : undefined),
  }
}

/** @throws UsageError (invalid-option) for flags that ask for something else than one way */
export function refuseWithAsk(option: string, others: Readonly<Record<string, boolean>>): void {
  const other = Object.keys(others).find((name) => others[name])
  if (other === undefined) return
  throw new UsageError({
    code: 'invalid-option',
    where: option,
    found: `${other} is given as well`,
    expected: `${option} alone: it asks for one behaviour, and judges that one by all properties`,
    fix: `leave ${other} out`,
  })
}
