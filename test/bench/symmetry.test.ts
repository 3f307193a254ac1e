import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('the measurement of what symmetry saves counts orbits and states', () => {
  const program = ['--import', 'tsx', 'bench/symmetry.ts', '3,4,9']
  const { status, stdout } = spawnSync(process.execPath, program, { encoding: 'utf8' })
  expect(status).toBe(0)
  const rows = stdout.trimEnd().split('\n').slice(1)
  const counts = rows
    .map((row) => row.trim().split(/\s+/))
    .map(([managers, orbits, , , states]) => [managers, orbits, states])
  expect(counts).toEqual([
    ['3', '80', '288'],
    ['4', '166', '1568'],
    ['9', '2232', undefined],
  ])
})
