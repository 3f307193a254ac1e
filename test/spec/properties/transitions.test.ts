/** Transitions of a transactional.id: each comes to its end although its append fails, and none does without the rule for it. */
import { describe, expect, it } from 'vitest'
import { check, type Trace } from '../../../checker/index.ts'
import { prepare } from '../../../checker/prepare.ts'
import { kafka } from '../../../spec/index.ts'
import type { KafkaState } from '../../../spec/state.ts'

const failing = {
  application: 'produce',
  instances: 1,
  inputs: 1,
  outputPartitions: 1,
  attempts: 2,
  failedAppends: 1,
  applicationAborts: 1,
  idExpirations: 1,
}

const names = prepare(kafka, {}).body.questions?.map(({ name }) => name) ?? []
const over = names.filter((name) => /^a transition to .* is over at last$/.test(name))

const judged = async (name: string, defencesOff: string[] = []) => {
  const { properties } = await check(kafka, failing, { properties: [name], defencesOff })
  return properties[0]!
}
const last = ({ states }: Trace) => states.at(-1) as unknown as KafkaState

describe.each(over)('%s', (name) => {
  it('although its append fails', async () => {
    expect(await judged(name)).toMatchObject({ verdict: 'proved', vacuous: false })
  })

  it('unless it stays pending', async () => {
    const { verdict, trace } = await judged(name, ['failed append ends its transition'])
    expect(verdict).toBe('violated')
    const pending = last(trace!).coordinator[0]!.entry!.pendingState
    expect(name).toBe(`a transition to ${pending} is over at last`)
    expect(trace!.steps.map(({ action }) => action)).toContain('FailAppend')
  })
})

it('there is one for each record of the transaction log that may fail', () => {
  expect(over.map((name) => name.split(' ')[3])).toEqual([
    'Empty',
    'Ongoing',
    'PrepareCommit',
    'PrepareAbort',
    'Dead',
  ])
})

it('a transactional.id that was never written expires, unless its transition stays pending', async () => {
  const name = 'a transactional.id expires that was never written'
  expect((await judged(name)).verdict).toBe('witnessed')
  expect((await judged(name, ['failed append ends its transition'])).verdict).toBe('unwitnessed')
})
