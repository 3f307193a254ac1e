/** Which folder may import from which, and which must run in a browser as well. */
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path/posix'
import type { Source } from './sources.ts'

/** Imports point down only. A folder that is not named here has no say: it may import, nothing may import it. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  checker: [],
  traces: ['checker'],
  spec: ['checker'],
  dumps: ['checker'],
  examples: ['checker', 'traces'],
  'index.ts': ['checker', 'traces'],
  cli: ['checker', 'traces', 'spec', 'dumps', 'index.ts'],
  bench: ['checker', 'traces', 'spec', 'examples', 'index.ts'],
  scripts: [],
}

/** The same code runs in a browser, but for `checker/node`. */
const neutral = ['checker', 'traces', 'spec', 'dumps', 'examples', 'index.ts']

/** Everything that is wrong with the imports of these files, one sentence each. */
export function importProblems(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
    importsOf(source.text).flatMap((specifier) => problemOf(source.path, specifier)),
  )
}

/**
 * Every place that looks like an import, a re-export, a type import or a dynamic import. What stands in a comment or a
 * text is found too: that can forbid too much, never too little.
 */
export function importsOf(text: string): string[] {
  const pattern = /\b(?:from|import|require)\s*\(?\s*(?:'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`)/g
  const dynamic = /\bimport\s*\(\s*(?!['"`])/.test(text) ? ['(computed)'] : []
  return [
    ...[...text.matchAll(pattern)].map(([, single, double, back]) => single ?? double ?? back ?? ''),
    ...dynamic,
  ]
}

function problemOf(path: string, specifier: string): string[] {
  const layer = layerOf(path)
  const isNeutral = neutral.includes(layer) && !path.startsWith('checker/node/')
  if (specifier.startsWith('.')) {
    const target = layerOf(join(dirname(path), specifier))
    const allowed = target === layer || (mayImport[layer] ?? []).includes(target)
    return allowed ? [] : [`${path} imports ${specifier}: ${layer} must not import ${target}`]
  }
  if (isNeutral && specifier === '(computed)') return [`${path} imports something that is computed`]
  if (isNeutral && isNode(specifier)) return [`${path} imports ${specifier}: ${layer} must run without Node`]
  return []
}

const layerOf = (path: string): string => path.split('/')[0] ?? path

const isNode = (specifier: string): boolean =>
  specifier.startsWith('node:') || builtinModules.includes(specifier.split('/')[0] ?? '')
