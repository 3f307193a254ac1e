/** Which steps of a behaviour its end depends on. */
import { changedPlaces, type Place } from '../../checker/places/places.ts'
import { readsOfStep } from '../../checker/places/reads.ts'
import type { Path, Rehearsal, Taken } from '../replay/rehearsal.ts'

export interface SliceStep {
  readonly number: number
  /** Numbers of the steps of the slice that read what it wrote. */
  readonly usedBy: readonly number[]
  /** Whether the property reads what it wrote. */
  readonly decides: boolean
}

export interface Slice {
  /** These alone, in this order, show the same. */
  readonly steps: readonly SliceStep[]
  /** The behaviour that they make. */
  readonly path: Path
}

/** What reads a place; 0 is the property. */
type Readers = Map<Place, Set<number>>

/**
 * Goes backwards from what the property read: a step belongs to the slice if it changed a place that a later step of
 * the slice, or the property, read since. So each step of the slice finds, without the others, all that it read as it was.
 *
 * What is read is more than what matters: a budget that is counted down makes every fault depend on the one before. So
 * each step is then left out on trial, the last one first, and stays out if the rest goes on exactly as before.
 */
export function sliceOf(rehearsal: Rehearsal, whole: Path): Slice {
  for (let path = whole; ; ) {
    const cone = coneOf(rehearsal, path)
    const inCone = path.taken.filter(({ number }) => cone.has(number))
    const smaller = leaveOutOnTrial(rehearsal, taking(rehearsal, inCone))
    if (smaller.taken.length === path.taken.length) return { steps: sliceSteps(path, cone), path }
    path = smaller
  }
}

const sliceSteps = ({ taken }: Path, cone: ReadonlyMap<number, ReadonlySet<number>>): SliceStep[] =>
  taken.map(({ number }) => {
    const readers = [...(cone.get(number) ?? [])]
    const usedBy = readers.filter((reader) => reader > 0).sort((one, other) => one - other)
    return { number, usedBy, decides: readers.includes(0) }
  })

/** By number of a step that the end depends on: what depends on it. */
function coneOf({ player, goal, initial }: Rehearsal, { taken }: Path): Map<number, Set<number>> {
  const needed: Readers = new Map()
  const cone = new Map<number, Set<number>>()
  const last = taken.at(-1)
  const need = (places: Iterable<Place>, reader: number) => {
    for (const place of places) needed.set(place, (needed.get(place) ?? new Set()).add(reader))
  }
  const moment =
    last === undefined ? { values: initial } : { values: last.next, reached: { from: last.before, by: last } }
  const { before, now } = goal.readsAt(moment)
  need(now, 0)
  for (const step of taken.toReversed()) {
    const [from, to] = [player.stateOf(step.before), player.stateOf(step.next)]
    const readers = new Set<number>()
    for (const place of changedPlaces(from, to)) {
      for (const reader of needed.get(place) ?? []) readers.add(reader)
      needed.delete(place)
    }
    // A property of steps is about the last step whatever it changed, and about the state before it.
    const isJudged = step === last && goal.kind === 'transition'
    if (isJudged) readers.add(0)
    if (readers.size > 0) {
      cone.set(step.number, readers)
      need(readsOfStep(player, from, step, to), step.number)
    }
    if (isJudged) need(before, 0)
  }
  return cone
}

function taking(rehearsal: Rehearsal, steps: readonly Taken[]): Path {
  const { taken, shown } = rehearsal.takeAll(steps)
  if (shown === undefined) throw new Error('the steps that the violation depends on do not lead to it')
  return { taken, shown }
}

function leaveOutOnTrial(rehearsal: Rehearsal, whole: Path): Path {
  let path = whole
  for (let index = path.taken.length - 1; index >= 0; index--) {
    const others = path.taken.toSpliced(index, 1)
    const { taken, shown, refused } = rehearsal.takeAll(others)
    if (refused !== undefined || shown === undefined || taken.length < others.length) continue
    path = { taken, shown }
  }
  return path
}
