/** Settings of a Java producer: what they make, and what is refused. */
import { describe, expect, it } from 'vitest'
import { type ProducerSettings, producerKind } from '../../spec/producer-settings.ts'

const conflicts: readonly (readonly [ProducerSettings, string])[] = [
  [{ acks: '1' }, 'Must set acks to all'],
  [{ acks: '0' }, 'Must set acks to all'],
  [{ maxInFlight: 6 }, 'to at most 5'],
  [{ retries: 0 }, 'Must set retries to non-zero'],
]

describe.each(conflicts)('%j', (settings, says) => {
  it('switches idempotence off in silence', () => {
    expect(producerKind(settings)).toBe('plain')
  })

  it('is refused if idempotence is asked for', () => {
    const kind = producerKind({ ...settings, enableIdempotence: true })
    expect(kind).toEqual({ refused: expect.stringContaining(says) })
  })

  it('is no conflict if it is switched off', () => {
    expect(producerKind({ ...settings, enableIdempotence: false })).toBe('plain')
  })
})

it.each<ProducerSettings>([{}, { acks: 'all', maxInFlight: 5, retries: 1 }, { enableIdempotence: true }])(
  'without a conflict it is idempotent: %j',
  (settings) => {
    expect(producerKind(settings)).toBe('idempotent')
  },
)
