#!/usr/bin/env node
/** The program `fencepost`: this process as an environment. */
import process from 'node:process'
import picocolors from 'picocolors'
import type { Catalogue } from './catalogue.ts'
import type { Environment, Output } from './environment.ts'
import { exitCodes } from './exit-codes.ts'
import { reasonOf } from './files.ts'
import { runCli } from './run.ts'

const output = (stream: NodeJS.WriteStream): Output => ({
  write: (text) => void stream.write(text),
  isTerminal: stream.isTTY === true,
  columns: stream.columns ?? 100,
})

const environment: Environment = {
  stdout: output(process.stdout),
  stderr: output(process.stderr),
  colours: process.stdout.isTTY === true && picocolors.isColorSupported,
  folder: process.cwd(),
  processMemoryBytes: () => process.memoryUsage.rss(),
  catalogue: async () => {
    const { kafka: model, ...named } = await import('../spec/index.ts')
    return { model, ...named } as unknown as Catalogue
  },
  onInterrupt: (stop) => {
    // The second time the default takes over, and ends the process at once.
    const signals = ['SIGINT', 'SIGTERM'] as const
    for (const signal of signals) process.once(signal, stop)
    return () => {
      for (const signal of signals) process.off(signal, stop)
    }
  },
}

// Who reads our output may stop reading; that is no failure. A full disk is.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  process.stderr.write(`error: cannot write the results to standard output: ${reasonOf(error)}\n`)
  process.exitCode = exitCodes.usage
})

const code = await runCli(process.argv.slice(2), environment)
process.exitCode ??= code
