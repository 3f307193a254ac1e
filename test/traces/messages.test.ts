import { describe, expect, it } from 'vitest'
import type { StepEvent } from '../../index.ts'
import { messagesOf } from '../../traces/messages.ts'

type Told = readonly [kind: StepEvent['kind'], from: string, to: string, more?: Partial<StepEvent>]

/** One step for each event; from whom a message is and to whom, whoever tells of it. */
const stepsOf = (told: readonly Told[]) =>
  told.map(([kind, from, to, more]) => {
    const [lane, peer] = kind === 'delivered' ? [to, from] : [from, to]
    return { action: 'A', args: {}, choices: [], events: [{ kind, lane, peer, message: 'M', ...more }] }
  })

/** `sent again 2-5 late 3`: how it began, in which steps it began, ended and was delayed. */
const told = (...events: Told[]): string[] =>
  messagesOf({ steps: stepsOf(events) }).map(({ origin, start, end, delayed }) => {
    const fate = end === undefined ? '' : `${end.step}${end.event.kind === 'lost' ? ' lost' : ''}`
    return `${origin} ${start.step}-${fate}${delayed === undefined ? '' : ` late ${delayed.step}`}`
  })

describe('what became of a message', () => {
  it('is told in the order of sending, where nothing else tells them apart', () => {
    const steps: Told[] = [
      ['sent', 'a', 'b'],
      ['sent', 'a', 'b'],
      ['delivered', 'a', 'b'],
    ]
    expect(told(...steps)).toEqual(['sent 1-3', 'sent 2-'])
  })

  it('is told by its fields, where they do', () => {
    const steps: Told[] = [
      ['sent', 'a', 'b', { fields: { sequence: 0 } }],
      ['sent', 'a', 'b', { fields: { sequence: 1 } }],
      ['delivered', 'a', 'b', { fields: { sequence: 1 } }],
    ]
    expect(told(...steps)).toEqual(['sent 1-', 'sent 2-3'])
  })

  it('is between the two alone, and of one name', () => {
    const steps: Told[] = [
      ['sent', 'a', 'b'],
      ['sent', 'b', 'a'],
      ['sent', 'a', 'c'],
      ['sent', 'a', 'b', { message: 'N' }],
      ['delivered', 'a', 'c'],
    ]
    expect(told(...steps)).toEqual(['sent 1-', 'sent 2-', 'sent 3-5', 'sent 4-'])
  })

  it('begins anew where it was lost, if it arrives all the same', () => {
    const lost: Told[] = [
      ['sent', 'a', 'b'],
      ['lost', 'a', 'b'],
      ['delivered', 'a', 'b'],
    ]
    expect(told(...lost)).toEqual(['sent 1-2 lost', 'sent again 2-3'])
    const lostReply: Told[] = [
      ['sent', 'a', 'b'],
      ['delivered', 'a', 'b'],
      ['lost', 'b', 'a', { message: 'M reply' }],
      ['delivered', 'a', 'b'],
    ]
    expect(told(...lostReply)).toEqual(['sent 1-2', 'unsaid 3-3 lost', 'sent again 3-4'])
  })

  it('tells the late one from the one that was sent again', () => {
    const steps: Told[] = [
      ['sent', 'a', 'b'],
      ['delayed', 'a', 'b'],
      ['delivered', 'a', 'b'],
      ['delivered', 'a', 'b', { late: true }],
    ]
    expect(told(...steps)).toEqual(['sent 1-4 late 2', 'sent again 2-3'])
  })

  it('is no other message where only its answer will get lost', () => {
    const steps: Told[] = [
      ['sent', 'a', 'b'],
      ['delivered', 'a', 'b'],
      ['delayed', 'a', 'b'],
      ['delivered', 'a', 'b'],
    ]
    expect(told(...steps)).toEqual(['sent 1-2', 'sent again 3-4'])
  })

  it('is a copy where nothing went wrong, and unsaid where nothing is said', () => {
    const copied: Told[] = [
      ['sent', 'a', 'b'],
      ['delivered', 'a', 'b'],
      ['delivered', 'a', 'b'],
    ]
    expect(told(...copied)).toEqual(['sent 1-2', 'copy 1-3'])
    const unsaid: Told[] = [
      ['delivered', 'a', 'b'],
      ['delayed', 'a', 'b'],
      ['delivered', 'a', 'b'],
      ['delivered', 'a', 'b', { late: true }],
    ]
    expect(told(...unsaid)).toEqual(['unsaid 1-1', 'unsaid 2-4 late 2', 'unsaid 3-3'])
  })
})
