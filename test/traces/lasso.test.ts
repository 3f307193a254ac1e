/** Lassos as text, and in files. */
import { expect, it } from 'vitest'
import type { Trace } from '../../checker/trace.ts'
import { writeMermaid } from '../../traces/exports/mermaid.ts'
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

it('an end in which only what is not fair can happen is told apart', () => {
  const lassoFacts = { fairness: { weak: [], strong: [] }, brokenBy: { weak: ['Crash'], strong: [] } }
  const property = { name: 'leaves', kind: 'eventually', lasso: lassoFacts }
  expect(stepLines({ ...lasso, loop: 3, property }, { brief: true }).at(-1)).toBe(
    '   nothing that has to happen can happen any more',
  )
})

const told: Trace = {
  ...lasso,
  steps: lasso.steps.map((each, index) => ({
    ...each,
    events: index === 1 ? [] : [{ kind: 'note', lane: 'door', text: `step ${index + 1}` }],
  })),
}

it('a diagram frames the loop', () => {
  expect(writeMermaid(told).split('\n')).toEqual([
    'sequenceDiagram',
    '  participant p0 as door',
    '  Note over p0: 1. step 1',
    '  loop for ever',
    '  Note over p0: 3. step 3',
    '  end',
    '  Note over p0,p0: violated: leaves',
    '',
  ])
})

it('a diagram of a message that was sent before the loop has it where it arrives', () => {
  const message = { message: 'Ping', lane: 'a', peer: 'b' }
  const events = [[{ kind: 'sent' as const, ...message }], [], []]
  const arrival = { kind: 'delivered' as const, message: 'Ping', lane: 'b', peer: 'a' }
  const steps = lasso.steps.map((each, index) => ({
    ...each,
    events: index === 2 ? [arrival] : (events[index] ?? []),
  }))
  const lines = writeMermaid({ ...lasso, steps }).split('\n')
  expect(lines.slice(3, 6)).toEqual(['  loop for ever', '  p0->>p1: 3. Ping (sent in step 1)', '  end'])
})

it('a diagram says that it ends, and that a loop shows nothing', () => {
  expect(writeMermaid({ ...told, loop: 3 })).toContain('  Note over p0,p0: nothing can happen any more\n')
  const silent = { ...told, steps: told.steps.slice(0, 2), states: told.states.slice(0, 3), loop: 1 }
  expect(writeMermaid(silent)).toContain(
    '  loop for ever\n  Note over p0,p0: steps 2 to 2, without a message\n  end\n',
  )
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
