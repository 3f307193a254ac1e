/** Reporters for continuous integration: functions from a result to the text that other programs read. */
import { githubReport } from './github.ts'
import { junitReport } from './junit.ts'
import type { Reported } from './reported.ts'
import { sarifReport } from './sarif.ts'

export type { AboutProperty, Reported } from './reported.ts'

/** By name. Each makes the whole of what is to be printed. */
export const reporters = {
  junit: junitReport,
  sarif: sarifReport,
  github: githubReport,
} as const satisfies Record<string, (reported: Reported) => string>
