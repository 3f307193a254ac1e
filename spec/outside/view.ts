/** What a diagram shows of a state of applications as programs: who is down, the topics, what was read and written. */
import type { LaneView, LogView, StateView } from '../../checker/view.ts'
import type { ProgramsConfig } from './config.ts'
import type { App } from './program.ts'
import { placedOf, type State, topicsOf } from './state.ts'

export const viewOf =
  (config: ProgramsConfig) =>
  (state: State): StateView => ({
    lanes: {
      ...Object.fromEntries(
        placedOf(config).map(({ name, app }) => [name, processView(state, name, usesTransactions(app))]),
      ),
      group: { facts: groupFacts(state) },
      database: { facts: state.database.rows.length === 0 ? {} : { rows: state.database.rows.length } },
      provider: {
        facts: state.provider.executed.length === 0 ? {} : { 'calls done': state.provider.executed.length },
      },
    },
    logs: topicsOf(config).map((topic) => logView(state, topic)),
  })

const usesTransactions = ({ onStart, loop }: App): boolean => [...onStart, ...loop].includes('begin')

function processView({ process }: State, name: string, isTransactional: boolean): LaneView {
  const one = process[name]
  if (one === undefined || one.status === 'not running') return { status: 'down', facts: {} }
  return { facts: isTransactional ? { transaction: one.inTransaction ? 'open' : 'none' } : {} }
}

const groupFacts = ({ group }: State): LaneView['facts'] => {
  const groups = Object.entries(group)
  const of = (name: string) => (groups.length === 1 ? '' : ` of ${name}`)
  return Object.fromEntries(groups.map(([name, { committed }]) => [`committed offset${of(name)}`, committed]))
}

function logView({ topic }: State, name: string): LogView {
  const entries = topic[name] ?? []
  const seen = (isSeen: (status: string) => boolean) =>
    entries.flatMap(({ status }, offset) => (isSeen(status) ? [offset] : []))
  const firstOpen = entries.findIndex(({ status }) => status === 'open')
  const stable = firstOpen < 0 ? entries.length : firstOpen
  return {
    lane: name,
    label: name,
    cells: entries.map(({ event, id, status, producer }, offset) => ({
      offset,
      kind: producer === '' ? 'plain' : status,
      lines: [`event ${event}`, id, ...(producer === '' ? [] : [producer])],
    })),
    bounds: { LSO: stable },
    readers: [
      { label: 'read_uncommitted', offsets: seen(() => true) },
      {
        label: 'read_committed',
        offsets: seen((status) => status === 'committed').filter((at) => at < stable),
      },
    ],
  }
}
