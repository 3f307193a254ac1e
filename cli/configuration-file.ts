/** Reads a configuration from a file of JSON. */
import { UsageError } from '../checker/index.ts'
import { scanJson } from '../traces/index.ts'
import type { ConfigInput } from './catalogue.ts'
import { readText } from './files.ts'

const bytesMax = 2 ** 20
const limits = { depth: 100, containers: bytesMax }

/** @throws UsageError (unreadable-input) */
export function readConfiguration(path: string): ConfigInput {
  const value = parse(path)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as ConfigInput
  throw unreadable(path, 'this is not a configuration')
}

function parse(path: string): unknown {
  const text = readText(path, 'configuration', bytesMax)
  // What is nested deeper than any configuration would only exhaust those who look into it.
  if (scanJson(text, limits)?.kind === 'deep')
    throw unreadable(path, `values are nested deeper than ${limits.depth} levels`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw unreadable(path, `this is not JSON: ${(error as SyntaxError).message}`)
  }
}

const unreadable = (where: string, found: string) =>
  new UsageError({
    code: 'unreadable-input',
    where,
    found,
    expected: 'an object such as { "crashes": 2 }, as JSON',
  })
