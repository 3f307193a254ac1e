/** Counts coverage the slow way: whole states as text, every recipe run in every state. */
import type { ActionCoverage, GuardCoverage, Model, Plain, Step } from '../../checker/index.ts'
import type { RandomState } from './random-model.ts'

interface Counted {
  readonly actions: Omit<ActionCoverage, 'recipeRuns'>[]
  readonly guards: GuardCoverage[]
  /** Different values of each component of random models. */
  readonly values: number[]
}

const disabled = new Error('disabled')

export function naiveCoverage(model: Model<Record<string, never>, RandomState>, maxDepth: number): Counted {
  const body = model.build({}, { defences: { has: () => true } })
  const actions = body.actions.map(({ name }) => ({ name, tried: 0, fired: 0, newStates: 0 }))
  const guards = new Map<string, { action: string; guard: string; passed: number; blocked: number }>()
  const known = new Set<string>()
  let level: RandomState[] = []
  const find = (state: RandomState): boolean => {
    const key = keyOf(state)
    if (known.has(key)) return false
    known.add(key)
    next.push(JSON.parse(key))
    return true
  }
  let next: RandomState[] = []
  for (const state of body.initialStates!) find(state)

  const expand = (state: RandomState) => {
    body.actions.forEach((action, index) => {
      const counts = actions[index]!
      const values = action.parameters.argument ?? [undefined]
      for (const argument of values) {
        counts.tried++
        const path: { taken: number; count: number }[] = []
        do {
          let choices = 0
          const forced = path.length
          const count = (guard: string, condition: boolean) => {
            // What comes before the last forced choice was counted by an earlier run.
            if (choices < forced) return
            const key = `${action.name} ${guard}`
            const row = guards.get(key) ?? { action: action.name, guard, passed: 0, blocked: 0 }
            row[condition ? 'passed' : 'blocked']++
            guards.set(key, row)
          }
          const step: Step = {
            when(guard, condition) {
              count(guard, condition)
              if (!condition) throw disabled
            },
            choose(name, options) {
              if (options.length === 0) {
                count(name, false)
                throw disabled
              }
              if (choices === path.length) path.push({ taken: 0, count: options.length })
              return options[path[choices++]!.taken]!
            },
            emit: () => {},
            fault: () => {},
          }
          const after: RandomState = structuredClone(state)
          try {
            action.recipe(after, { argument } as unknown as Record<string, never>, step)
            counts.fired++
            if (find(after)) counts.newStates++
          } catch (error) {
            if (error !== disabled) throw error
          }
          while (path.length > 0 && ++path.at(-1)!.taken === path.at(-1)!.count) path.pop()
        } while (path.length > 0)
      }
    })
  }
  for (let depth = 1; depth < maxDepth && next.length > 0; depth++) {
    level = next
    next = []
    for (const state of level) if (body.constraint?.(state) ?? true) expand(state)
  }
  return { actions, guards: [...guards.values()], values: valuesOf([...known]) }
}

function valuesOf(states: readonly string[]): number[] {
  const parts = (text: string): unknown[] => {
    const { cells, box, whole }: RandomState = JSON.parse(text)
    return [...cells, box.inner.left, box.record, box.log, whole]
  }
  const rows = states.map(parts)
  return rows[0]!.map((_, component) => new Set(rows.map((row) => JSON.stringify(row[component]))).size)
}

function keyOf(state: RandomState): string {
  return JSON.stringify(state, (_, value: Plain) =>
    value === null || typeof value !== 'object' || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1))),
  )
}
