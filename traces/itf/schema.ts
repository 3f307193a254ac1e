/** What a trace file must look like, apart from the values of its states. */
import * as v from 'valibot'
import type { Plain } from '../../checker/model.ts'
import { eventKinds } from '../../checker/view.ts'

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Any JSON will do; that it is neither deep nor hostile was established before. */
const plain = v.custom<Plain>((value) => value !== undefined, 'a value')
/** Unlike an object schema, which leaves out keys such as `constructor`, this keeps what it is given. */
const anyRecord = v.custom<Record<string, unknown>>(isObject, 'an object')
const plainRecord = v.custom<Record<string, Plain>>(isObject, 'an object')

const event = v.object({
  kind: v.picklist(eventKinds),
  lane: v.string(),
  peer: v.optional(v.string()),
  message: v.optional(v.string()),
  fields: v.optional(plainRecord),
  late: v.optional(v.literal(true)),
  text: v.optional(v.string()),
})

/** The `#meta` of every state but the first. */
export const stepSchema = v.object({
  index: v.number(),
  action: v.string(),
  args: plainRecord,
  choices: v.array(v.object({ name: v.string(), value: plain })),
  events: v.array(event),
  faults: v.optional(v.array(v.string())),
})

const labels = v.object({ weak: v.array(v.string()), strong: v.array(v.string()) })

const property = v.object({
  name: v.string(),
  kind: v.string(),
  failed: v.optional(v.object({ part: v.string(), values: plainRecord })),
  lasso: v.optional(v.object({ fairness: labels, brokenBy: labels })),
})

export const documentSchema = v.looseObject({
  '#meta': v.looseObject({
    fencepost: v.looseObject({
      model: v.string(),
      config: plain,
      defencesOff: v.array(v.string()),
      background: v.optional(v.array(v.string())),
      property: v.optional(property),
    }),
  }),
  vars: v.array(v.string()),
  states: v.array(anyRecord),
  loop: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
})

export type Document = v.InferOutput<typeof documentSchema>
export type StateLine = Record<string, unknown>
