import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fencepost, temporaryFolder } from './harness.ts'

const checkedWith = async (folder: string, text: string) => {
  writeFileSync(join(folder, 'config.json'), text)
  return fencepost(['check', 'quiet', '--config', 'config.json'], { folder })
}

it.each<[string, string, RegExp]>([
  [
    'nested deeper than any configuration',
    `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    /deeper than 100 levels/,
  ],
  ['a list', '[1]', /this is not a configuration/],
  ['cut off', '{"writers": ', /this is not JSON/],
  ['larger than any configuration', ' '.repeat(2 ** 20 + 1), /more than 1048576/],
  ['of control characters', '\u001b[2J', /this is not JSON: .*\\u001b/],
])('a configuration that is %s is refused in one error', async (_, text, message) => {
  const { code, stdout, stderr } = await checkedWith(temporaryFolder(), text)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(message)
})

it('any configuration is used or refused', async () => {
  const folder = temporaryFolder()
  const value = fc.oneof(
    fc.constantFrom(0, 1, 2, -1, 0.5, 1e300, 'kafka-3.9', '', true, null),
    fc.jsonValue(),
  )
  const key = fc.constantFrom(
    'writers',
    'repeats',
    'preset',
    'idle',
    '__proto__',
    'constructor',
    'toString',
    'writer',
  )
  const document = fc.dictionary(key, value, { maxKeys: 4 }).map((record) => JSON.stringify(record))
  const codes = new Set<number>()
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 4, arbitrary: document }, fc.string({ unit: 'binary' })),
      async (text) => {
        const { code, stderr } = await checkedWith(folder, text)
        codes.add(code)
        expect([0, 1, 2]).toContain(code)
        if (code === 2) expect(stderr).toMatch(/^error: /)
        expect(stderr).not.toMatch(/internal error|[^\P{Cc}\n]/u)
      },
    ),
    { numRuns: 150 },
  )
  expect(codes).toContain(2)
  expect(codes.size).toBeGreaterThan(1)
})
