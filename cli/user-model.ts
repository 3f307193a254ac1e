/**
 * Loads a model from a user's own file, TypeScript or JavaScript.
 *
 * The file and what it imports from beside it are bundled in memory by esbuild, which takes some 20 ms and treats every
 * file alike, whatever the nearest package.json says. `fencepost` is always this very package, so that there is one
 * checker and one set of error classes; `valibot` and `immer` are those beside the file, or else ours.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuildFailure, Plugin } from 'esbuild'
import { ModelError, UsageError } from '../checker/index.ts'
import type { AnyModel } from './catalogue.ts'

/** Whether an argument names a file and not a scenario. */
export const looksLikeFile = (argument: string): boolean =>
  /[\\/]/.test(argument) || /\.[cm]?[jt]sx?$/.test(argument)

/**
 * The default export, or the only exported model.
 *
 * @throws UsageError (unreadable-input) if there is no such file, it is not valid, or exports no model;
 * ModelError (model-failed) if it throws while it is loaded
 */
export async function loadUserModel(path: string): Promise<AnyModel> {
  const exported = await loadModule(path)
  const models = Object.entries(exported).filter(([, value]) => isModel(value))
  const chosen = models.find(([name]) => name === 'default') ?? (models.length === 1 ? models[0] : undefined)
  if (chosen !== undefined) return chosen[1] as AnyModel
  const names = models.map(([name]) => name).join(', ')
  throw new UsageError({
    code: 'unreadable-input',
    where: path,
    found: models.length === 0 ? 'this file exports no model' : `this file exports several models: ${names}`,
    expected: 'a model made by defineModel as the default export, or as the only exported model',
    fix: models.length === 0 ? 'export default defineModel({ ... })' : 'make one of them the default export',
  })
}

/** What a module exports, by name. */
export async function loadModule(path: string): Promise<Record<string, unknown>> {
  if (!existsSync(path)) throw unreadable(path, 'there is no such file')
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-'))
  try {
    const file = join(folder, 'model.mjs')
    writeFileSync(file, await bundle(path, file))
    // Stack traces then point into the user's file.
    process.setSourceMapsEnabled(true)
    return await import(pathToFileURL(file).href)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const found = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    const failed = { code: 'model-failed', where: path, found: `loading this file throws ${found}` } as const
    throw new ModelError(failed, { cause: error })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `output` is where it will lie: positions in the user's file are told from there. */
async function bundle(path: string, output: string): Promise<string> {
  const esbuild = await import('esbuild')
  try {
    const { outputFiles } = await esbuild.build({
      entryPoints: [path],
      outfile: output,
      absWorkingDir: dirname(path),
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: `node${process.versions.node}`,
      sourcemap: 'inline',
      write: false,
      logLevel: 'silent',
      plugins: [packages],
    })
    return outputFiles[0]?.text ?? ''
  } catch (error) {
    const [first] = (error as Partial<BuildFailure>).errors ?? []
    if (first === undefined) throw error
    const { location } = first
    const position = location ? `${path}:${location.line}:${location.column + 1}` : path
    const line = location ? `\n    ${location.lineText.trim()}` : ''
    throw unreadable(position, `${first.text}${line}`)
  } finally {
    // Else its process would keep this one alive.
    await esbuild.stop()
  }
}

const unreadable = (where: string, found: string) =>
  new UsageError({ code: 'unreadable-input', where, found, expected: 'a TypeScript or JavaScript module' })

function isModel(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { name, config, build } = value as Partial<AnyModel>
  return typeof name === 'string' && typeof config === 'object' && typeof build === 'function'
}

const ownExtension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const ownEntryPoints: Readonly<Record<string, string>> = {
  fencepost: new URL(`../index.${ownExtension}`, import.meta.url).href,
  'fencepost/spec': new URL(`../spec/index.${ownExtension}`, import.meta.url).href,
}
/** Packages that a model needs to be written at all: there, even where the user has installed nothing. */
const provided = new Set(['valibot', 'immer'])

/**
 * Imports of packages are left to Node, by absolute address: the bundle does not lie beside the user's file. A
 * require() of this package goes through a module that imports it, so that there is still only one of it.
 */
const packages: Plugin = {
  name: 'packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (path.startsWith('file:')) return { path, external: true }
      if (kind === 'entry-point' || pluginData === packages) return undefined
      const byRequire = kind === 'require-call'
      const external = (address: string) =>
        byRequire ? { path: address, namespace: 'imported' } : { path: address, external: true }
      const own = ownEntryPoints[path]
      if (own !== undefined) return external(own)
      const found = await build.resolve(path, { kind, resolveDir, pluginData: packages })
      if (found.errors.length > 0) return provided.has(path) ? external(import.meta.resolve(path)) : undefined
      const bundled = found.external || byRequire || /\.[cm]?tsx?$/.test(found.path)
      return bundled ? found : external(pathToFileURL(found.path).href)
    })
    build.onLoad({ filter: /^/, namespace: 'imported' }, ({ path }) => ({
      contents: `export * from ${JSON.stringify(path)}`,
    }))
  },
}
