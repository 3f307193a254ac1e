/**
 * A trace as a log with vector clocks, for ShiViz (https://bestchai.bitbucket.io/shiviz/) and its default pattern: a line
 * with what happens, then one with the host and its clock. Clocks are derived from the messages, so a model need not
 * carry them.
 */
import type { Trace } from '../../checker/trace.ts'
import { type Message, messagesOf, type Occurrence, occurrencesOf, placeOf } from '../messages.ts'
import { eventText } from '../text/event.ts'
import { lanesOf } from '../text/steps.ts'
import { visible } from '../text/value.ts'

type Clock = ReadonlyMap<string, number>

export function writeShiviz(trace: Trace): string {
  const log = new Log(hostNames(lanesOf(trace)))
  const starts = groupedBy(messagesOf(trace), ({ start }) => placeOf(start))
  const ends = new Map(
    messagesOf(trace).flatMap((message) => (message.end ? [[placeOf(message.end), message] as const] : [])),
  )
  for (const occurrence of occurrencesOf(trace)) {
    const place = placeOf(occurrence)
    const { kind, lane } = occurrence.event
    const begun = starts.get(place) ?? []
    const unsaid = begun.find(({ origin }) => origin === 'unsaid')
    if (unsaid !== undefined && kind === 'delivered') log.send(unsaid, occurrence, 'sends')
    const arriving = kind === 'delivered' ? ends.get(place) : undefined
    const clock = log.add(lane, `${occurrence.step}. ${eventText(occurrence.event)}`, arriving)
    for (const message of begun) {
      if (message.origin === 'sent again') log.send(message, occurrence, 'sends again')
      else if (message !== arriving) log.sent.set(keyOf(message), clock)
    }
  }
  return log.lines.map((line) => `${line}\n`).join('')
}

class Log {
  readonly lines: string[] = []
  /** By message: the clock with which it was sent. */
  readonly sent = new Map<string, Clock>()
  readonly #hosts: ReadonlyMap<string, string>
  readonly #clocks = new Map<string, Clock>()

  constructor(hosts: ReadonlyMap<string, string>) {
    this.#hosts = hosts
  }

  /** Another event of a lane; what arrives brings the clock of its sender. */
  add(lane: string, text: string, arriving?: Message): Clock {
    const received = arriving && this.sent.get(keyOf(arriving))
    const clock = new Map(this.#clocks.get(lane))
    for (const [other, time] of received ?? []) clock.set(other, Math.max(time, clock.get(other) ?? 0))
    clock.set(lane, (this.#clocks.get(lane)?.get(lane) ?? 0) + 1)
    this.#clocks.set(lane, clock)
    const named = [...clock].map(([other, time]) => [this.#hosts.get(other), time])
    this.lines.push(text, `${this.#hosts.get(lane)} ${JSON.stringify(Object.fromEntries(named))}`)
    return clock
  }

  /** What no event of its own tells of. */
  send(message: Message, { step }: Occurrence, verb: string): void {
    const text = visible(`${step}. ${message.from} -> ${message.to}  ${verb} ${message.name}`)
    this.sent.set(keyOf(message), this.add(message.from, text))
  }
}

/** A copy is sent with what it is a copy of. */
const keyOf = ({ start, from, to, name }: Message): string => JSON.stringify([placeOf(start), from, to, name])

function groupedBy(
  messages: readonly Message[],
  keyFor: (message: Message) => string,
): Map<string, Message[]> {
  const groups = new Map<string, Message[]>()
  for (const message of messages)
    groups.set(keyFor(message), [...(groups.get(keyFor(message)) ?? []), message])
  return groups
}

/** Hosts have no blanks in their names, and each its own. */
function hostNames(lanes: readonly string[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const lane of lanes) {
    const plain = lane.replaceAll(/[^\w.-]/g, '_').replace(/^(?=__|\d|$)/, 'host')
    const taken = new Set(names.values())
    let free = plain
    for (let number = 2; taken.has(free); number++) free = `${plain}.${number}`
    names.set(lane, free)
  }
  return names
}
