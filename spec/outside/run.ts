/** The next step of a process. */
import { type ProgramStep, stepText, type Word } from './program.ts'
import { newProcess, type Placed, type Process, type State } from './state.ts'
import * as db from './steps/database.ts'
import * as kafka from './steps/kafka.ts'
import * as outside from './steps/provider.ts'
import { note, type Outcome, type Turn } from './turn.ts'

const byWord: Record<Word, (turn: Turn) => Outcome> = {
  initialise: kafka.initialise,
  poll: kafka.poll,
  'accept request': kafka.acceptRequest,
  process: kafka.processWork,
  begin: kafka.begin,
  'send offsets': kafka.sendOffsets,
  commit: kafka.commit,
  abort: kafka.abort,
  'work past the timeout': kafka.workPastTheTimeout,
  prepare: kafka.prepare,
  recover: kafka.recover,
  'commit offset': kafka.commitOffset,
  'seek to committed offset': kafka.seekToCommitted,
  'seek to offset in database': kafka.seekToDatabase,
  'seek back': kafka.seekBack,
  'look up row': db.lookUpRow,
  'look up idempotency key': db.lookUpKey,
  'create idempotency key': db.createKey,
  'ask provider': outside.askProvider,
  'update store': outside.updateStore,
  'restore store': outside.restoreStore,
  'read outbox': db.readOutbox,
  'claim outbox row': db.claimRow,
  'mark sent': db.markSent,
  'take lock': db.takeLock,
  'release lock': db.releaseLock,
}

function perform(turn: Turn, step: ProgramStep): Outcome {
  if (typeof step === 'string') return byWord[step](turn)
  if (turn.process.isDone) {
    turn.step.emit({ kind: 'note', lane: turn.me.name, text: `leaves out: ${stepText(step)}` })
    return 'next'
  }
  if ('send' in step) return kafka.send(turn, step.send, step.id)
  if ('call' in step) return outside.call(turn, step.call)
  return db.database(turn, step.database)
}

export const routineOf = ({ app }: Placed, { routine }: Process): readonly ProgramStep[] =>
  (routine === 'onError' ? app.onError : app[routine]) ?? []

/** Where the process stands: nothing to do means that its routine is over. */
export const nextStep = (placed: Placed, process: Process): ProgramStep | undefined =>
  routineOf(placed, process)[process.at]

/** Performs the next step of a process and moves it on; a routine that has ended is followed by the loop. */
export function run(turn: Turn) {
  const { process, me, state } = turn
  const step = nextStep(me, process)
  const outcome = step === undefined ? 'next' : perform(turn, step)
  if (outcome === 'end' || (outcome === 'error' && me.app.onError === undefined)) {
    note(turn, 'ends')
    return stop(state, me)
  }
  if (outcome === 'error') {
    process.routine = 'onError'
    process.at = 0
  } else process.at += 1
  if (process.at >= routineOf(me, process).length) {
    process.routine = 'loop'
    process.at = 0
  }
}

/** Who claims a row whose process is gone, also when one of the same name has been started again. */
export const goneClaimer = 'a process that is gone'

/** The process is gone; what it held by its connections is free. */
export function stop(state: State, { name }: Placed) {
  state.process[name] = newProcess(state.process[name]?.store)
  for (const row of state.database.outbox) if (row.claimedBy === name) row.claimedBy = goneClaimer
  if (state.database.lock === name) state.database.lock = ''
}
