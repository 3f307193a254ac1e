/** Lassos as text, and in files. */
import { expect, it } from 'vitest'
import type { Trace } from '../../checker/trace.ts'
import { readItf } from '../../traces/itf/read.ts'
import { writeItf } from '../../traces/itf/write.ts'
import { failureLines } from '../../traces/text/failure.ts'
import { stepLines } from '../../traces/text/steps.ts'

const step = (action: string) => ({ action, args: {}, choices: [], events: [] })
const lasso: Trace = {
  model: 'turnstile',
  config: {},
  defencesOff: [],
  states: [{ at: 0 }, { at: 1 }, { at: 2 }, { at: 1 }],
  steps: [step('Enter'), step('Turn'), step('Back')],
  property: {
    name: 'leaves',
    kind: 'eventually',
    lasso: {
      fairness: { weak: ['Turn'], strong: [] },
      brokenBy: { weak: [], strong: ['Leave(door: 0)', 'Leave(door: 1)'] },
    },
  },
  loop: 1,
}

it('the loop is marked where it begins and where it ends', () => {
  expect(stepLines(lasso, { brief: true })).toEqual([
    '1  [Enter]',
    '   the loop begins in state 1:',
    '2  [Turn]',
    '3  [Back]',
    '   and so on for ever from state 1',
  ])
})

it('a loop that begins among steps left out is marked before the next one shown', () => {
  expect(stepLines(lasso, { brief: true, from: 3 })).toEqual([
    '   (2 steps not shown)',
    '   the loop begins in state 1:',
    '3  [Back]',
    '   and so on for ever from state 1',
  ])
})

it('an end in which nothing can happen is no loop of steps', () => {
  expect(stepLines({ ...lasso, loop: 3 }, { brief: true }).slice(-2)).toEqual([
    '3  [Back]',
    '   nothing can happen any more',
  ])
})

it('the fairness of the loop is told, and what would rule it out', () => {
  expect(failureLines(lasso)).toEqual([
    'violated: leaves',
    '    the loop holds under weak fairness of: Turn',
    '    the loop would be ruled out by strong fairness of: Leave(door: 0), Leave(door: 1)',
  ])
})

it('long lists are cut', () => {
  const weak = Array.from({ length: 10 }, (_, door) => `Leave(door: ${door})`)
  const brokenBy = { weak, strong: [] }
  const fairness = { weak: [], strong: [] }
  const property = { name: 'leaves', kind: 'eventually', lasso: { fairness, brokenBy } }
  expect(failureLines({ ...lasso, property }).at(-1)).toMatch(/Leave\(door: 7\), and 2 more$/)
})

it('a file keeps the loop and its fairness', () => {
  const text = writeItf(lasso, { version: '0' })
  expect(JSON.parse(text)).toMatchObject({ loop: 1 })
  expect(readItf(text)).toEqual(lasso)
})
