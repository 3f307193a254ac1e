/** What may be asked of applications as programs. None of it is promised: it depends on the programs and the faults. */
import { always, eventually, type Property, reachable, transition } from '../../checker/model.ts'
import { nextOffset, waitsForTransaction } from './kafka.ts'
import type { Entry, State } from './state.ts'
import type { World } from './turn.ts'

export const everyInput = 'every event has its effect in the end'
export const noneTwice = 'no event has its effect twice'
export const together = 'output and offset agree when no transaction is open'
export const inOrder = 'effects of a key are in the order of its events'
export const sameResult = 'all outputs of an event are alike'
export const nothingAborted = 'outputs are made of what was not aborted'
export const processedTwice = 'an event is processed twice'
export const poisonStays = 'a record that cannot be processed has no output, and its offset stays'
export const effectStays = 'an effect is there whose transaction was aborted'
export const progressLast = 'progress is visible only with the output'
export const storeOnce = 'the store counts what was committed, each event once'
export const newestStays = 'an older value never replaces a newer one'
export const readerWaits = 'a reader waits for an open transaction'
export const keyOnce = 'no key has two rows'
export const allOrNothing = 'row and output agree when no transaction is open'

/** @param fair the names of the actions that are not put off for ever */
export function questionsOf(world: World, fair: readonly string[]): Property<State>[] {
  const { config } = world
  const events = [...new Set(config.inputs.map(({ event }) => event))]
  const effects = (state: State): number[] => effectsIn(state, config.effects)
  const isSettled = ({ producer }: State) => Object.values(producer).every(({ isOpen }) => !isOpen)
  return [
    eventually(everyInput, (state: State) => events.every((event) => effects(state).includes(event)), {
      summary:
        'Nothing is lost, and nothing is put off for ever: in every fair behaviour all effects are there.',
      fairness: { weak: fair },
    }),
    always(noneTwice, (state: State, claim) => {
      const all = effects(state)
      const repeated = all.find((event, index) => all.indexOf(event) < index) ?? 'none'
      claim.that('each event has one effect', repeated === 'none', { repeated })
    }),
    always(together, (state: State, claim) => {
      claim.given('no transaction is open', isSettled(state))
      for (const app of config.apps) {
        if (app.reads === undefined) continue
        const committed = state.group[app.name]?.committed ?? 0
        const made = sentBy(app.name, world).flatMap((topic) => committedIn(state, topic))
        state.topic[app.reads]?.forEach(({ event }, offset) => {
          const outputs = made.filter((one) => one.event === event).length
          const values = { app: app.name, offset, committed, outputs }
          claim.that(
            'a record has an output just if its offset is committed',
            outputs === (offset < committed ? 1 : 0),
            values,
          )
        })
      }
    }),
    always(inOrder, (state: State, claim) => {
      const keyOf = (event: number) => config.inputs.find((one) => one.event === event)?.key
      const firsts = [...new Set(effects(state))]
      firsts.forEach((event, index) => {
        const later =
          firsts.slice(0, index).find((one) => one > event && keyOf(one) === keyOf(event)) ?? 'none'
        claim.that('no later event of the key came first', later === 'none', { event, later })
      })
    }),
    always(sameResult, (state: State, claim) => {
      for (const event of events) {
        const results = new Set(
          committedIn(state, config.effects).flatMap((entry) => (entry.event === event ? [entry.value] : [])),
        )
        claim.that('there is one result', results.size <= 1, { event, results: [...results] })
      }
    }),
    always(nothingAborted, (state: State, claim) => {
      for (const app of config.apps) {
        const source = state.topic[app.reads ?? ''] ?? []
        const made = sentBy(app.name, world).flatMap((topic) => committedIn(state, topic))
        for (const { event } of made) {
          const isThere = source.some((entry) => entry.event === event && entry.status !== 'aborted')
          claim.that('its source was not aborted', isThere, { app: app.name, event })
        }
      }
    }),
    reachable(processedTwice, ({ ghost }: State) => ghost.processed.some((times) => times > 1)),
    always(poisonStays, (state: State, claim) => {
      const { inputs } = config
      const group = state.group[config.apps[0]?.name ?? '']
      const offset = inputs.findIndex(({ poison }) => poison)
      const output = effects(state).includes(inputs[offset]?.event ?? -1)
      claim.that('it has no output', !output)
      claim.that('its offset is not committed', (group?.committed ?? 0) <= offset, { offset })
    }),
    reachable(effectStays, (state: State) => {
      const { topic, process, group } = state
      const isIdle = Object.values(process).every(({ inTransaction }) => !inTransaction)
      const published = (event: number) =>
        Object.values(topic).some((entries) =>
          entries.some((one) => one.event === event && one.producer !== ''),
        )
      const moved = Object.values(group).some(({ committed }) => committed > 0)
      return isSettled(state) && isIdle && !moved && effects(state).some((event) => !published(event))
    }),
    always(progressLast, (state: State, claim) => {
      const outputs = committedIn(state, config.effects).length
      const progress = committedIn(state, 'progress').length
      claim.that('there is no more progress than output', progress <= outputs, { progress, outputs })
    }),
    always(storeOnce, (state: State, claim) => {
      for (const { status, routine, at, work, store } of Object.values(state.process)) {
        const isBetween = status === 'running' && routine === 'loop' && at === 0
        claim.given('a process is between two records', isBetween && work !== null)
        if (!isBetween) continue
        const committed = committedIn(state, 'changelog').map(({ event }) => event)
        const values = { store, committed }
        claim.that('it counts what the changelog has', store.join() === committed.join(), values)
      }
    }),
    transition(newestStays, (before: State, after: State, claim) => {
      for (const { key, event } of before.database.rows) {
        const now = after.database.rows.find((row) => row.key === key)?.event ?? event
        claim.that('the row is not older than before', now >= event, { key, before: event, after: now })
      }
    }),
    reachable(readerWaits, ({ process, topic }: State) =>
      world.placed.some(({ name, app }) => {
        const entries = topic[app.reads ?? '']
        return entries !== undefined && waitsForTransaction(entries, process[name]?.position ?? 0)
      }),
    ),
    always(keyOnce, ({ database: { rows } }: State, claim) => {
      const repeated = rows.find(({ key }, index) => rows.some((row, at) => at < index && row.key === key))
      claim.that('each key has one row', repeated === undefined, { key: repeated?.key ?? 'none' })
    }),
    always(allOrNothing, (state: State, claim) => {
      claim.given('no transaction is open', isSettled(state))
      for (const event of events) {
        const rows = state.database.rows.filter((row) => row.event === event).length
        const outputs = committedIn(state, 'output').filter((one) => one.event === event).length
        claim.that('there is one of each or none', rows === outputs && rows <= 1, { event, rows, outputs })
      }
    }),
  ]
}

const committedIn = ({ topic }: State, name: string): Entry[] => {
  const entries = topic[name] ?? []
  return entries.filter(
    ({ status }, offset) => status === 'committed' && nextOffset(entries, offset, true) === offset,
  )
}

function effectsIn(state: State, of: string): number[] {
  if (of === 'rows') return state.database.rows.map(({ event }) => event)
  if (of === 'calls') return state.provider.executed.map(({ event }) => event)
  return committedIn(state, of).map(({ event }) => event)
}

/** The topics to which an application sends. */
const sentBy = (name: string, { config: { apps } }: World): string[] =>
  apps.flatMap(({ name: other, loop, onError = [] }) =>
    other === name
      ? [
          ...new Set(
            [...loop, ...onError].flatMap((step) =>
              typeof step === 'object' && 'send' in step ? [step.send] : [],
            ),
          ),
        ]
      : [],
  )
