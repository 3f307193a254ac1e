/** Exploring up to renaming, from the command line: on by default, said in the report, switched off on request. */
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { start } from './process.ts'
import { problems } from './schemas.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const check = (...words: string[]) =>
  start(['check', './examples/two-phase-commit.ts', ...words], repository).finished

describe('fencepost check of a model with interchangeable participants', () => {
  it('says in the report what was counted once, and how it was tested', async () => {
    const { code, stdout } = await check('--property', 'consistent')
    expect(code).toBe(0)
    expect(stdout).toContain(
      [
        '  states        80 distinct, 318 generated, depth 11',
        '  symmetry      states that are the same up to renaming are one: manager (3)',
        '                that it changes nothing was tested 205 times, in every case',
      ].join('\n'),
    )
  })

  it('says in JSON what was counted once, as the schema has it', async () => {
    const { stdout } = await check('--property', 'consistent', '--json', '-')
    const result = JSON.parse(stdout)
    expect(result.symmetry).toEqual({
      sorts: [{ sort: 'manager', members: 3 }],
      tests: 205,
      complete: true,
    })
    expect(problems('result', result)).toEqual([])
  })

  it('explores every state by itself with --no-symmetry, which is part of the line that repeats it', async () => {
    const { stdout } = await check('--property', 'consistent', '--no-symmetry')
    expect(stdout).toContain('  states        288 distinct, 1,146 generated, depth 11\n  recipes')
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      'repeat: npx fencepost check ./examples/two-phase-commit.ts --property consistent --no-symmetry',
    )
  })
})
