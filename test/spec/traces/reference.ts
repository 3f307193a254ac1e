/** Tables of behaviours: what each version shows at the end of the same steps. */
import { type PresetName, presetFlags } from '../../../spec/presets.ts'
import { presets } from '../protocol/rules.ts'
import type { Behaviour, NamedStep } from './behaviour.ts'
import { offsets, output } from './steps.ts'

/**
 * transaction.version 1, and 2 as it was first (a fence raises the epoch twice) and as it is since KAFKA-19367: what the
 * versions of one column have in common.
 */
export type Column = 'version 1' | 'early version 2' | 'version 2'

export function columnOf(preset: PresetName): Column {
  const { clientVersion, fenceBump } = presetFlags[preset]
  if (clientVersion === 1) return 'version 1'
  return fenceBump === 'double' ? 'early version 2' : 'version 2'
}

/** What can be seen of a behaviour, each in the notation of `Behaviour`. */
const views = {
  coordinator: (run: Behaviour) => run.coordinator,
  record: (run: Behaviour) => run.record,
  reply: (run: Behaviour) => run.reply(),
  replyTo1: (run: Behaviour) => run.reply({ client: 1 }),
  answerOfOutput: (run: Behaviour) => run.reply({ partition: output }),
  answerOfOffsets: (run: Behaviour) => run.reply({ partition: offsets }),
  output: (run: Behaviour) => run.leader(output),
  offsets: (run: Behaviour) => run.leader(offsets),
  log: (run: Behaviour) => run.log(output).join(' '),
  offsetsLog: (run: Behaviour) => run.log(offsets).join(' '),
  client: (run: Behaviour) => run.client(),
  client1: (run: Behaviour) => run.client(1),
  /** Whether the client raises its epoch after the abort. */
  raises: (run: Behaviour) => `${run.state.instance[0]!.epochBumpRequired}`,
  nextSequence: (run: Behaviour) => run.state.instance[0]!.nextSequence.join(),
  position1: (run: Behaviour) => `${run.state.instance[1]!.position}`,
  group: (run: Behaviour) => run.group,
}
type View = keyof typeof views

/** A step that cannot be taken, and the guard that blocks it. */
interface Blocked {
  readonly step: NamedStep
  readonly by: string
}
export type Seen = { readonly [Name in View]?: string } & { readonly blocked?: Blocked }

export interface Row {
  readonly title: string
  readonly play: (preset: PresetName) => Behaviour
  /** What the versions show: of a column, or of one version where it differs from its column. */
  readonly seen: { readonly [Name in Column | PresetName]?: Seen }
}

/** A row in one version. */
export interface Case {
  readonly preset: PresetName
  readonly play: Row['play']
  readonly expected: Seen
}

/** One case, after its name, for each row and each version that the row speaks of. */
export const casesOf = (rows: readonly Row[]): [name: string, one: Case][] =>
  rows.flatMap(({ title, play, seen }) =>
    presets.flatMap((preset): [string, Case][] => {
      const expected = seen[preset] ?? seen[columnOf(preset)]
      return expected === undefined ? [] : [[`${preset}: ${title}`, { preset, play, expected }]]
    }),
  )

/** What is seen of all that is expected. */
export function seenOf({ preset, play, expected }: Case): Record<string, unknown> {
  const run = play(preset)
  const { blocked, ...told } = expected
  const names = Object.keys(told) as View[]
  return {
    ...Object.fromEntries(names.map((name) => [name, views[name](run)])),
    ...(blocked === undefined ? {} : { blocked: { ...blocked, by: run.blockedBy(blocked.step) } }),
  }
}
