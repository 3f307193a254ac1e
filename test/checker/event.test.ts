/** Events that no view could show are refused when they are emitted, by the search as well as by the stepper. */
import { describe, expect, test } from 'vitest'
import { action, check, type StepEvent, stepper } from '../../checker/index.ts'
import { errorOf, tiny } from './tiny.ts'

const emitting = (event: unknown) => {
  const act = action('Act', { by: [1] }, (state: { n: number }, _, step) => {
    step.emit(event as StepEvent)
    state.n = 1
  })
  return tiny({ initial: { n: 0 }, components: ['n'], actions: [act] })
}

describe('an event', () => {
  test.each<[string, string, unknown]>([
    ['of the kind "nope"', 'one of sent, delivered, lost, ', { kind: 'nope', lane: 'a' }],
    ['of the kind "toString"', 'one of sent, ', { kind: 'toString', lane: 'a' }],
    ['of the kind missing', 'one of sent, ', { lane: 'a' }],
    ['whose lane is missing', 'a string', { kind: 'note' }],
    ['whose lane is 7', 'a string', { kind: 'note', lane: 7 }],
    ['whose peer is 7', 'a string', { kind: 'note', lane: 'a', peer: 7 }],
    ['whose message is null', 'a string', { kind: 'note', lane: 'a', message: null }],
    ['whose text is ["x"]', 'a string', { kind: 'note', lane: 'a', text: ['x'] }],
    ['whose late is false', 'true, or nothing', { kind: 'delivered', lane: 'a', late: false }],
    ['whose fields are [1]', 'an object', { kind: 'note', lane: 'a', fields: [1] }],
    ['that is "note"', 'an object', 'note'],
    ['that is "undefined"', 'an object', undefined],
  ])('%s is refused', async (found, expected, event) => {
    const model = emitting(event)
    const error = await errorOf(check(model, {}))
    expect(error.details).toMatchObject({
      code: 'model-failed',
      where: 'Act(by: 1)',
      found: `it emits an event ${found}`,
    })
    expect(error.details.expected).toContain(expected)
    expect(error.trace?.states).toEqual([{ n: 0 }])
    expect(() => stepper(model, {}).successors({ n: 0 })).toThrow(error.message)
  })

  test.each([
    'sent',
    'delivered',
    'lost',
    'delayed',
    'appended',
    'started',
    'crashed',
    'paused',
    'resumed',
    'note',
  ])('of the kind %s is kept, without the fields that it lacks', async (kind) => {
    const whole = { kind, lane: 'a', peer: 'b', message: 'm', fields: { n: 1 }, text: 't' }
    for (const event of [whole, { kind, lane: 'a', peer: undefined }]) {
      const model = emitting(event)
      expect((await check(model, {})).verdict).toBe('proved')
      const [step] = stepper(model, {}).successors({ n: 0 }).enabled
      expect(step?.events).toEqual([JSON.parse(JSON.stringify(event))])
    }
  })
})
