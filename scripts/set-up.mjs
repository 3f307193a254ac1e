/**
 * What `npm start`, `npm test` and the tests do before anything else: a supported Node, installed dependencies,
 * a fresh build. Imports nothing but Node itself, because it runs straight after a clone.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reasonToInstall } from './installed.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))

const sourceFolders = ['checker', 'traces', 'spec', 'dumps', 'cli']
const sourceFiles = ['index.ts', 'package.json', 'tsconfig.json', 'tsconfig.build.json']
const stampFile = join(root, 'dist', '.sources')

/**
 * Says what is being done, apart from results: on standard error.
 * @param {string} text
 */
export const say = (text) => process.stderr.write(`${text}\n`)

/** Stops with one clear sentence on a Node that is too old for the language features in use. */
export function ensureSupportedNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  say(
    `fencepost needs Node 20.19 or later; this is ${process.versions.node}. Install a newer Node and try again.`,
  )
  process.exit(2)
}

/**
 * Runs a program with inherited output and returns its exit status.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} options
 */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options })
  if (error) say(`cannot run ${command}: ${error.message}`)
  return status ?? 1
}

/** Installs exactly what the lock file says, unless that is what is installed. */
export function ensureDependencies() {
  const reason = whyInstall()
  if (reason === undefined) return
  say(`Installing dependencies (npm ci): ${reason}.`)
  if (runNpm(['ci', '--no-audit', '--no-fund']) !== 0) {
    say(
      'npm ci failed. It needs an npm registry (or a warm npm cache); the message above says what went wrong.',
    )
    process.exit(1)
  }
}

/** Builds dist/ unless it was made from exactly these sources. False if the build fails. */
export function buildIfStale() {
  const built = existsSync(stampFile)
  if (built && readFileSync(stampFile, 'utf8') === sourceDigest()) return true
  say(`Building dist/: ${built ? 'the sources changed' : 'not built yet'}.`)
  return build()
}

/** Compiles beside dist/ and swaps the result in, so that a failed or concurrent build never leaves half a dist/. */
export function build() {
  const digest = sourceDigest()
  const fresh = join(root, 'out', `dist-${process.pid}`)
  mkdirSync(fresh, { recursive: true })
  try {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    if (run(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', fresh]) !== 0) {
      say('The build failed: see the errors above.')
      return false
    }
    // npm makes the program executable when it links it, and never again: npx would find a rebuilt one closed.
    chmodSync(join(fresh, 'cli', 'main.js'), 0o755)
    writeFileSync(join(fresh, '.sources'), digest)
    rmSync(join(root, 'dist'), { recursive: true, force: true })
    renameSync(fresh, join(root, 'dist'))
    return true
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/**
 * Under npm the same npm is used again; otherwise the one on the path.
 * @param {readonly string[]} args
 */
function runNpm(args) {
  const cli = process.env.npm_execpath
  if (cli?.endsWith('.js')) return run(process.execPath, [cli, ...args])
  return run('npm', args, { shell: process.platform === 'win32' })
}

function whyInstall() {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return 'node_modules is missing'
  return reasonToInstall(packagesOf(join(root, 'package-lock.json')), packagesOf(record))
}

/** @param {string} file */
const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages

function sourceDigest() {
  const hash = createHash('sha256')
  for (const file of [...sourceFiles, ...sourceFolders.flatMap(filesUnder)]) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

/** @param {string} folder */
function filesUnder(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}
