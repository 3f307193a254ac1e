/** The vocabulary in which an application is written as a program: a list of atomic steps. */
import * as v from 'valibot'

/** What a database transaction may do, one after the other and all at once. */
const operations = [
  'insert row',
  'insert row unless its id is there',
  'insert row unless its key is there',
  'overwrite row',
  'overwrite older row',
  'remember id',
  'remember offset',
  'store offset',
  'advance offset',
  'insert outbox row',
  'store idempotency key',
] as const
export type Operation = (typeof operations)[number]

/** Steps that are said in words alone; what each of them does stands where it is defined, in `steps/`. */
const words = [
  'initialise',
  'poll',
  'accept request',
  'process',
  'begin',
  'send offsets',
  'commit',
  'abort',
  'work past the timeout',
  'prepare',
  'recover',
  'commit offset',
  'seek to committed offset',
  'seek to offset in database',
  'seek back',
  'look up row',
  'look up idempotency key',
  'create idempotency key',
  'ask provider',
  'update store',
  'restore store',
  'read outbox',
  'claim outbox row',
  'mark sent',
  'take lock',
  'release lock',
] as const
export type Word = (typeof words)[number]

/** What the provider is given to recognise a call that is repeated. */
const keys = ['none', 'id of the event', 'made in memory', 'stored'] as const
export type Key = (typeof keys)[number]

const stepSchema = v.union([
  v.picklist(words),
  v.strictObject({
    /** The topic. */
    send: v.string(),
    /** What the record is recognised by: the id of the event that it was made from, or one made while sending. */
    id: v.optional(v.picklist(['of the event', 'fresh']), 'of the event'),
  }),
  v.strictObject({ database: v.array(v.picklist(operations)) }),
  v.strictObject({ call: v.picklist(keys) }),
])
/** One atomic step. A crash, and any step of another process, may come between two of them. */
export type ProgramStep = v.InferOutput<typeof stepSchema>
/** As it is written. */
export type WrittenStep = v.InferInput<typeof stepSchema>

const steps = v.array(stepSchema)

export const appSchema = v.strictObject({
  name: v.string(),
  /** The topic that it polls, as a group of its own; an application without one has no group. */
  reads: v.optional(v.string()),
  isolation: v.optional(v.picklist(['read_committed', 'read_uncommitted']), 'read_committed'),
  instances: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2)), 1),
  /** One transactional.id for all instances, or one for each. */
  transactionalIds: v.optional(v.picklist(['shared', 'own']), 'own'),
  /** Once after each start. */
  onStart: v.optional(steps, []),
  /** Again and again. */
  loop: v.pipe(steps, v.minLength(1)),
  /** When processing throws or an answer is missing, before the loop begins anew. Absent: the process ends. */
  onError: v.optional(steps),
  /** What it makes of the error that its producer is fenced: the process ends, or the error is one like any other. */
  whenFenced: v.optional(v.picklist(['ends', 'goes on']), 'ends'),
  /** Processing may come to another result when it is repeated. */
  result: v.optional(v.picklist(['determined', 'not determined']), 'determined'),
})
export type App = v.InferOutput<typeof appSchema>

/** As people read it in a trace. */
export function stepText(step: ProgramStep): string {
  if (typeof step === 'string') return step
  if ('send' in step) return `send to ${step.send}`
  if ('call' in step) return 'call the provider'
  return `database: ${step.database.join(', ')}`
}
