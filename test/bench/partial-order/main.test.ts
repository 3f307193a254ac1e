/** The program, and what the documentation concludes from what it measures. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { cases, scenario } from '../../../bench/partial-order/cases.ts'
import { measure } from '../../../bench/partial-order/measure.ts'

function run(options: readonly string[]) {
  const program = ['--import', 'tsx', 'bench/partial-order/main.ts', ...options]
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('prints what is left of each search, and where steps meet', () => {
  const { status, stdout } = run(['--only', 'dining-philosophers'])
  expect(status).toBe(0)
  expect(stdout).toMatchInlineSnapshot(`
    "What partial-order reduction leaves at the least: percent of states / percent of transitions

    model                states  transitions  visible steps  all, footprints   all, trial  one, footprints   one, trial  ends, footprints  ends, trial
    dining-philosophers   3,216       16,160       15 of 30      99.9 / 90.0  99.9 / 89.2      87.1 / 34.1  74.7 / 26.1        17.3 / 6.2    3.2 / 1.0

    dining-philosophers: one is 'philosopher 0 eats'; pairs of steps meet most in philosophers[0] 3.4%, philosophers[1] 3.4%, philosophers[2] 3.4%

    "
  `)
})

test('names the models that there are', () => {
  const { status, stderr } = run(['--only', 'dining'])
  expect(status).toBe(1)
  expect(stderr).toContain("there is no model 'dining'; expected: dining-philosophers, two-phase-commit")
})

test.each(['no-faults', 'leader-change'])(
  'with all its properties nearly nothing of the scenario %s can be left out',
  (name) => {
    const { all } = measure(scenario(name))
    for (const { states, transitions } of [all.footprints, all.trial]) {
      expect(states).toBeGreaterThan(0.95)
      expect(transitions).toBeGreaterThan(0.95)
    }
  },
)

test('a property that the model does not have is an error', () => {
  expect(() => measure({ ...cases[0]!, alone: 'nobody eats' })).toThrow("has no property 'nobody eats'")
})
