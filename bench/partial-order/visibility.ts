/** Which steps a property can see: those that have ever changed a field that it has ever read. */
import { PropertyMemo } from '../../checker/interning/property-memo.ts'
import type { SafetyProperty } from '../../checker/model.ts'
import { type Judge, judgesOf } from '../../checker/property-run.ts'
import { addAll, BitRows } from './bits.ts'
import { changedFields, changesOf } from './changes.ts'
import { FieldView } from './field-view.ts'
import type { FullGraph } from './full-graph.ts'

/**
 * By property, the fields that it reads in some state, or before or after some step. A property that is violated is
 * judged further all the same. Deadlock freedom reads none: a reduced search finds every end.
 */
export function fieldsRead(graph: FullGraph): Map<string, Set<string>> {
  const { prepared } = graph
  return new Map(prepared.properties.map((property) => [property.name, fieldsReadBy(graph, property)]))
}

function fieldsReadBy(graph: FullGraph, property: SafetyProperty<unknown>): Set<string> {
  const { prepared, space, states, ids } = graph
  const fields = new Set<string>()
  const views = [0, 1].map(() => new FieldView(prepared.shape, (field) => fields.add(field)))
  const memos = judgesOf(property).map(
    (judge) => new PropertyMemo(noting(judge, views[0]!, views[1]!), space.judgements),
  )
  for (let state = 0; state < states; state++) {
    if (property.kind === 'transition') judgeSteps(graph, state, memos[0]!)
    else for (const memo of memos) memo.evaluate(ids(state))
  }
  return fields
}

/** The same judge, whose views note what it looks at. */
const noting = (judge: Judge, before: FieldView, after: FieldView): Judge => ({
  ...judge,
  evaluate: (source, target, claim, taken) => {
    before.open(source)
    after.open(target)
    return judge.evaluate(before.state, after.state, claim, taken)
  },
})

function judgeSteps(graph: FullGraph, state: number, memo: PropertyMemo): void {
  const { firsts, targets, steps, takens, ids, space } = graph
  const both = new Int32Array(2 * space.components.count)
  both.set(ids(state))
  for (let edge = firsts[state]!; edge < firsts[state + 1]!; edge++) {
    const step = steps[edge]!
    both.set(ids(targets[edge]!), space.components.count)
    memo.evaluate(both, step, takens[step]!)
  }
}

/** The steps that have ever changed one of these fields. */
export function visibleSteps(graph: FullGraph, fields: ReadonlySet<string>): Int32Array {
  const { takens, prepared, space } = graph
  const visible = new BitRows(1, takens.length).row(0)
  for (const [component, path] of prepared.shape.components.entries()) {
    const table = space.components.tables[component]!
    for (const { from, to, steps } of changesOf(graph, component)) {
      const changed = changedFields(table.value(from), table.value(to), path)
      if (changed.some((field) => fields.has(field))) addAll(visible, steps)
    }
  }
  return visible
}
