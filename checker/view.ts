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
  /** One sentence for people, where the rest does not say it. */
  readonly text?: string
}
