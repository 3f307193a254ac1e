/**
 * No rule of the protocol depends on the bookkeeping of the model. In states along many behaviours the bookkeeping
 * is replaced by something else: the same steps must be possible, and lead to states that differ in nothing but that.
 */
import { describe, expect, it } from 'vitest'
import type { Plain } from '../../../checker/model.ts'
import { type EnabledStep, stepper } from '../../../checker/stepper.ts'
import type { KafkaConfig } from '../../../spec/config.ts'
import { kafka } from '../../../spec/model.ts'
import type { KafkaState } from '../../../spec/state.ts'
import { presets } from './rules.ts'

const shift = 100
/** 's1.2' in the name of a request, by which a reply finds it: it may be another name, but the same everywhere. */
const renamed = (text: string) =>
  text.replace(/s(\d+)/, (_, session: string) => `s${Number(session) + shift}`)
const unnamed = (text: string) => text.replace(/\bs\d+(\.\d+)?\b/, 'it')

/** undefined: what is in the value changes, if anything. */
type Change = (key: string, value: Plain) => Plain | undefined

/** Copies plain data; where the change gives a value for a key, that one is taken. */
function changed(value: Plain, change: Change): Plain {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => changed(item, change))
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, change(key, inner) ?? changed(inner, change)]),
  )
}

/** Part of the state in which transactions are mere labels; elsewhere they are part of the names of requests. */
const isLabelled = (part: string) => ['coordinator', 'transactionLog', 'markers', 'partition'].includes(part)

/** Other bookkeeping: the name of a transaction in logs and memory, and the record of the ghost. */
interface Bookkeeping {
  readonly label: string
  /** What became of each transaction: decisions, and what clients were told. */
  readonly outcomes: Plain
}

const known = ['s101.1', 's101.2', 's102.1']
const everyKnown = (value: Plain): Plain => Object.fromEntries(known.map((name) => [name, value]))

/** Names that no transaction has, none at all, those of a later and of an earlier transaction of the session. */
const bookkeepings: readonly Bookkeeping[] = [
  { label: 'nonsense', outcomes: { nonsense: 'abort' } },
  { label: '', outcomes: {} },
  { label: 's101.9', outcomes: everyKnown('contradicted') },
  { label: 's101.0', outcomes: everyKnown('commit') },
]

function scrambled(state: Plain, { label, outcomes }: Bookkeeping): Plain {
  const labels: Change = (key, value) => {
    if (key === 'transaction') return label
    if (key === 'session') return -1
    if (key === 'fenced') return !(value as boolean)
    return key === 'request' && typeof value === 'string' ? renamed(value) : undefined
  }
  const names: Change = (key, value) => {
    if (key === 'session') return (value as number) + shift
    return key === 'transaction' && typeof value === 'string' ? renamed(value) : undefined
  }
  const ghost: Change = (key, value) => {
    if (key === 'sessions') return (value as number) + shift
    return typeof value === 'number' ? -5 : outcomes
  }
  const parts = Object.entries(state as { [part: string]: Plain }).map(([part, value]) => {
    if (part === 'ghost') return [part, changed(value, ghost)]
    return [part, changed(value, isLabelled(part) ? labels : names)]
  })
  return Object.fromEntries(parts)
}

/** What is left of a state without its bookkeeping. */
function bare(state: Plain): Plain {
  const erased: Change = (key, value) => {
    if (key === 'session' || key === 'fenced' || key === 'ghost') return 0
    if (key === 'transaction') return 0
    return key === 'request' && typeof value === 'string' ? unnamed(value) : undefined
  }
  return changed(state, erased)
}

/** A choice of requests gives their names. */
const bareChoice = ({ name, value }: EnabledStep['choices'][number]) => ({
  name,
  value: Array.isArray(value) ? value.map((request) => unnamed(request as string)) : value,
})

const shownStep = ({ action, args, choices, next }: EnabledStep) => ({
  action,
  args,
  choices: choices.map(bareChoice),
  next: bare(next),
})

const config: Partial<KafkaConfig> = {
  outputPartitions: 1,
  faults: 4,
  survivors: 2,
  crashes: 1,
  restarts: 1,
  pauses: 1,
  lostRequests: 1,
  lostReplies: 1,
  lateRequests: 1,
  lateMarkers: 1,
  coordinatorFailovers: 1,
  transactionTimeouts: 1,
  deliveryTimeouts: 1,
  applicationAborts: 1,
  refusedBatches: 1,
}

describe.each(presets)('%s', (preset) => {
  it.each([1, 2, 3, 4])('behaviour %i goes the same way with other bookkeeping', (seed) => {
    const { initialStates, successors } = stepper(kafka, { ...config, preset })
    let state: Plain = initialStates[0]!
    let random = seed
    for (let steps = 0; steps < 70; steps += 1) {
      const { enabled } = successors(state)
      const other = scrambled(state, bookkeepings[(seed + steps) % bookkeepings.length]!)
      expect(successors(other).enabled.map(shownStep)).toEqual(enabled.map(shownStep))
      if (enabled.length === 0) break
      random = (random * 16807) % 2147483647
      state = enabled[random % enabled.length]!.next
    }
    // The behaviour goes through decisions, their answers, and transactions that follow each other.
    const { decisions, told } = (state as unknown as KafkaState).ghost
    expect([decisions, told].map((outcomes) => Object.keys(outcomes).length >= 2)).toEqual([true, true])
  })
})
