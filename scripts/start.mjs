/** `npm start`: sets up what is missing, then runs the main job. Arguments are handed on. */
import { join } from 'node:path'
import { buildIfStale, ensureDependencies, ensureSupportedNode, root, run } from './set-up.mjs'

// Ctrl-C is for the main job, which then reports how far it came; this process waits for it.
process.on('SIGINT', () => undefined)

ensureSupportedNode()
ensureDependencies()
if (!buildIfStale()) process.exit(1)
process.exitCode = run(process.execPath, [
  join(root, 'dist', 'cli', 'main.js'),
  'standard',
  ...process.argv.slice(2),
])
