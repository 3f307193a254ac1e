/** What `npm pack` makes installs into an empty project, and works there as a library and as a program. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { transformSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from './sources.ts'

const folder = mkdtempSync(join(tmpdir(), 'fencepost-package-'))
const project = join(folder, 'project')
let packed: string[]

function run(command: string, args: readonly string[], cwd = project) {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env })
  return { status, stdout, stderr }
}

function npm(...args: string[]) {
  const finished = run('npm', [...args, '--no-audit', '--no-fund', '--no-update-notifier'], project)
  if (finished.status !== 0)
    throw new Error(`npm ${args.join(' ')} failed:\n${finished.stdout}\n${finished.stderr}`)
  return finished.stdout
}

beforeAll(() => {
  mkdirSync(project)
  writeFileSync(
    join(project, 'package.json'),
    '{ "name": "empty", "version": "1.0.0", "private": true, "type": "module" }',
  )
  const [report] = JSON.parse(npm('pack', root, '--json', '--pack-destination', folder).replace(/^[^[]*/, ''))
  packed = report.files.map(({ path }: { path: string }) => path)
  npm('install', '--prefer-offline', '--ignore-scripts', join(folder, report.filename))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const counter = `
  import { action, always, check, defineModel, readItf, writeItf } from 'fencepost'
  import * as v from 'valibot'
  interface State { count: number }
  const counter = defineModel({
    name: 'counter',
    config: v.object({ limit: v.number() }),
    build: ({ limit }) => ({
      initial: { count: 0 } as State,
      components: ['count'],
      actions: [
        action('Add', { by: [1, 2] }, (state: State, { by }, step) => {
          step.when('there is room', state.count + by <= limit)
          state.count += by
        }),
      ],
      properties: [always('small', (state: State) => state.count < 3)],
    }),
  })
  const result = await check(counter, { limit: 3 })
  const trace = result.properties[0]!.trace!
  const copy = readItf(writeItf(trace, { version: '0.0.0' }))
  const verdict: 'proved' | 'violated' | 'bounded' | 'sampled' | 'inconclusive' = result.verdict
  export { copy, result, verdict }
`

describe('the package', () => {
  it('holds what it needs and nothing else', () => {
    const expected =
      /^(?:dist\/(?:checker|traces|spec|dumps|cli)\/.*\.(?:d\.ts|js)|dist\/index\.(?:d\.ts|js)|schemas\/\w+\.json|package\.json|README\.md|LICENSE)$/
    expect(packed.filter((path) => !expected.test(path))).toEqual([])
    expect(packed).toEqual(
      expect.arrayContaining(['dist/cli/main.js', 'dist/index.js', 'dist/spec/index.d.ts', 'LICENSE']),
    )
  })

  it('is a library: checks a small model', () => {
    const print = 'console.log(JSON.stringify([verdict, result.states.distinct, copy.steps.length]))'
    const script = transformSync(counter + print, { loader: 'ts' }).code
    writeFileSync(join(project, 'use.mjs'), script)
    expect(run(process.execPath, ['use.mjs'])).toEqual({
      status: 0,
      stdout: '["violated",4,2]\n',
      stderr: '',
    })
  })

  it('has types that a strict project can use', () => {
    writeFileSync(
      join(project, 'use.ts'),
      `${counter}\nimport { kafka, scenarios } from 'fencepost/spec'\nexport const name: string = kafka.name + scenarios[0]!.name`,
    )
    writeFileSync(join(project, 'wrong.ts'), "import { check } from 'fencepost'\ncheck(1, 2)")
    const compilerOptions = {
      strict: true,
      target: 'ES2022',
      module: 'NodeNext',
      noEmit: true,
      skipLibCheck: false,
      types: [],
      lib: ['ES2023', 'DOM'],
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['use.ts'] }))
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    expect(run(process.execPath, [compiler, '-p', '.'])).toMatchObject({ stdout: '', status: 0 })
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['wrong.ts'] }))
    expect(run(process.execPath, [compiler, '-p', '.']).stdout).toContain(
      "Argument of type 'number' is not assignable",
    )
  })

  it('has the spec as an entry point of its own', () => {
    const script = "import { kafka } from 'fencepost/spec'; console.log(kafka.name)"
    const { status, stdout } = run(process.execPath, ['--input-type=module', '-e', script])
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/\w/) })
  })

  it("brings the program fencepost, which checks the user's own model", () => {
    writeFileSync(
      join(project, 'model.ts'),
      counter.replace('const counter', 'export const counter').replace(/const result[\s\S]*/, ''),
    )
    const { status, stdout, stderr } = run('npx', [
      '--',
      'fencepost',
      'check',
      './model.ts',
      '--set',
      'limit=3',
    ])
    expect(stdout).toContain('./model.ts: violated\n  violated in 2 steps: small')
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
  })

  it('is executable where it was built, so that npx finds it in a checkout however often it is built', () => {
    expect(() => accessSync(join(root, 'dist/cli/main.js'), constants.X_OK)).not.toThrow()
  })

  it('tells its version', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(run('npx', ['--', 'fencepost', '--version']).stdout).toBe(`${version}\n`)
  })

  it('has the schemas of its formats', () => {
    const script =
      "import schema from 'fencepost/schemas/result.json' with { type: 'json' }; console.log(schema.$id)"
    const { stdout } = run(process.execPath, ['--input-type=module', '-e', script])
    expect(stdout).toBe('fencepost-result/1\n')
  })
})
