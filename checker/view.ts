/** How a model is shown: participants and what happens between them. Never part of the state. */
import type { Plain } from './model.ts'

/** A participant, drawn as a lane. */
export interface Lane {
  readonly id: string
  readonly label: string
  /** Lanes of one group stand together: clients, coordinator, partitions, ... */
  readonly group: string
}

/** What can happen in a step. */
export const eventKinds = [
  'sent', // a message leaves `lane` for `peer`
  'delivered', // a message from `peer` is taken up by `lane`
  'lost', // a message from `lane` to `peer` will never arrive
  'delayed', // a message from `lane` to `peer` outlives its connection and may arrive late
  'appended', // `lane` writes to a log
  'started',
  'crashed',
  'paused',
  'resumed',
  'note',
] as const

/** Something that happens in a step. */
export interface StepEvent {
  readonly kind: (typeof eventKinds)[number]
  /** The participant at which it happens. */
  readonly lane: string
  /** The other participant of a message. */
  readonly peer?: string
  /** What the message or record is called: 'EndTxn'. */
  readonly message?: string
  /** Its key fields. */
  readonly fields?: Readonly<Record<string, Plain>>
  /** Of what is delivered: it was delayed before; another copy may be under way. */
  readonly late?: true
  /** One sentence for people, where the rest does not say it. */
  readonly text?: string
}

/** What a diagram shows of one state, beside the events that lead to it. */
export interface StateView {
  /** By lane. One that is not named is up and has nothing to tell. */
  readonly lanes: Readonly<Record<string, LaneView>>
  readonly logs: readonly LogView[]
}

export interface LaneView {
  /** `up` if absent. */
  readonly status?: 'up' | 'down' | 'paused'
  /** What is written along the lane where it changes: `{ epoch: 1, transaction: 'Ongoing' }`. Short values. */
  readonly facts: Readonly<Record<string, Plain>>
}

/** A log as a strip of cells. */
export interface LogView {
  /** Whose it is. */
  readonly lane: string
  readonly label: string
  /** In the order of their offsets. */
  readonly cells: readonly LogCell[]
  /** Lines between cells: `{ HW: 3 }` stands before the cell with offset 3. */
  readonly bounds: Readonly<Record<string, number>>
  /** What each kind of reader is given. */
  readonly readers: readonly { readonly label: string; readonly offsets: readonly number[] }[]
}

export interface LogCell {
  readonly offset: number
  /** Colours it: a record that counts, one that was taken back, one that is undecided, or a marker. */
  readonly kind: 'plain' | 'committed' | 'aborted' | 'open' | 'marker'
  /** Short lines of text: `['p0 e1', 'seq 3']`. */
  readonly lines: readonly string[]
}
