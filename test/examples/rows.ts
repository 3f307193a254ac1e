/** The examples with the counts that other checkers have published for them. */
import { type CheckOptions, check, type Model, type PropertyVerdict } from '../../checker/index.ts'
import { oracle } from '../../checker/oracle.ts'
import { alternatingBit } from '../../examples/alternating-bit.ts'
import { coffeeCan } from '../../examples/coffee-can.ts'
import { dieHard } from '../../examples/die-hard.ts'
import { diningPhilosophers } from '../../examples/dining-philosophers.ts'
import { peterson } from '../../examples/peterson.ts'
import { transactionCommit } from '../../examples/transaction-commit.ts'
import { twoPhaseCommit } from '../../examples/two-phase-commit.ts'

export interface Expected {
  readonly distinct: number
  readonly generated: number
  readonly depth: number
  /** What is said of each property, in the order in which they are declared. */
  readonly verdicts: Readonly<Record<string, PropertyVerdict>>
}

const row = <Config, State>(
  model: Model<Config, State>,
  config: Record<string, unknown>,
  expected: Expected,
  options: CheckOptions = {},
) => ({
  title: `${model.name} ${JSON.stringify(config)}`,
  expected,
  oracle: () => oracle(model, config, options),
  // As other checkers count: every state by itself.
  engine: () => check(model, config, { ...options, symmetry: false }),
})

const commits = {
  consistent: 'proved',
  'all committed': 'witnessed',
  'all aborted': 'witnessed',
} as const

const twoPhase = (managers: number, distinct: number, generated: number, depth: number) => {
  const verdicts = { ...commits, 'a decision is final': 'proved' } as const
  return row(twoPhaseCommit, { managers }, { distinct, generated, depth, verdicts })
}
const transaction = (managers: number, distinct: number, generated: number, depth: number) => {
  const verdicts = { ...commits, 'deadlock freedom': 'proved' } as const
  return row(transactionCommit, { managers }, { distinct, generated, depth, verdicts })
}

export const smallRows = [
  twoPhase(1, 12, 20, 5),
  twoPhase(2, 56, 154, 8),
  twoPhase(3, 288, 1_146, 11),
  twoPhase(4, 1_568, 8_258, 14),
  twoPhase(5, 8_832, 58_146, 17),
  transaction(1, 4, 5, 3),
  transaction(2, 12, 23, 5),
  transaction(3, 34, 94, 7),
  transaction(4, 96, 357, 9),
  transaction(5, 274, 1_296, 11),
  row(
    coffeeCan,
    { maximumBeans: 100 },
    {
      distinct: 5_150,
      generated: 20_002,
      depth: 1,
      verdicts: {
        'the number of white beans stays odd or even': 'proved',
        'a bean fewer each time': 'proved',
        'one white bean': 'witnessed',
        'deadlock freedom': 'proved',
      },
    },
  ),
  // Known for 16,160: the rules that Rumur fires, to which the initial state is added here.
  row(
    diningPhilosophers,
    { philosophers: 5 },
    {
      distinct: 3_216,
      generated: 16_160 + 1,
      depth: 31,
      verdicts: {
        'neighbours do not eat together': 'proved',
        'philosopher 0 eats': 'witnessed',
        'philosopher 1 eats': 'witnessed',
        'philosopher 2 eats': 'witnessed',
        'philosopher 3 eats': 'witnessed',
        'philosopher 4 eats': 'witnessed',
        'deadlock freedom': 'proved',
      },
    },
  ),
  // Known for 240 / 1,392 / 10, without the 188 cut states, of which level 11 consists.
  row(
    alternatingBit,
    { values: 2, lineLength: 2, fullLine: 'cuts' },
    {
      distinct: 240 + 188,
      generated: 1_392,
      depth: 11,
      verdicts: {
        'each value arrives once and in order': 'bounded',
        'an old copy is still under way': 'witnessed',
        'a value has arrived and the sender does not know': 'witnessed',
      },
    },
  ),
  row(
    alternatingBit,
    { values: 2, lineLength: 2, fullLine: 'refuses' },
    {
      distinct: 240,
      generated: 1_392 - 188,
      depth: 10,
      verdicts: {
        'each value arrives once and in order': 'proved',
        'an old copy is still under way': 'witnessed',
        'a value has arrived and the sender does not know': 'witnessed',
      },
    },
  ),
  row(
    peterson,
    {},
    {
      distinct: 42,
      generated: 77,
      depth: 11,
      verdicts: {
        'mutual exclusion': 'proved',
        'process 0 gets in': 'witnessed',
        'process 1 gets in': 'witnessed',
        'deadlock freedom': 'proved',
      },
    },
  ),
  row(
    dieHard,
    {},
    {
      distinct: 16,
      generated: 97,
      depth: 8,
      verdicts: { 'no jug overflows': 'proved', 'never four litres': 'violated' },
    },
    { continueAfterViolation: true },
  ),
]

/** Too large for the oracle to be run in every test. */
export const largeRows = [twoPhase(6, 50_816, 402_306, 20), twoPhase(7, 296_448, 2_744_706, 23)]
