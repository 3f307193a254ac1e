/** Spin on bench/two-phase-commit.pml: exhaustive, nothing left out, breadth-first or in its own depth-first order. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AbsentTool, Run, Tool } from './measurement.ts'

const model = fileURLToPath(new URL('two-phase-commit.pml', import.meta.url))
/** As these environment variables say, if they are set. */
const spin = process.env.SPIN ?? 'spin'
const compiler = process.env.CC ?? 'cc'
/** Safety only, no partial-order reduction (it would find nothing to leave out in a single process). */
const compilerOptions = ['-O3', '-DSAFETY', '-DNOREDUCE', '-DMEMLIM=16000']

const orders = [
  { name: 'spin, breadth first', options: ['-DBFS'] },
  { name: 'spin, depth first', options: [] },
]

/** Needs Spin and a C compiler. */
export function spinTools(): (Tool | AbsentTool)[] {
  const version = versionOf(spin, '-V')
  return orders.map(({ name, options }) => {
    if (version === undefined) return { name, absent: 'spin is not installed (Debian: apt-get install spin)' }
    if (versionOf(compiler, '--version') === undefined)
      return { name, absent: `the C compiler ${compiler}, which spin needs, is not installed` }
    return { name, version, run: (managers) => runSpin(managers, options) }
  })
}

function versionOf(command: string, option: string): string | undefined {
  try {
    return execFileSync(command, [option], { encoding: 'utf8' }).split('\n')[0]?.trim()
  } catch {
    return undefined
  }
}

function runSpin(managers: number, options: readonly string[]): Run {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-spin-'))
  const inFolder = { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 } as const
  try {
    const begin = performance.now()
    execFileSync(spin, ['-a', `-DMANAGERS=${managers}`, model], inFolder)
    execFileSync(compiler, [...compilerOptions, ...options, '-o', 'pan', 'pan.c'], inFolder)
    const started = performance.now()
    // A hash table of 2^24 slots, the stack of a depth-first search of up to a million steps.
    const output = execFileSync(join(folder, 'pan'), ['-w24', '-m1000000'], inFolder)
    const seconds = (performance.now() - started) / 1000
    return { ...readPan(output), seconds, startSeconds: (started - begin) / 1000 }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Reads what a verifier made by Spin prints.
 * @throws Error if it found an error, or was cut off
 */
export function readPan(output: string): Omit<Run, 'seconds' | 'startSeconds'> {
  const number = (pattern: RegExp) => {
    const found = pattern.exec(output)?.[1]
    if (found === undefined) throw new Error(`no ${pattern} in the output of spin:\n${output}`)
    return Number(found)
  }
  const errors = number(/errors: (\d+)/)
  const cutOff = /max search depth too small|out of memory|reached -DMEMLIM/.exec(output)?.[0]
  if (errors > 0 || cutOff !== undefined) throw new Error(`spin: ${cutOff ?? 'errors found'}\n${output}`)
  const breadthFirst = /Breadth-First Search/i.test(output)
  return {
    distinct: number(/([\d.e+]+) states, stored/),
    generated: number(/([\d.e+]+) transitions/),
    significantDigits: 8,
    ...(breadthFirst && { depth: number(/depth reached (\d+)/) + 1 }),
    memoryBytes: Math.round(number(/([\d.]+)\s+total actual memory usage/) * 2 ** 20),
  }
}
