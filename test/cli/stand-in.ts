/**
 * A small catalogue that stands in for the spec, so that tests of commands are quick and do not change with Kafka:
 * two writers take an epoch from one log, write once, and repeat the write when its reply is lost.
 */
import * as v from 'valibot'
import type { Catalogue } from '../../cli/catalogue.ts'
import { action, always, defineModel, reachable } from '../../index.ts'

interface State {
  writer: { status: 'new' | 'active' | 'done'; epoch: number; repeats: number }[]
  log: { epoch: number; records: { writer: number; epoch: number }[] }
}

const presetNames = ['kafka-4.4', 'kafka-3.9'] as const
const keepsDuplicatesOut = ({ preset }: { preset: string }) => preset === 'kafka-4.4'

const defences = [
  {
    name: 'epoch check',
    summary: 'The log refuses an old epoch.',
    sources: ['KIP-98'],
    exercisedBy: { scenario: 'read-process-write', preset: 'kafka-4.4', property: 'epochs never fall' },
  },
  {
    name: 'epoch bump',
    summary: 'Every writer gets an epoch of its own.',
    sources: ['KIP-98'],
    exercisedBy: { scenario: 'quiet', preset: 'kafka-3.9', property: 'epochs are unique' },
  },
  {
    name: 'duplicate check',
    summary: 'The log knows what it has.',
    sources: ['KIP-98'],
    appliesTo: keepsDuplicatesOut,
    exercisedBy: {
      scenario: 'read-process-write',
      preset: 'kafka-4.4',
      property: 'written once',
      together: ['epoch check'],
    },
  },
]

const writers = defineModel({
  name: 'writers',
  config: v.strictObject({
    preset: v.optional(v.picklist(presetNames), 'kafka-4.4'),
    writers: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3)), 2),
    repeats: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 1),
    /** Adds a property about something that never happens. */
    idle: v.optional(v.boolean(), false),
    /** Makes an action throw. */
    broken: v.optional(v.boolean(), false),
  }),
  defences,
  build: (config, { defences: active }) => {
    const each = Array.from({ length: config.writers }, (_, index) => index)
    const initial: State = {
      writer: each.map(() => ({ status: 'new', epoch: -1, repeats: config.repeats })),
      log: { epoch: 0, records: [] },
    }
    return {
      initial,
      components: ['writer[]', 'log'],
      actions: [
        action('Start', { writer: each }, (state: State, { writer }, step) => {
          const self = state.writer[writer]!
          step.when('it is new', self.status === 'new')
          if (active.has('epoch bump')) state.log.epoch++
          self.status = 'active'
          self.epoch = state.log.epoch
          if (config.broken) throw new Error('the recipe is broken')
          step.emit({ kind: 'started', lane: `writer-${writer}` })
        }),
        action('Write', { writer: each }, (state: State, { writer }, step) => {
          const self = state.writer[writer]!
          step.when('it is active', self.status === 'active')
          const { epoch } = self
          if (active.has('epoch check')) step.when('the epoch is current', epoch === state.log.epoch)
          const known = state.log.records.some((record) => record.writer === writer)
          if (!known || !active.has('duplicate check')) state.log.records.push({ writer, epoch })
          const reply = step.choose('reply', self.repeats > 0 ? ['received', 'lost'] : ['received'])
          step.emit({
            kind: 'sent',
            lane: `writer-${writer}`,
            peer: 'log',
            message: 'Write',
            fields: { epoch },
          })
          step.emit({
            kind: reply === 'lost' ? 'lost' : 'delivered',
            lane: `writer-${writer}`,
            peer: 'log',
            message: 'Ack',
          })
          if (reply === 'lost') self.repeats--
          else self.status = 'done'
        }),
        action('Expire', {}, (state: State, _, step) => {
          step.when('time is up', state.log.epoch > 99)
          state.log.epoch = 0
        }),
      ],
      properties: [
        always(
          'epochs never fall',
          (state: State, claim) => {
            const epochs = state.log.records.map(({ epoch }) => epoch)
            claim.that(
              'in order',
              epochs.every((epoch, at) => at === 0 || epoch >= epochs[at - 1]!),
              { epochs },
            )
          },
          { summary: 'What an old writer writes is refused.', sources: ['KIP-98'] },
        ),
        always('epochs are unique', (state: State) => {
          const epochs = state.writer.map(({ epoch }) => epoch).filter((epoch) => epoch >= 0)
          return new Set(epochs).size === epochs.length
        }),
        always('written once', (state: State, claim) => {
          const authors = state.log.records.map(({ writer }) => writer)
          claim.that('no writer twice', new Set(authors).size === authors.length, { authors })
        }),
        reachable('somebody is done', (state: State) => state.writer.some(({ status }) => status === 'done')),
        ...(config.idle
          ? [
              always('nothing happens after expiry', (state: State, claim) => {
                claim.given('it has expired', state.log.epoch > 99)
                return false
              }),
            ]
          : []),
      ],
    }
  },
})

export const standIn = {
  model: writers,
  programs: { ...writers, name: 'programs' },
  scenarios: [
    {
      name: 'read-process-write',
      summary: 'Two writers, one lost reply each.',
      sources: ['KIP-98'],
      config: {},
      expected: { 'kafka-3.9': { 'written once': 'violated' } },
    },
    { name: 'quiet', summary: 'Two writers, nothing is lost.', sources: ['KIP-98'], config: { repeats: 0 } },
  ],
  presets: presetNames.map((name) => ({
    name,
    summary: `As ${name} does it.`,
    sources: ['KIP-98'],
    flags: {
      keepsDuplicatesOut: keepsDuplicatesOut({ preset: name }),
      remembers: name === 'kafka-4.4' ? 5 : 1,
    },
  })),
  profiles: [
    {
      name: 'patient',
      summary: 'Repeats often.',
      settings: { repeats: '3', idle: 'true' },
      sources: ['KIP-98'],
    },
  ],
  defences,
  parameters: [
    {
      name: 'preset',
      summary: 'Which version.',
      default: 'kafka-4.4',
      allowed: { oneOf: presetNames },
      sources: ['KIP-584', 'KIP-1022'],
    },
    {
      name: 'writers',
      summary: 'How many write.',
      default: 2,
      allowed: { from: 1, to: 3 },
      sources: ['KIP-98'],
    },
    {
      name: 'repeats',
      summary: 'How many replies each loses.',
      default: 1,
      allowed: { from: 0 },
      sources: [],
    },
    { name: 'options', summary: 'What else.', default: 'none', allowed: { keys: ['a', 'b'] }, sources: [] },
    { name: 'label', summary: 'What it is called.', default: 'x', sources: [] },
  ],
  claims: [
    {
      id: 'claim-W1',
      claim: 'a writer that repeats its write writes once',
      stands: 'holds within limits',
      sources: ['KIP-98'],
      cases: [
        {
          name: 'the log knows what it has',
          model: writers,
          config: {},
          expected: { 'written once': 'proved', 'somebody is done': 'witnessed' },
          shows: { 'somebody is done': ['Start(writer: 0)', 'Ack'] },
        },
        {
          name: 'it does not',
          model: writers,
          preset: 'kafka-3.9',
          config: {},
          expected: { 'written once': 'violated' },
          shows: { 'written once': ['reply: lost', 'Write', 'Write'] },
        },
      ],
    },
    {
      id: 'claim-W2',
      claim: 'epochs are unique',
      stands: 'refuted',
      sources: ['KIP-98'],
      cases: [
        {
          name: 'nothing raises them',
          model: writers,
          config: { repeats: 0 },
          without: ['epoch bump'],
          expected: { 'epochs are unique': 'violated' },
          shows: { 'epochs are unique': ['Start(writer: 0)', 'Start(writer: 1)'] },
        },
      ],
    },
  ],
} as unknown as Catalogue
