/** A user's own file, in a folder where nothing is installed. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './harness.ts'
import { start } from './process.ts'

const model = (name: string, limit: string) => `defineModel({
  name: '${name}',
  config: v.object({ limit: v.optional(v.number(), ${limit}) }),
  build: ({ limit }) => ({
    initial: { count: 0 },
    components: ['count'],
    actions: [
      action('Increment', {}, (state, _, step) => {
        step.when('there is room', state.count < limit)
        state.count++
      }),
    ],
    properties: [always('small', (state) => state.count < 3)],
  }),
})`

const imports = `import { action, always, defineModel } from 'fencepost'\nimport * as v from 'valibot'\n`

/** Writes files into a new folder and checks one of them. */
async function check(files: Record<string, string>, subject: string, ...words: string[]) {
  const folder = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return start(['check', subject, ...words], folder).finished
}

describe('fencepost check ./model', () => {
  it('loads TypeScript with imports from beside it, where nothing is installed', async () => {
    const typed = `${imports}import { limit } from './limit.ts'
      enum Name { Counter = 'counter' }
      interface State { count: number }
      const make = <T>(value: T): T => value
      export default make(${model('counter', 'limit')
        .replace("'counter'", 'Name.Counter')
        .replace('(state,', '(state: State,')
        .replace('(state)', '(state: State)')})`
    const files = { 'model.ts': typed, 'limit.ts': 'export const limit: number = 2' }
    const { code, stdout, stderr } = await check(files, './model.ts')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^\.\/model\.ts: proved\n/)
    expect(stdout).toContain('3 distinct, 3 generated, depth 3')
    expect(stdout).toContain('repeat: npx fencepost check ./model.ts\n')
  })

  it.each([
    ['a module by its package.json', 'model.js', { 'package.json': '{"type": "module"}' }],
    ['a file that its package.json calls CommonJS', 'model.ts', { 'package.json': '{"type": "commonjs"}' }],
    ['.mts', 'model.mts', {}],
    ['.mjs', 'model.mjs', {}],
  ])('loads %s', async (_, file, others) => {
    const files = { ...others, [file]: `${imports}export const counter = ${model('counter', '5')}` }
    const { code, stdout } = await check(files, file, '--set', 'limit=4')
    expect(stdout).toContain(`${file}: violated\n  violated in 3 steps: small`)
    expect(code).toBe(1)
  })

  it('loads CommonJS', async () => {
    const required =
      "const { action, always, defineModel } = require('fencepost')\nconst v = require('valibot')\n"
    const { code, stderr } = await check(
      { 'model.cjs': `${required}module.exports = ${model('old', '1')}` },
      'model.cjs',
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('is this very package inside, with its one set of errors, and takes other packages from beside the file', async () => {
    const files = {
      'node_modules/three/package.json': '{"name": "three", "type": "module", "exports": "./index.js"}',
      'node_modules/three/index.js': 'export const three = 3',
      'node_modules/fencepost/package.json':
        '{"name": "fencepost", "type": "module", "exports": "./index.js"}',
      'node_modules/fencepost/index.js': 'throw new Error("another fencepost")',
      'model.ts': `${imports}import { UsageError } from 'fencepost'
        import { three } from 'three'
        import { readFileSync } from 'node:fs'
        if (typeof readFileSync !== 'function') throw new Error('node itself is missing')
        const counter = ${model('counter', 'three - 1')}
        export default { ...counter, build(...given) {
          if (given[0].limit === 9) throw new UsageError({ code: 'invalid-configuration', found: 'nine is too much' })
          return counter.build(...given)
        } }`,
    }
    expect((await check(files, './model.ts')).code).toBe(0)
    const refused = await check(files, './model.ts', '--set', 'limit=9')
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: 'error: nine is too much\n' })
  })

  it('reads a configuration from a file', async () => {
    const files = {
      'model.ts': `${imports}export default ${model('counter', '1')}`,
      'large.json': '{ "limit": 6 }',
    }
    const { stdout } = await check(files, './model.ts', '--config', 'large.json')
    expect(stdout).toContain('./model.ts: violated')
    expect(stdout).toContain('repeat: npx fencepost check ./model.ts --config large.json')
  })

  it.each<[string, string, number, RegExp]>([
    [
      'a file that is not valid',
      'export default = 1',
      2,
      /^error: .*model\.ts:1:16: Unexpected "="\n {4}export default = 1\n/,
    ],
    [
      'a file without a model',
      'export const a = 1',
      2,
      /this file exports no model\n.*\n {2}to fix: export default defineModel/,
    ],
    [
      'a file with two',
      `${imports}export const a = ${model('a', '1')}, b = ${model('b', '1')}`,
      2,
      /several models: a, b\n/,
    ],
    [
      'an import that does not exist',
      "import 'nowhere'",
      2,
      /^error: .*model\.ts:1:8: Could not resolve "nowhere"/,
    ],
    [
      'a file that throws',
      "throw new RangeError('at once')",
      4,
      /loading this file throws RangeError: at once[\s\S]*model\.ts:1:7/,
    ],
    [
      'a model that throws',
      `${imports}export default { ...${model('a', '1')}, build() { throw new Error('later') } }`,
      4,
      /later/,
    ],
    [
      'a preset that a model does not have',
      `${imports}export default ${model('a', '1')}`,
      2,
      /the model a has no presets/,
    ],
  ])('refuses %s', async (_, text, code, message) => {
    const preset = message.source.includes('presets') ? ['--preset', 'kafka-4.4'] : []
    const finished = await check({ 'model.ts': text }, './model.ts', ...preset)
    expect(finished.stderr).toMatch(message)
    expect(finished).toMatchObject({ code, stdout: '' })
  })
})
