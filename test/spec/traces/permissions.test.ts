/** A producer that may not do what it asks for. */
import { describe, expect, it } from 'vitest'
import { presets } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import { addFirst, begin, clientAdds, getEpoch, output } from './steps.ts'

const refuse = (broker: 'coordinator' | number, choices: Record<string, string> = {}): NamedStep => [
  'DenyPermission',
  { client: 0, broker },
  choices,
]
const topic = { 'the broker answers': 'TOPIC_AUTHORIZATION_FAILED' }
const id = { 'the broker answers': 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED' }

describe.each(presets)('%s: a permission that is missing', (preset) => {
  const run = () =>
    new Behaviour({ preset, inputs: 1, attempts: 2, outputPartitions: 1, missingPermissions: 1 })

  it('keeps a producer from starting until it is granted', () => {
    const refused = run().take(['Start', { client: 0 }], refuse('coordinator'))
    expect(refused.state.coordinator[0]!.entry).toBeNull()
    expect(refused.client()).toContain('initialising')
    const [, ...granted] = getEpoch()
    expect(refused.take(...granted).state.instance[0]).toMatchObject({ producerEpoch: 0, phase: 'joining' })
  })

  it('aborts the transaction if it is one for a topic', () => {
    const started = run().take(...getEpoch(), ...begin())
    const refused = clientAdds(preset)
      ? started.take(refuse('coordinator', topic))
      : started.take(refuse(output, topic))
    expect(refused.state.instance[0]).toMatchObject({ status: 'running', transaction: 1, result: 'abort' })
  })

  it('closes the producer if it is the one for its transactional.id', () => {
    const started = run().take(...getEpoch(), ...begin(), ...addFirst(preset))
    const closed = started.take(refuse(output, id))
    expect(closed.client()).toBe('closed')
  })
})
