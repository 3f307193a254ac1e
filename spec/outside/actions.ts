/** What can happen: processes start and run, things that are under way arrive, and faults. */
import { type Action, action } from '../../checker/model.ts'
import { type FaultName, faultNames } from './config.ts'
import { abortTransaction, commitTransaction } from './kafka.ts'
import { stepText } from './program.ts'
import { goneClaimer, nextStep, run, stop } from './run.ts'
import type { Placed, Process, Producer, State } from './state.ts'
import { execute, outcomeText } from './steps/provider.ts'
import { take, type World } from './turn.ts'

/** None of these is put off for ever; everything else is a fault, and need not happen. */
export const fairActions = [
  'Run',
  'Start',
  'AbortOrphan',
  'CommitArrives',
  'CallArrives',
  'EndClaimOfTheDead',
]

const isRunning = (state: State, name: string) => state.process[name]?.status === 'running'

export function actionsOf(world: World): Action<State>[] {
  const mayGoWrong = faultNames.some((name) => world.config[name] > 0)
  return [
    ...processActions(world),
    ...transactionActions(world),
    ...otherActions(world),
    ...(mayGoWrong ? [rest(world)] : []),
  ]
}

/** As long as a fault may happen, nothing may happen as well: a behaviour goes on as long as it can, and no fault has to be. */
const rest = ({ placed: [first] }: World): Action<State> =>
  action('Rest', {}, (state: State, _, step) => {
    const mayGoWrong = faultNames.some((name) => state.budget[name] > 0)
    step.when('a fault is left', mayGoWrong)
    step.emit({ kind: 'note', lane: first?.name ?? '', text: 'nothing happens' })
  })

function start(state: State, { name, app }: Placed) {
  const process = state.process[name] as Process
  process.status = 'running'
  process.routine = app.onStart.length > 0 ? 'onStart' : 'loop'
  const group = state.group[app.name]
  if (group !== undefined && app.reads !== undefined) group.owner = name
}

function processActions(world: World): Action<State>[] {
  const { config, placed } = world
  const names = placed.map(({ name }) => name)
  const placedAs = (name: string) => placed.find((one) => one.name === name) as Placed
  const hasOwner = (state: State, { app }: Placed) =>
    app.reads !== undefined && isRunning(state, state.group[app.name]?.owner ?? '')
  return [
    action('Run', { process: names }, (state: State, { process: name }, step) => {
      const process = state.process[name] as Process
      step.when('it runs', process.status === 'running')
      const me = placedAs(name)
      const producer = state.producer[me.producer] as Producer
      run({ ...world, state, step, me, process, producer })
    }),

    action('Start', { process: names }, (state: State, { process: name }, step) => {
      step.when('it does not run', !isRunning(state, name))
      step.when('nobody owns its input', !hasOwner(state, placedAs(name)))
      start(state, placedAs(name))
      step.emit({ kind: 'started', lane: name })
    }),

    ...faults(config.rebalances, () =>
      action('Rebalance', { to: names }, (state: State, { to }, step) => {
        take({ state, step }, 'rebalances')
        step.when('it does not run', !isRunning(state, to))
        step.when('a living one owns its input', hasOwner(state, placedAs(to)))
        const owner = state.group[placedAs(to).app.name]?.owner ?? ''
        start(state, placedAs(to))
        step.emit({ kind: 'paused', lane: owner, text: 'stands still, and will go on' })
        step.emit({ kind: 'started', lane: to, text: `takes the input over from ${owner}` })
      }),
    ),

    ...faults(config.crashes, () =>
      action('Crash', { process: names }, (state: State, { process: name }, step) => {
        take({ state, step }, 'crashes')
        const process = state.process[name] as Process
        step.when('it runs', process.status === 'running')
        const { crashBefore } = config
        step.when(
          'it is where it shall crash',
          crashBefore === null ||
            (placedAs(name).app === config.apps[0] &&
              process.routine === 'loop' &&
              process.at === crashBefore),
        )
        const before = nextStep(placedAs(name), process)
        const text = before === undefined ? 'at the end' : `before: ${stepText(before)}`
        step.emit({ kind: 'crashed', lane: name, text })
        stop(state, placedAs(name))
      }),
    ),
  ]
}

/** Actions of a fault exist only if it has a budget. */
const faults = (budget: number, make: () => Action<State>): Action<State>[] => (budget > 0 ? [make()] : [])

function transactionActions(world: World): Action<State>[] {
  const { config, placed } = world
  const ids = [...new Set(placed.map(({ producer }) => producer))]
  const mayTimeOut = (state: State, id: string) => {
    const { isOpen, isPrepared } = state.producer[id] as Producer
    return isOpen && !isPrepared
  }
  const timeOut = (state: State, id: string) => {
    abortTransaction(world, state, id)
    ;(state.producer[id] as Producer).current = ''
  }
  const text = 'aborts a transaction after its timeout'
  return [
    action('AbortOrphan', { producer: ids }, (state: State, { producer: id }, step) => {
      step.when('its transaction may time out', config.orphansTimeOut && mayTimeOut(state, id))
      const { current } = state.producer[id] as Producer
      step.when('its process is gone', !isRunning(state, current) || !inTransaction(state, current))
      timeOut(state, id)
      step.emit({ kind: 'note', lane: 'coordinator', text: `${text}: ${id} is gone` })
    }),

    ...faults(config.transactionTimeouts, () =>
      action('TimeOutTransaction', { producer: ids }, (state: State, { producer: id }, step) => {
        take({ state, step }, 'transactionTimeouts')
        step.when('its transaction may time out', mayTimeOut(state, id))
        timeOut(state, id)
        step.emit({ kind: 'note', lane: 'coordinator', text: `${text}: ${id} is too slow` })
      }),
    ),

    ...faults(config.commitTimeouts, () =>
      action('CommitArrives', { producer: ids }, (state: State, { producer: id }, step) => {
        step.when('a commit is under way', state.producer[id]?.lateCommit === true)
        commitTransaction(world, state, id)
        step.emit({ kind: 'delivered', lane: 'coordinator', peer: id, message: 'commit', late: true })
      }),
    ),

    ...faults(config.commitTimeouts, () =>
      action('LoseCommit', { producer: ids }, (state: State, { producer: id }, step) => {
        const producer = state.producer[id] as Producer
        step.when('a commit is under way', producer.lateCommit)
        producer.lateCommit = false
        step.emit({ kind: 'lost', lane: id, peer: 'coordinator', message: 'commit' })
      }),
    ),
  ]
}

/** A client that is in no transaction any more, as far as it knows, has left what is open to its fate. */
const inTransaction = (state: State, name: string) => state.process[name]?.inTransaction === true

function otherActions({ config, placed }: World): Action<State>[] {
  const names = placed.map(({ name }) => name)
  const endClaim = (state: State, name: string) => {
    for (const row of state.database.outbox) if (row.claimedBy === name && !row.isSent) row.claimedBy = ''
  }
  const claims = (state: State, name: string) =>
    state.database.outbox.some(({ claimedBy, isSent }) => claimedBy === name && !isSent)
  const ended = (name: string) =>
    ({ kind: 'note', lane: 'database', text: `the claim of ${name} ends` }) as const
  const fault = (
    name: string,
    budget: FaultName,
    change: (state: State) => void,
    lane: string,
    text: string,
  ) =>
    faults(config[budget], () =>
      action(name, {}, (state: State, _, step) => {
        take({ state, step }, budget)
        change(state)
        step.emit({ kind: 'note', lane, text })
      }),
    )
  return [
    ...faults(config.lateCalls, () =>
      action('CallArrives', {}, (state: State, _, step) => {
        const [first] = state.provider.late
        step.when('a call is under way', first !== undefined)
        if (first === undefined) return
        const isNew = execute(state, first)
        state.provider.late.shift()
        const fields = { event: first.event }
        const told = { lane: 'provider', text: 'a late call arrives', fields } as const
        // Whose it was is not remembered; with one process, it was of that.
        const [only, ...others] = names
        if (only === undefined || others.length > 0) step.emit({ kind: 'note', ...told })
        else step.emit({ kind: 'delivered', peer: only, message: 'call', late: true, ...told })
        step.emit({ kind: 'note', lane: 'provider', message: outcomeText(isNew), fields })
      }),
    ),

    ...(config.claimsEnd
      ? [
          action('EndClaimOfTheDead', {}, (state: State, _, step) => {
            step.when('it has claimed a row', claims(state, goneClaimer))
            endClaim(state, goneClaimer)
            step.emit(ended(goneClaimer))
          }),
        ]
      : []),

    ...faults(config.leaseEnds, () =>
      action('EndClaim', { process: names }, (state: State, { process: name }, step) => {
        take({ state, step }, 'leaseEnds')
        step.when('it has claimed a row', claims(state, name))
        endClaim(state, name)
        step.emit(ended(name))
      }),
    ),

    ...fault(
      'CleanRemembered',
      'cleanings',
      ({ database }) => {
        database.remembered = []
      },
      'database',
      'ids that were remembered are cleaned away',
    ),

    ...fault(
      'ResetOffsets',
      'offsetResets',
      ({ group, process }) => {
        for (const one of Object.values(group)) one.committed = 0
        for (const one of Object.values(process)) one.position = 0
      },
      'group',
      'committed offsets are reset to the beginning',
    ),
  ]
}
