/** A behaviour of the Kafka model, taken step by step by name, and what the participants know in short notation. */

import type { Plain } from '../../../checker/model.ts'
import { type EnabledStep, type Stepper, stepper } from '../../../checker/stepper.ts'
import type { StepEvent } from '../../../checker/view.ts'
import type { KafkaConfig } from '../../../spec/config.ts'
import type { DefenceName } from '../../../spec/defences.ts'
import { appLane, coordinatorLane, partitionLane } from '../../../spec/lanes.ts'
import { kafka } from '../../../spec/model.ts'
import type { Protocol } from '../../../spec/protocol/protocol.ts'
import type { Identity, KafkaState, TransactionRecord } from '../../../spec/state.ts'
import { shownEntry } from '../protocol/leader-notation.ts'
import { rulesOf } from '../protocol/rules.ts'

/** Action, arguments, choices by name. A fault that could happen in the step and is not named does not happen. */
export type NamedStep = readonly [
  action: string,
  args?: Record<string, Plain>,
  choices?: Record<string, Plain>,
]

/** The outcomes of choices that are faults, by the beginning of their names, when nothing goes wrong. */
const harmless: readonly { readonly choice: string; readonly value: Plain }[] = [
  { choice: 'the reply to ', value: 'arrives' },
  { choice: 'its connection', value: 'is closed' },
  { choice: 'requests that still arrive', value: [] },
]

const equal = (one: unknown, two: unknown) => JSON.stringify(one) === JSON.stringify(two)

/** Whether a step that can be taken is the one that was named. */
function isNamed({ choices }: EnabledStep, named: Record<string, Plain>): boolean {
  const expected = (name: string) =>
    name in named ? named[name] : harmless.find(({ choice }) => name.startsWith(choice))?.value
  const offered = choices.map(({ name }) => name)
  return (
    Object.keys(named).every((name) => offered.includes(name)) &&
    choices.every(({ name, value }) => equal(expected(name), value))
  )
}

/** '2', or '1:2' for epoch 2 of producer id 1: the first producer id goes without saying. */
const identity = ({ producerId, producerEpoch }: Identity) =>
  producerId > 0 ? `${producerId}:${producerEpoch}` : `${producerEpoch}`

/** 'PrepareCommit(2){0,1}', and where another producer id takes over: 'PrepareCommit(2 then 1){0,1}'. */
function text(record: TransactionRecord): string {
  const next = record.nextProducerId < 0 ? '' : ` then ${record.nextProducerId}`
  return `${record.state}(${identity(record)}${next}){${record.partitions.join(',')}}`
}

export class Behaviour {
  readonly #stepper: Stepper
  readonly #protocol: Protocol
  #state: Plain
  #events: StepEvent[] = []

  constructor(config: Partial<KafkaConfig>, without: readonly DefenceName[] = []) {
    const complete = { instances: 1, outputPartitions: 1, ...config }
    this.#stepper = stepper(kafka, complete, { defencesOff: without })
    this.#protocol = rulesOf(config.preset ?? 'kafka-4.4', { config: complete })
    this.#state = this.#stepper.initialStates[0]!
  }

  get state(): KafkaState {
    return this.#state as unknown as KafkaState
  }

  /** Takes the steps in order; one that cannot be taken throws and names the guard. */
  take(...steps: readonly (NamedStep | readonly NamedStep[])[]): this {
    this.#events = []
    for (const [action, args = {}, choices = {}] of steps.flatMap(flat)) {
      const { next, events } =
        this.#enabled([action, args]).find((step) => isNamed(step, choices)) ??
        this.#refused([action, args, choices])
      this.#state = next
      this.#events.push(...events)
    }
    return this
  }

  /** Throws the reason why a step cannot be taken. */
  #refused([action, args = {}, choices = {}]: NamedStep): EnabledStep {
    const chosen = Object.entries(choices).map(([name, value]) => ({ name, value }))
    return this.#stepper.take(this.#state, { action, args, choices: chosen })
  }

  #enabled([action, args = {}]: NamedStep): EnabledStep[] {
    const { enabled } = this.#stepper.successors(this.#state)
    return enabled.filter((step) => step.action === action && equal(step.args, args))
  }

  /** What a step may choose: the options of each choice by its name, in order. */
  options(step: NamedStep): Record<string, Plain[]> {
    const options: Record<string, Plain[]> = {}
    for (const { name, value } of this.#enabled(step).flatMap(({ choices }) => choices)) {
      options[name] ??= []
      if (!options[name].some((other) => equal(other, value))) options[name].push(value)
    }
    return options
  }

  /** Everything that can happen next, by action. */
  get possible(): string[] {
    return [...new Set(this.#stepper.successors(this.#state).enabled.map(({ action }) => action))]
  }

  /** The guard that blocks a step; undefined if it can be taken. */
  blockedBy([action, args = {}]: NamedStep): string | undefined {
    const same = (other: { action: string; args: unknown }) =>
      other.action === action && equal(other.args, args)
    return this.#stepper.successors(this.#state).blocked.find(same)?.guard
  }

  /** The coordinator's memory: 'Ongoing(0){0,1} last -1 -> PrepareCommit', with the target of what is pending. */
  coordinatorOf(id: number): string {
    const { entry } = this.state.coordinator[id]!
    if (entry === null) return 'unknown'
    const pending = entry.pendingState === 'none' ? '' : ` -> ${entry.pendingState}`
    return `${text(entry)} last ${entry.lastProducerEpoch}${pending}`
  }

  get coordinator(): string {
    return this.coordinatorOf(0)
  }

  /** The last durable record of a transactional.id. */
  recordOf(id: number): string {
    const { committed } = this.state.transactionLog[id]!
    return committed === null ? 'none' : text(committed)
  }

  get record(): string {
    return this.recordOf(0)
  }

  /** What a partition remembers: 'epoch 0 [0,1] open 0 coordinator -1; producer 1 epoch ...'. */
  leader(partition: number): string {
    const shown = this.state.partition[partition]!.producers.map(
      (entry) => `${entry.producerId > 0 ? `producer ${entry.producerId} ` : ''}${shownEntry(entry)}`,
    )
    return shown.length === 0 ? 'unknown' : shown.join('; ')
  }

  /** The log of a partition in words: data with sequence, offsets and markers with epoch. */
  log(partition: number): string[] {
    return this.state.partition[partition]!.log.map((record) => {
      if (record.kind === 'marker')
        return `${record.result}(${identity(record)}) by ${record.coordinatorEpoch}`
      return record.kind === 'data' ? `#${record.sequence}(${identity(record)})` : `offset ${record.offset}`
    })
  }

  client(client = 0): string {
    const instance = this.state.instance[client]!
    const { status, phase } = instance
    return status === 'running' || status === 'paused'
      ? `${status}, ${phase}, epoch ${identity(instance)}`
      : status
  }

  /** 'generation 1, committed 0, pending 1', or 'pending 1 of producer 2'. */
  get group(): string {
    const { generation, committed, pending } = this.state.group
    const open = pending.map(
      ({ producerId, offset }) => `, pending ${offset}${producerId > 0 ? ` of producer ${producerId}` : ''}`,
    )
    return `generation ${generation}, committed ${committed}${open.join('')}`
  }

  /** The last reply to a client in the steps taken last, from the coordinator unless a partition is named. */
  reply({ client = 0, partition }: { client?: number; partition?: number } = {}): string {
    const lane = partition === undefined ? coordinatorLane : partitionLane(this.#protocol, partition)
    const replies = this.#events.filter(
      (event) => event.kind === 'sent' && event.lane === lane && event.peer === appLane(client),
    )
    const fields = replies.at(-1)?.fields
    if (fields === undefined) return 'none'
    const { error, producerId, producerEpoch } = fields
    return producerEpoch === undefined
      ? `${error}`
      : `${error} (${identity({ producerId: Number(producerId), producerEpoch: Number(producerEpoch) })})`
  }
}

/** A step has its action first, a list of steps has a step first. */
const flat = (item: NamedStep | readonly NamedStep[]): readonly NamedStep[] =>
  typeof item[0] === 'string' || item.length === 0 ? [item as NamedStep] : (item as readonly NamedStep[])
