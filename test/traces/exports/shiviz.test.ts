import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StepEvent, Trace } from '../../../index.ts'
import { writeShiviz } from '../../../traces/exports/shiviz.ts'
import { messagesOf } from '../../../traces/messages.ts'
import { hostileTrace, messageTrace } from './arbitrary.ts'

interface Entry {
  readonly event: string
  readonly host: string
  readonly clock: Readonly<Record<string, number>>
}

/** ShiViz's default pattern, and what it refuses in a log (js/model/logParser.js, js/model/modelGraph.js). */
function parse(log: string): Entry[] {
  const pattern = /(?<event>.*)\n(?<host>\S*) (?<clock>\{.*\})\n/y
  const entries: Entry[] = []
  while (pattern.lastIndex < log.length) {
    const { event, host, clock } = pattern.exec(log)?.groups ?? {}
    if (event === undefined || host === undefined || clock === undefined)
      throw new Error('the pattern does not match')
    entries.push({ event, host, clock: JSON.parse(clock) })
  }
  return entries
}

/** What happened before an event, by its clock: of each host as many events as its clock says. */
function checkRules(entries: readonly Entry[]) {
  const hosts = new Set(entries.map(({ host }) => host))
  for (const host of hosts) {
    const own = entries.filter((entry) => entry.host === host).map(({ clock }) => clock[host])
    expect(own).toEqual(own.map((_, index) => index + 1))
  }
  const eventAt = (host: string, time: number) =>
    entries.filter((entry) => entry.host === host)[time - 1] as Entry
  for (const { clock } of entries) {
    for (const [host, time] of Object.entries(clock)) {
      expect(hosts).toContain(host)
      // Transitive: whoever knows of an event knows all that was known to it.
      for (const [other, known] of Object.entries(eventAt(host, time).clock)) {
        expect(clock[other] ?? 0).toBeGreaterThanOrEqual(known)
      }
    }
  }
}

const traceOf = (...steps: StepEvent[][]): Trace => ({
  model: 'm',
  config: {},
  defencesOff: [],
  states: [{}, ...steps.map(() => ({}))],
  steps: steps.map((events) => ({ action: 'A', args: {}, choices: [], events })),
})

const m = (kind: StepEvent['kind'], lane: string, peer: string, late?: true): StepEvent => ({
  kind,
  lane,
  peer,
  message: 'M',
  ...(late ? { late } : {}),
})

describe('writeShiviz', () => {
  it('gives every event of a participant its vector clock', () => {
    const trace = traceOf(
      [{ kind: 'started', lane: 'app 0' }],
      [m('sent', 'app 0', 'log')],
      [{ kind: 'crashed', lane: 'app 0' }],
      [m('delivered', 'log', 'app 0'), { kind: 'appended', lane: 'log', message: 'data' }],
    )
    expect(writeShiviz(trace)).toMatchInlineSnapshot(`
      "1. app 0  started
      app_0 {"app_0":1}
      2. app 0 -> log  M
      app_0 {"app_0":2}
      3. app 0  crashed
      app_0 {"app_0":3}
      4. app 0 -> log  M (arrives)
      log {"app_0":2,"log":1}
      4. log  data (appended)
      log {"app_0":2,"log":2}
      "
    `)
  })

  it('lets the clock tell a late copy from the one that was sent again', () => {
    const entries = parse(
      writeShiviz(
        traceOf(
          [m('sent', 'a', 'b')],
          [m('delayed', 'a', 'b')],
          [m('delivered', 'b', 'a')],
          [m('delivered', 'b', 'a', true)],
        ),
      ),
    )
    expect(entries.map(({ event, clock }) => [event.slice(0, 1), clock])).toEqual([
      ['1', { a: 1 }],
      ['2', { a: 2 }],
      ['2', { a: 3 }],
      ['3', { a: 3, b: 1 }],
      ['4', { a: 3, b: 2 }],
    ])
  })

  it('obeys the rules of ShiViz for any trace', () => {
    let received = 0
    fc.assert(
      fc.property(messageTrace, (trace) => {
        const entries = parse(writeShiviz(trace))
        checkRules(entries)
        const events = trace.steps.flatMap(({ events: told }) => told)
        expect(entries.length).toBeGreaterThanOrEqual(events.length)
        received += entries.filter(({ clock }) => Object.keys(clock).length > 1).length
      }),
      { numRuns: 500 },
    )
    expect(received).toBeGreaterThan(500)
  })

  it('has a line for what happens and one for the clock, whatever the texts are', () => {
    fc.assert(fc.property(hostileTrace, (trace) => checkRules(parse(writeShiviz(trace)))))
  })

  it('knows what an event knew that sent something: the arrival comes after it', () => {
    fc.assert(
      fc.property(messageTrace, (trace) => {
        for (const { origin, start, end } of messagesOf(trace)) {
          if (end === undefined || origin === 'unsaid') continue
          expect(end.step * 10 + end.position).toBeGreaterThan(start.step * 10 + start.position)
        }
      }),
    )
  })
})
