/** Why a schedule cannot go on: what its line means, what blocks that, and what would have been possible. */
import { labelOf } from '../../checker/instances.ts'
import type { NamedStep, Player, Values } from '../../checker/player.ts'
import { nearest } from '../../checker/suggest.ts'
import type { Trace, TraceStep } from '../../checker/trace.ts'
import { toldStep } from '../replay/rehearsal.ts'
import { mayMean } from './matching.ts'
import { Overheard } from './overheard.ts'
import { kindOf } from './pattern.ts'
import type { ScheduleLine } from './schedule.ts'
import { plainWords } from './words.ts'

export interface Stuck {
  /** The line that no step was found for. */
  readonly line: ScheduleLine
  /** The shortest behaviour that does all lines before it; absent if it is the first. */
  readonly before?: Trace
  /** What the line can mean, by label, with the guard that blocks it, if it is a guard. */
  readonly meant: readonly { readonly label: string; readonly guard?: string }[]
  /** What can happen at the end of `before`. */
  readonly possible: readonly TraceStep[]
  /** If the line means no step that was met: what steps are called that sound like it. */
  readonly similar: readonly string[]
}

/** How the model is searched for more names than a short search has met. */
export type Explore = (watch: Overheard) => Promise<unknown>

export async function stuckAt(
  line: ScheduleLine,
  before: Trace | undefined,
  player: Player,
  overheard: Overheard,
  explore: Explore,
): Promise<Stuck> {
  const values = before === undefined ? player.prepared.initial[0]! : player.valuesOf(before.states.at(-1)!)
  const possible = [...player.successors(values)].map(toldStep)
  const heard = overheard.meantBy(line).length > 0 ? overheard : await listen(line, overheard, explore)
  const named = instancesOf(line, player, heard)
  const meant = named.flatMap((step) => {
    const guard = line.afterGap ? overheard.nearestGuard(step) : blockingGuard(step, values, player)
    return [{ label: labelOf(step.action, step.args), ...(guard === undefined ? {} : { guard }) }]
  })
  const isKnown = heard.meantBy(line).length > 0 || line.pattern.kind === 'call'
  const similar = isKnown ? [] : mostSimilar(line, heard)
  return { line, ...(before === undefined ? {} : { before }), meant, possible, similar }
}

/** A short search for what the line could mean if no line had to come before it. */
async function listen(line: ScheduleLine, overheard: Overheard, explore: Explore): Promise<Overheard> {
  const more = new Overheard([line], overheard)
  await explore(more)
  return more
}

type Named = Pick<NamedStep, 'action' | 'args'>

function instancesOf(line: ScheduleLine, player: Player, heard: Overheard): readonly Named[] {
  const { pattern } = line
  if (pattern.kind === 'words') return heard.meantBy(line)
  return player.prepared.instances
    .map(({ action, args }) => ({ action: action.name, args }))
    .filter((step) => mayMean(pattern, step))
}

/** The guard that is reached last of all choices that there are. */
function blockingGuard(step: Named, values: Values, player: Player): string | undefined {
  const instance = player.instanceOf({ ...step, choices: [] })
  if (instance === undefined) return undefined
  const runs = [...player.runs(values, instance)]
  return runs.some((run) => run.blockedBy === undefined) ? undefined : runs.at(-1)?.blockedBy
}

const similarMax = 3

/** Those that have most of the words, or words like them; to share the participants alone is no likeness. */
function mostSimilar({ text, pattern }: ScheduleLine, { titles, participants }: Overheard): string[] {
  const words = pattern.kind === 'words' ? pattern.words : []
  const told = words.filter((word) => kindOf(word) === undefined && !participants.has(word))
  const wanted = told.flatMap((word) => plainWords(word).split(' '))
  const all = plainWords(text).split(' ')
  return titles
    .map((title) => {
      const has = plainWords(title).split(' ')
      const near = wanted.filter((word) => /\p{L}/u.test(word) && nearest(word, has) !== undefined)
      return { title, near: near.length, shared: all.filter((word) => has.includes(word)).length }
    })
    .filter(({ near }) => near > 0)
    .toSorted((one, other) => {
      return other.near - one.near || other.shared - one.shared || one.title.length - other.title.length
    })
    .slice(0, similarMax)
    .map(({ title }) => title)
}
