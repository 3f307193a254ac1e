/** What is said of a commit without an answer: what an application makes of it, by version of the protocol. */

import type { PropertyVerdict } from '../../../checker/result.ts'
import { atomic } from '../../guarantees.ts'
import { kafka } from '../../model.ts'
import { everyInput, noneTwice, together } from '../../outside/questions.ts'
import { type PresetName, presetFlags, presetNames } from '../../presets.ts'
import { anyModel, type Claim, type ClaimCase } from '../claim.ts'
import { programCase, readProcessWrite, twoEvents } from '../program-case.ts'

const model = anyModel(kafka)
/** Asked of the Kafka model. */
const lost = 'no input is lost'
const twice = 'no output is there twice'

type Shows = Readonly<Record<string, readonly string[]>>

interface Policy {
  readonly name: string
  readonly inputs: number
  readonly asks?: readonly string[]
  /** What it breaks, and what the trace shows of that. */
  readonly breaks: (preset: PresetName) => Shows
  readonly because?: string
}

const nothing = () => ({})
const assumed = (outcome: string, ...then: string[]) => [`takes the transaction for ${outcome}`, ...then]

/** What the first commit does to the transaction after the one that it was sent for. */
const lateCommit = ['TimeOutCall', 'result=abort', 'PrepareAbort', 'late, sent by session 1', 'PrepareCommit']
const epochStays = (preset: PresetName) => presetFlags[preset].clientVersion === 1

const policies: readonly Policy[] = [
  {
    name: 'commit again',
    inputs: 1,
    breaks: nothing,
    because: 'the second call waits for the same request',
  },
  {
    name: 'abort',
    inputs: 1,
    breaks: nothing,
    because: 'the client refuses to abort while a commit is pending: there is nothing left but to close it',
  },
  {
    name: 'abort by force',
    inputs: 1,
    asks: [atomic],
    breaks: (preset): Shows => (epochStays(preset) ? { [atomic]: lateCommit } : {}),
  },
  { name: 'new producer, offsets read again', inputs: 1, breaks: nothing },
  {
    name: 'new producer, assume committed',
    inputs: 2,
    breaks: () => ({
      [lost]: assumed('committed', 'PrepareAbort', 'goes on with input 1', 'marker commit'),
      [atomic]: assumed('committed', 'PrepareAbort', 'goes on with input 1', 'marker commit'),
    }),
  },
  {
    name: 'new producer, assume aborted',
    inputs: 1,
    breaks: () => ({
      [twice]: assumed('aborted', 'PrepareCommit', 'goes on with input 0', 'marker commit'),
      [atomic]: assumed('aborted', 'PrepareCommit', 'goes on with input 0', 'marker commit'),
    }),
  },
]

/** What comes of an input, in a word. */
function outcomeOf(broken: readonly string[]): string {
  if (broken.length === 0) return 'once'
  if (broken.includes(lost) || broken.includes(everyInput)) return 'lost'
  return broken.includes(twice) || broken.includes(noneTwice) ? 'twice' : 'output and offset apart'
}

function inProtocol({ name, inputs, asks = [lost, twice, atomic], breaks, because }: Policy): ClaimCase[] {
  return presetNames.map((preset) => {
    const shows = breaks(preset)
    const verdict = (property: string): PropertyVerdict => (property in shows ? 'violated' : 'proved')
    return {
      name: `${name}, ${preset}`,
      cell: { row: name, column: preset, text: outcomeOf(Object.keys(shows)) },
      model,
      preset,
      config: {
        instances: 1,
        inputs,
        outputPartitions: 1,
        callTimeouts: 1,
        restarts: 1,
        onCommitTimeout: name,
      },
      expected: Object.fromEntries(asks.map((property) => [property, verdict(property)])),
      ...(Object.keys(shows).length > 0 ? { shows } : {}),
      ...(because === undefined || preset !== 'kafka-4.4' ? {} : { because }),
    }
  })
}

/** The same as programs. */
const programs = [
  { name: 'commit again', onError: ['commit'], fails: undefined },
  { name: 'abort and rewind', onError: ['abort', 'seek to committed offset'], fails: undefined },
  {
    name: 'new producer, offsets read again',
    onError: ['initialise', 'seek to committed offset'],
    fails: undefined,
  },
  { name: 'new producer, assume committed', onError: ['initialise'], fails: everyInput },
  { name: 'new producer, assume aborted', onError: ['initialise', 'seek back'], fails: noneTwice },
] as const

const skipped = ['commit (delayed', 'the open transaction is aborted']
const repeated = ['committed (lost)', 'its own last record', 'output  send']

const asProgram = ({ name, onError, fails }: (typeof programs)[number]): ClaimCase =>
  programCase({
    name,
    cell: { row: name, column: 'as a program', text: outcomeOf(fails === undefined ? [] : [fails]) },
    config: { apps: [{ ...readProcessWrite, onError }], inputs: twoEvents, commitTimeouts: 1 },
    expected: {
      [everyInput]: fails === everyInput ? 'violated' : 'proved',
      [noneTwice]: fails === noneTwice ? 'violated' : 'proved',
      [together]: fails === undefined ? 'proved' : 'violated',
    },
    ...(fails === everyInput
      ? { shows: { [everyInput]: skipped, [together]: [...skipped, 'record event=1', 'commit'] } }
      : fails === noneTwice
        ? { shows: { [noneTwice]: repeated, [together]: repeated } }
        : {}),
  })

export const commitTimeoutClaims: readonly Claim[] = [
  {
    id: 'claim-P8',
    claim:
      'when a commit times out it is safe to commit again, to abort and rewind, or to take a new producer and read the offsets again; to assume that it was committed loses, to assume that it was aborted repeats',
    stands: 'holds within limits',
    sources: ['KafkaProducer.commitTransaction', 'max.block.ms', 'TransactionManager.throwIfPendingState'],
    table: { rows: 'when the commit timed out', columns: 'version', cells: 'what comes of an input' },
    cases: [...programs.map(asProgram), ...policies.flatMap(inProtocol)],
  },
]
