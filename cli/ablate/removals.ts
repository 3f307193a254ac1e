/** Removes each defence alone, then together with those that cover it, and says what that proves. */
import type { CheckResult } from '../../checker/index.ts'
import { type Cell, cellsOf, fallen } from './cells.ts'
import type { Situation, Target } from './plan.ts'

/** `named`: with the rules that cover it by the catalogue. `all`: also every two removed in one situation. */
export const pairKinds = ['named', 'all'] as const
export type PairKind = (typeof pairKinds)[number]

/**
 * `covered`: nothing falls, and the rules that cover it are named rightly: without them, too, something falls
 * that holds while any of them is in place. `survives`: nothing falls, and nothing explains why.
 */
type Outcome = 'falls' | 'covered' | 'survives' | 'unsettled'

export interface Removal {
  readonly defencesOff: readonly string[]
  readonly situation: Situation
  readonly outcome: Outcome
  readonly cells: readonly Cell[]
  /** Of several defences: the properties that fall, and hold while any of these defences is in place. */
  readonly onlyTogether: readonly string[]
  /** Of one defence. */
  readonly coveredBy: readonly string[]
  readonly elsewhere?: string
  readonly result: CheckResult
}

/** Explores a situation without some defences. */
export type Explore = (situation: Situation, defencesOff: readonly string[]) => Promise<CheckResult>

interface Found {
  readonly result: CheckResult
  readonly cells: readonly Cell[]
}
type Remove = (situation: Situation, defencesOff: readonly string[]) => Promise<Found>

/** Each removal as soon as it is known: of single defences in order, each followed by its group. */
export async function* removals(
  targets: readonly Target[],
  pairs: PairKind | undefined,
  explore: Explore,
): AsyncGenerator<Removal> {
  const remove = remover(explore)
  const yielded = new Set<string>()
  const isNew = (situation: Situation, names: readonly string[]) => {
    const key = keyOf(situation, names)
    const known = yielded.has(key)
    yielded.add(key)
    return !known
  }
  for (const target of targets) {
    const { name, situation, coveredBy } = target
    const alone = await remove(situation, [name])
    const names = [name, ...coveredBy]
    const asked = pairs !== undefined || outcomeAlone(alone) === 'survives'
    const group = asked && coveredBy.length > 0 ? await removeGroup(situation, names, remove) : undefined
    yield removalOfOne(target, alone, group)
    if (group !== undefined && isNew(situation, names)) yield group
  }
  if (pairs !== 'all') return
  for (const [index, { name, situation }] of targets.entries()) {
    for (const other of targets.slice(index + 1)) {
      const names = [name, other.name]
      if (keyOf(situation, []) !== keyOf(other.situation, []) || !isNew(situation, names)) continue
      yield await removeGroup(situation, names, remove)
    }
  }
}

function removalOfOne(target: Target, alone: Found, group: Removal | undefined): Removal {
  const { name, situation, coveredBy, elsewhere } = target
  return {
    ...alone,
    defencesOff: [name],
    situation,
    outcome: outcomeOfOne(outcomeAlone(alone), group),
    onlyTogether: [],
    coveredBy,
    ...(elsewhere === undefined ? {} : { elsewhere }),
  }
}

/** A survivor is explained only if its group shows that it is needed. */
function outcomeOfOne(alone: Outcome, group: Removal | undefined): Outcome {
  if (alone !== 'survives' || group === undefined) return alone
  if (group.onlyTogether.length > 0) return 'covered'
  return group.outcome === 'unsettled' ? 'unsettled' : 'survives'
}

async function removeGroup(situation: Situation, names: readonly string[], remove: Remove): Promise<Removal> {
  const found = await remove(situation, names)
  const smaller: Found[] = []
  for (const kept of names) {
    const others = names.filter((name) => name !== kept)
    smaller.push(await remove(situation, others))
  }
  const holdsWithOneKept = (property: string) =>
    smaller.every(({ cells }) => cells.find((cell) => cell.property === property)?.effect === 'holds')
  const onlyTogether = fallen(found.cells)
    .map(({ property }) => property)
    .filter(holdsWithOneKept)
  const open = [found, ...smaller].some(({ cells }) => cells.some(({ effect }) => effect === 'unsettled'))
  return {
    ...found,
    defencesOff: names,
    situation,
    outcome: open && onlyTogether.length === 0 ? 'unsettled' : outcomeAlone(found),
    onlyTogether,
    coveredBy: [],
  }
}

function outcomeAlone({ cells }: Found): Outcome {
  if (fallen(cells).length > 0) return 'falls'
  return cells.some(({ effect }) => effect === 'unsettled') ? 'unsettled' : 'survives'
}

/** Explores nothing twice. */
function remover(explore: Explore): Remove {
  const results = new Map<string, Promise<CheckResult>>()
  const once: Explore = (situation, defencesOff) => {
    const key = keyOf(situation, defencesOff)
    const result = results.get(key) ?? explore(situation, defencesOff)
    results.set(key, result)
    return result
  }
  return async (situation, defencesOff) => {
    const intact = await once(situation, [])
    const result = await once(situation, defencesOff)
    return { result, cells: cellsOf(result, intact) }
  }
}

const keyOf = ({ scenario, preset }: Situation, names: readonly string[]) =>
  JSON.stringify([scenario, preset, ...[...names].sort()])
