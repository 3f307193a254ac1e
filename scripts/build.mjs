/** `npm run build`: compiles to dist/. With --if-stale only when dist/ does not match the sources. */
import { build, buildIfStale, ensureDependencies, ensureSupportedNode } from './set-up.mjs'

ensureSupportedNode()
ensureDependencies()
const done = process.argv.includes('--if-stale') ? buildIfStale() : build()
process.exitCode = done ? 0 : 1
