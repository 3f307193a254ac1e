/** The files that dumps are in, piece by piece. */
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { TextDecoder } from 'node:util'
import { UsageError } from '../../checker/index.ts'
import type { Environment } from '../environment.ts'
import { reasonOf } from '../files.ts'

export interface Input {
  /** As it was given; `-` is standard input. */
  readonly name: string
  /** Bytes, where they are known beforehand. */
  readonly size?: number
  /** Whether it holds what a log is compared with: that has to be read before the log. */
  readonly isReference: boolean
  readonly open: () => AsyncIterable<Uint8Array>
}

/**
 * In the order in which they are to be read.
 *
 * @throws UsageError (unreadable-input)
 */
export function inputsOf(names: readonly string[], { folder, stdin }: Environment): Input[] {
  const given = names.length === 0 ? ['-'] : names
  const inputs = given.map((name) =>
    name === '-' ? { name, isReference: false, open: stdin } : fileInput(name, resolve(folder, name)),
  )
  return [...inputs.filter(({ isReference }) => isReference), ...inputs.filter((one) => !one.isReference)]
}

const piece = 1 << 20

function fileInput(name: string, path: string): Input {
  try {
    const stats = statSync(path)
    if (stats.isDirectory()) throw unreadable(name, 'it is a folder')
    const open = () => createReadStream(path, { highWaterMark: piece })
    // A pipe can be read once only.
    if (!stats.isFile()) return { name, isReference: false, open }
    return { name, size: stats.size, isReference: beginsLikeReference(path), open }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw unreadable(name, reasonOf(error))
  }
}

const unreadable = (where: string, found: string) =>
  new UsageError({
    code: 'unreadable-input',
    where,
    found: `this dump cannot be read: ${found}`,
    expected: 'text that kafka-dump-log.sh, kafka-transactions.sh or kafka-console-consumer.sh has printed',
  })

/** Producer snapshots and transaction indexes. */
function beginsLikeReference(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const bytes = new Uint8Array(1 << 14)
    const read = bytes.subarray(0, readSync(file, bytes))
    const text = decoderFor(read).decode(read)
    return /^[^\n]*Dumping \S+\.(?:snapshot|txnindex)/m.test(text) && !/^[^\n]*Dumping \S+\.log/m.test(text)
  } finally {
    closeSync(file)
  }
}

/** By the mark of the order of bytes: PowerShell writes UTF-16 into a file that output is redirected to. */
function decoderFor([first, second]: Uint8Array): TextDecoder {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le')
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be')
  return new TextDecoder()
}

/**
 * Text, without the mark of the order of bytes; what is no UTF-8 becomes a replacement character.
 *
 * @throws UsageError (unreadable-input)
 */
export async function* textOf(input: Input, onBytes: (count: number) => void): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  try {
    for await (const bytes of input.open()) {
      onBytes(bytes.length)
      decoder ??= decoderFor(bytes)
      yield decoder.decode(bytes, { stream: true })
    }
  } catch (error) {
    throw unreadable(input.name, reasonOf(error))
  }
  yield decoder?.decode() ?? ''
}
