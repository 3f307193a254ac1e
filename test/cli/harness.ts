/** Runs command lines in this process, with what they print kept apart. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Environment, Output } from '../../cli/environment.ts'
import { runCli } from '../../cli/run.ts'
import { standIn } from './stand-in.ts'

export interface Finished {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A new empty folder that goes when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** `fencepost WORDS`, with the stand-in for the spec and no terminal. */
export async function fencepost(
  words: readonly string[],
  given: Partial<Environment> = {},
): Promise<Finished> {
  const [stdout, stderr] = [recorder(), recorder()]
  const code = await runCli(words, {
    stdout,
    stderr,
    colours: false,
    stdin: async function* () {},
    folder: tmpdir(),
    catalogue: async () => standIn,
    processMemoryBytes: () => 0,
    onInterrupt: () => () => undefined,
    ...given,
  })
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

/** An output that keeps what is written to it. */
export function recorder(isTerminal = false): Output & { readonly text: () => string } {
  const written: string[] = []
  return { write: (text) => void written.push(text), text: () => written.join(''), isTerminal, columns: 100 }
}

/** Without what differs from run to run. */
export const timeless = (text: string): string => text.replaceAll(/took .*/g, 'took          (some time)')
