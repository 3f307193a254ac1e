/** Random traces that are hard on those who write them down: markup, quotes, control characters, messages of all fates. */
import fc from 'fast-check'
import type { StepEvent, Trace } from '../../../index.ts'
import { plain } from '../generators.ts'

/** Pieces that mean something in one of the formats. */
const pieces = [
  ...[
    '|',
    '`',
    '*',
    '_',
    '#',
    '<b>',
    '</svg>',
    '&amp;',
    '"',
    "'",
    '\\',
    '\\n',
    '\n',
    '\r',
    '\t',
    '\u0000',
    '\u001b[31m',
  ],
  ...[
    'end',
    'wrap:',
    'loop',
    ';',
    '->>',
    '{',
    '}',
    '[',
    ']',
    '(*',
    '*)',
    '\\*',
    '====',
    '----',
    '=1+1',
    '@x',
    '+',
    '-x',
  ],
  ...[
    '%%',
    '%%{init: {}}%%',
    '<!--',
    ']]>',
    ' ',
    '  ',
    'é',
    '\u202e',
    '😀',
    '\ud800',
    'http://a.b/c',
    '1.',
    '~~',
    '$x$',
    'N',
  ],
]
export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3, unit: 'binary' })), { maxLength: 5 })
  .map((parts) => parts.join(''))

const lane = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('app', 'broker', 'log') },
  { weight: 1, arbitrary: hostileText },
)

const event: fc.Arbitrary<StepEvent> = fc.record(
  {
    kind: fc.constantFrom(
      ...(['sent', 'delivered', 'sent', 'delivered', 'lost', 'delayed', 'appended', 'started'] as const),
      ...(['crashed', 'paused', 'resumed', 'note'] as const),
    ),
    lane,
    peer: lane,
    message: fc.oneof(fc.constantFrom('Produce', 'EndTxn'), hostileText),
    fields: fc.dictionary(fc.constantFrom('epoch', 'a b', '#'), plain, { maxKeys: 2, noNullPrototype: true }),
    late: fc.constant(true as const),
    text: hostileText,
  },
  { requiredKeys: ['kind', 'lane'], noNullPrototype: true },
)

const step = fc.record(
  {
    action: hostileText,
    args: fc.dictionary(fc.constantFrom('client', 'a b'), plain, { maxKeys: 2, noNullPrototype: true }),
    choices: fc.array(fc.record({ name: hostileText, value: plain }, { noNullPrototype: true }), {
      maxLength: 2,
    }),
    events: fc.array(event, { maxLength: 4 }),
    faults: fc.array(hostileText, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['action', 'args', 'choices', 'events'], noNullPrototype: true },
)

const state = fc.record({ a: plain, 'b c': plain, if: plain, IF: plain }, { noNullPrototype: true })

export const hostileTrace: fc.Arbitrary<Trace> = fc.array(step, { maxLength: 6 }).chain((steps) =>
  fc.record(
    {
      model: hostileText,
      config: plain,
      defencesOff: fc.array(hostileText, { maxLength: 2 }),
      states: fc.array(state, { minLength: steps.length + 1, maxLength: steps.length + 1 }),
      steps: fc.constant(steps),
      property: fc.record(
        {
          name: hostileText,
          kind: fc.constantFrom('always', 'reachable'),
          failed: fc.record(
            {
              part: hostileText,
              values: fc.dictionary(
                hostileText.filter((key) => key !== '__proto__'),
                plain,
              ),
            },
            { noNullPrototype: true },
          ),
        },
        { requiredKeys: ['name', 'kind'], noNullPrototype: true },
      ),
      loop: fc.nat({ max: steps.length }),
    },
    { requiredKeys: ['model', 'config', 'defencesOff', 'states', 'steps'], noNullPrototype: true },
  ),
)

/** A trace of messages alone, of few participants and names: so that they meet. */
const messageEvent: fc.Arbitrary<StepEvent> = fc
  .record(
    {
      kind: fc.constantFrom(
        ...(['sent', 'sent', 'delivered', 'delivered', 'lost', 'delayed', 'note'] as const),
      ),
      lane: fc.constantFrom('a', 'b', 'c'),
      peer: fc.constantFrom('a', 'b', 'c'),
      message: fc.constantFrom('M', 'N'),
      late: fc.constant(true as const),
    },
    { requiredKeys: ['kind', 'lane', 'peer', 'message'], noNullPrototype: true },
  )
  .filter(({ lane, peer }) => lane !== peer)

export const messageTrace: fc.Arbitrary<Trace> = fc
  .array(fc.array(messageEvent, { maxLength: 3 }), { maxLength: 12 })
  .map((steps) => ({
    model: 'm',
    config: {},
    defencesOff: [],
    states: [{}, ...steps.map(() => ({}))],
    steps: steps.map((events) => ({ action: 'A', args: {}, choices: [], events })),
  }))
