/** The source files of the project, as the tests about them see them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Source {
  /** From the root, with forward slashes. */
  readonly path: string
  readonly text: string
}

/** All files of these folders, and the files named, that people write code in. */
export function sourcesOf(...places: readonly string[]): Source[] {
  return places
    .flatMap((place) => (/\.[a-z]+$/.test(place) ? [place] : filesUnder(place)))
    .filter((path) => /\.(?:[cm]?ts|mjs|js)$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort()
}
