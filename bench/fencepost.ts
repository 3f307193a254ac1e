/** fencepost itself on examples/two-phase-commit.ts, each run in a process of its own, as a user starts it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { CheckResult } from '../checker/index.ts'
import type { Run, Tool } from './measurement.ts'

const program = fileURLToPath(new URL('explore.ts', import.meta.url))
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

export const fencepost: Tool = {
  name: 'fencepost',
  version: `fencepost ${version}, node ${process.version}`,
  run(managers) {
    const begin = performance.now()
    const output = execFileSync(process.execPath, ['--import', 'tsx', program, String(managers)], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    })
    return readResult(JSON.parse(output), performance.now() - begin)
  },
}

/** What the process of one run prints; its memory is the largest that it ever held. */
export type Printed = Pick<CheckResult, 'verdict' | 'states' | 'depth' | 'elapsedMs'> & {
  memoryBytes: number
}

/** @throws Error if the model was not proved */
export function readResult(printed: Printed, wholeMs: number): Run {
  const { verdict, states, depth, elapsedMs, memoryBytes } = printed
  if (verdict !== 'proved') throw new Error(`fencepost: the verdict is ${verdict}`)
  return {
    ...states,
    depth,
    seconds: elapsedMs / 1000,
    startSeconds: (wholeMs - elapsedMs) / 1000,
    memoryBytes,
  }
}
