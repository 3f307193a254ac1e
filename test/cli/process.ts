/** Runs the program itself, from its sources, as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Finished } from './harness.ts'

const fromRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const loader = new URL('../../node_modules/tsx/dist/esm/index.mjs', import.meta.url).href

export interface Started {
  readonly process: ChildProcess
  readonly finished: Promise<Finished>
}

/** Standard output may go somewhere else: an open file descriptor. */
export function start(words: readonly string[], folder: string, stdout: 'pipe' | number = 'pipe'): Started {
  const child = spawn(process.execPath, ['--import', loader, fromRoot('cli/main.ts'), ...words], {
    cwd: folder,
    stdio: ['ignore', stdout, 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const texts = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    texts.stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    texts.stderr += text
  })
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === null) reject(new Error(`ended by ${signal}: ${texts.stderr}`))
      else resolve({ code, ...texts })
    })
  })
  return { process: child, finished }
}
