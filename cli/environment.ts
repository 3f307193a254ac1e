/** What a command may touch of the world: tests give it another one. */
import type { Catalogue } from './catalogue.ts'

export interface Output {
  write(text: string): void
  readonly isTerminal: boolean
  readonly columns: number
}

export interface Environment {
  /** Results. */
  readonly stdout: Output
  /** Progress and errors. */
  readonly stderr: Output
  readonly colours: boolean
  /** What is piped in; read only by a command that is asked to. */
  readonly stdin: () => AsyncIterable<Uint8Array>
  /** The folder that relative paths start from. */
  readonly folder: string
  /** What there is to check by name; loaded when it is needed. */
  readonly catalogue: () => Promise<Catalogue>
  /** Resident memory of this process. */
  readonly processMemoryBytes: () => number
  /** Calls back when the user asks to stop; the result ends that. */
  readonly onInterrupt: (stop: () => void) => () => void
}
