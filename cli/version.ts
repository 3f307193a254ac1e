/** The version of this package, from its manifest: beside cli/ in the sources, one further up in dist/. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [manifest] = ['../package.json', '../../package.json']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .filter((path) => existsSync(path))

export const version: string = JSON.parse(readFileSync(manifest ?? '', 'utf8')).version
