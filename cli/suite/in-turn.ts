/** Runs the cases of claims one after the other, and prints each as soon as it is known. */
import type { Claim } from '../../spec/claims/claim.ts'
import type { Environment } from '../environment.ts'
import { explore } from '../explore.ts'
import { seconds } from '../report/numbers.ts'
import type { Printer } from './printers.ts'
import { casesOf, type RunCase, runCases } from './run.ts'
import { summaryLines } from './table.ts'

export interface Done {
  readonly done: readonly RunCase[]
  /** Whether cases are missing, because the user asked to stop. */
  readonly interrupted: boolean
}

interface Watching {
  readonly environment: Environment
  readonly signal: AbortSignal
  readonly print: (lines: readonly string[]) => void
  readonly onDone?: (run: RunCase) => void
}

/** @throws what a case throws that asks for something that does not exist */
export async function runInTurn(
  claims: readonly Claim[],
  printer: Printer,
  { environment, signal, print, onDone }: Watching,
): Promise<Done> {
  const done: RunCase[] = []
  const startedMs = performance.now()
  print([printer.title])
  const runs = runCases(claims, (label, search) => explore(search, environment, label), signal)
  for await (const run of runs) {
    const earlier = done.filter(({ claim }) => claim === run.claim)
    print(printer.rows(run, earlier))
    onDone?.(run)
    done.push(run)
  }
  const interrupted = signal.aborted && done.length < casesOf(claims).length
  if (interrupted) print(printer.begun(done))
  print(['', ...summaryLines(done, claims, interrupted), `took ${seconds(performance.now() - startedMs)}`])
  return { done, interrupted }
}
