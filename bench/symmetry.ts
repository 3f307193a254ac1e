/**
 * What exploring up to renaming saves: two-phase commit with and without it, in one go.
 * `tsx bench/symmetry.ts [MANAGERS,...]`; from 9 managers on only with it, since the whole takes minutes.
 */
import { check } from '../checker/index.ts'
import { twoPhaseCommit } from '../examples/two-phase-commit.ts'

const wholeMax = 8

const explored = (managers: number, symmetry: boolean) =>
  check(twoPhaseCommit, { managers }, { properties: ['consistent'], symmetry })

const secondsOf = (milliseconds: number) => (milliseconds / 1000).toFixed(2)

const managersGiven = (process.argv[2] ?? '4,5,6,7,8,9,10').split(',').map(Number)
// The first search of a process also pays for compiling the engine.
await explored(3, true)
console.log('managers  orbits     s   tests      states       s   states per orbit')
for (const managers of managersGiven) {
  const { states, elapsedMs, symmetry } = await explored(managers, true)
  const reduced = [managers, states.distinct, secondsOf(elapsedMs), symmetry?.tests ?? 0]
  const whole = managers > wholeMax ? undefined : await explored(managers, false)
  const rest =
    whole === undefined
      ? []
      : [
          whole.states.distinct,
          secondsOf(whole.elapsedMs),
          (whole.states.distinct / states.distinct).toFixed(1),
        ]
  const widths = [8, 8, 6, 8, 12, 8, 19]
  console.log([...reduced, ...rest].map((cell, index) => String(cell).padStart(widths[index]!)).join(''))
}
