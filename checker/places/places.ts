/**
 * Places: the smallest parts of a state that can be read and written by themselves. Each value in a state has one, named
 * by its path, and each container has a second one for which keys it has, or how long it is.
 *
 * The place of a container says only that there is one, and of which kind; what is in it has places of its own. A value
 * that is not there has a place as well: to look for it is to read it.
 */
import type { Plain } from '../model.ts'
import type { Shape, ShapeNode } from '../shape.ts'

/** Not readable by people: keys may contain anything. */
export type Place = string

export const rootPlace: Place = ''
/** The place of what a container has under a key. */
export const placeIn = (container: Place, key: string): Place =>
  `${container}/${key.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('#', '~2')}`
/** The place of a container's keys, or its length. */
export const keysOf = (container: Place): Place => `${container}#`

type Container = Plain[] | { [key: string]: Plain }

const isContainer = (value: Plain | undefined): value is Container =>
  typeof value === 'object' && value !== null
const get = (container: Container | undefined, key: string): Plain | undefined =>
  container !== undefined && Object.hasOwn(container, key)
    ? (container as Record<string, Plain>)[key]
    : undefined

/** The places whose values differ between two states. */
export function changedPlaces(before: Plain, after: Plain): Set<Place> {
  const changed = new Set<Place>()
  collect(before, after, rootPlace, changed)
  return changed
}

function collect(before: Plain | undefined, after: Plain | undefined, at: Place, changed: Set<Place>): void {
  if (before === after) return
  const [old, now] = [isContainer(before) ? before : undefined, isContainer(after) ? after : undefined]
  const sameKind = old !== undefined && now !== undefined && Array.isArray(old) === Array.isArray(now)
  if (!sameKind) changed.add(at)
  if (old === undefined && now === undefined) return
  const [oldKeys, nowKeys] = [Object.keys(old ?? {}), Object.keys(now ?? {})]
  const sameKeys = oldKeys.length === nowKeys.length && oldKeys.every((key) => get(now, key) !== undefined)
  if (!sameKind || !sameKeys) changed.add(keysOf(at))
  for (const key of new Set([...oldKeys, ...nowKeys])) {
    collect(get(old, key), get(now, key), placeIn(at, key), changed)
  }
}

/** All places in a value, those of the containers around it left out. */
export function placesIn(value: Plain, at: Place, places: Set<Place>): void {
  places.add(at)
  if (!isContainer(value)) return
  places.add(keysOf(at))
  for (const [key, item] of Object.entries(value)) placesIn(item, placeIn(at, key), places)
}

/** The place of each component of a model. */
export function componentPlaces({ root, components }: Shape): Place[] {
  const places: Place[] = new Array(components.length)
  const visit = (node: ShapeNode, at: Place): void => {
    if (node.kind === 'component') places[node.index] = at
    else for (const [key, child] of node.children) visit(child, placeIn(at, key))
  }
  visit(root, rootPlace)
  return places
}
