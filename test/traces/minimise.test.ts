import { describe, expect, it } from 'vitest'
import { action, always, reachable, transition } from '../../checker/index.ts'
import { minimise, replay } from '../../traces/index.ts'
import { tiny } from '../checker/tiny.ts'
import { callsOf, walk } from './walk.ts'

interface Workers {
  done: number[]
  crashed: boolean[]
}

const worker = [0, 1, 2]
const workers = tiny<Workers>({
  initial: { done: [0, 0, 0], crashed: [false, false, false] },
  components: ['done[]', 'crashed[]'],
  actions: [
    action('Work', { worker }, (state: Workers, { worker }, step) => {
      step.when('it runs', !state.crashed[worker])
      step.when('there is work left', state.done[worker]! < 5)
      state.done[worker]!++
      step.emit({ kind: 'note', lane: `worker-${worker}`, text: 'works' })
    }),
    action('Crash', { worker }, (state: Workers, { worker }, step) => {
      step.when('it runs', !state.crashed[worker])
      state.crashed[worker] = true
      step.fault('crashes')
      step.emit({ kind: 'crashed', lane: `worker-${worker}` })
    }),
    // Only after the first one crashed, as a replacement.
    action('TakeOver', {}, (state: Workers, _, step) => {
      step.when('the first one crashed', state.crashed[0] === true)
      state.done[2] = 3
    }),
  ],
  properties: [
    always('worker 0 does little', ({ done }: Workers) => done[0]! < 2),
    always('nobody does much', ({ done }: Workers) => done.every((count) => count < 3)),
    always('two never crash', ({ crashed }: Workers) => crashed.filter(Boolean).length < 2),
    always('worker 2 is idle', ({ done }: Workers) => done[2] === 0),
    transition('work is done alone', (before: Workers, after: Workers, claim) => {
      claim.that('no third piece', !(before.done[1] === 2 && after.done[1] === 3), { done: after.done })
    }),
    reachable('worker 1 crashed', ({ crashed }: Workers) => crashed[1] === true),
  ],
})

describe('a minimised trace', () => {
  it('is without the participant, the fault and the steps that have nothing to do with it', () => {
    const given = walk(workers, 'worker 0 does little', [
      ['Work', { worker: 1 }],
      ['Work', { worker: 0 }],
      ['Crash', { worker: 2 }],
      ['Work', { worker: 1 }],
      ['Crash', { worker: 1 }],
      ['Work', { worker: 0 }],
    ])
    const { trace, kept, changed, before, after } = minimise(workers, given)
    expect(callsOf(trace)).toEqual(['Work(worker=0)', 'Work(worker=0)'])
    expect({ kept, changed, before, after }).toEqual({
      kept: [2, 6],
      changed: [],
      before: { steps: 6, faults: 2, participants: ['worker-0', 'worker-1', 'worker-2'] },
      after: { steps: 2, faults: 0, participants: ['worker-0'] },
    })
    expect(replay(workers, trace)).toEqual({ trace, shows: true })
  })

  it('keeps both faults that it needs', () => {
    const given = walk(workers, 'two never crash', [
      ['Work', { worker: 0 }],
      ['Crash', { worker: 2 }],
      ['Work', { worker: 1 }],
      ['Crash', { worker: 0 }],
    ])
    const { trace, after } = minimise(workers, given)
    expect(callsOf(trace)).toEqual(['Crash(worker=2)', 'Crash(worker=0)'])
    expect(after.faults).toBe(2)
  })

  it('keeps a fault without which a step of its story is blocked', () => {
    const given = walk(workers, 'worker 2 is idle', [
      ['Work', { worker: 1 }],
      ['Crash', { worker: 0 }],
      ['Crash', { worker: 1 }],
      ['TakeOver'],
    ])
    expect(callsOf(minimise(workers, given).trace)).toEqual(['Crash(worker=0)', 'TakeOver'])
  })

  it('ends with the first violation, which may come earlier than in the trace that was given', () => {
    const given = walk(workers, 'nobody does much', [
      ['Work', { worker: 1 }],
      ['Work', { worker: 0 }],
      ['Work', { worker: 1 }],
      ['Work', { worker: 0 }],
      ['Work', { worker: 1 }],
      ['Work', { worker: 0 }],
    ])
    const { trace, kept, before } = minimise(workers, given)
    expect(new Set(callsOf(trace)).size).toBe(1)
    expect(kept).toHaveLength(3)
    expect(before.steps).toBe(5)
  })

  it('violates a property of steps with its last step', () => {
    const given = walk(workers, 'work is done alone', [
      ['Work', { worker: 1 }],
      ['Crash', { worker: 0 }],
      ['Work', { worker: 1 }],
      ['Work', { worker: 2 }],
      ['Work', { worker: 1 }],
    ])
    const { trace } = minimise(workers, given)
    expect(callsOf(trace)).toEqual(['Work(worker=1)', 'Work(worker=1)', 'Work(worker=1)'])
    expect(trace.property).toEqual({
      name: 'work is done alone',
      kind: 'transition',
      failed: { part: 'no third piece', values: { done: [0, 3, 0] } },
    })
  })

  it('may be a witness', () => {
    const given = walk(workers, 'worker 1 crashed', [
      ['Work', { worker: 0 }],
      ['Crash', { worker: 1 }],
    ])
    expect(callsOf(minimise(workers, given).trace)).toEqual(['Crash(worker=1)'])
  })

  it('has no steps if the initial state violates the property', () => {
    const broken = tiny<{ n: number }>({
      initial: { n: 0 },
      components: ['n'],
      actions: [action('Add', {}, (state: { n: number }) => void state.n++)],
      properties: [always('positive', ({ n }: { n: number }) => n > 0)],
    })
    expect(minimise(broken, walk(broken, 'positive', [['Add']])).trace.steps).toEqual([])
  })
})

interface Line {
  sent: number
  received: number
  budget: { losses: number }
}

/** Its faults are choices. */
const line = tiny<Line>({
  initial: { sent: 0, received: 0, budget: { losses: 2 } },
  components: ['sent', 'received', 'budget'],
  actions: [
    action('Send', {}, (state: Line, _, step) => {
      step.when('not all is sent', state.sent < 4)
      const outcome = step.choose('outcome', state.budget.losses > 0 ? ['arrives', 'is lost'] : ['arrives'])
      state.sent++
      if (outcome === 'arrives') state.received++
      else {
        state.budget.losses--
        step.fault('losses')
      }
    }),
  ],
  properties: [
    always('little is sent', ({ sent }: Line) => sent < 3),
    always('nothing is missing', ({ sent, received }: Line) => sent === received),
  ],
})

describe('a fault that is a choice', () => {
  const lost = { outcome: 'is lost' }
  const arrives = { outcome: 'arrives' }

  it('is replaced by the choice without it, where that makes no difference', () => {
    const given = walk(line, 'little is sent', [
      ['Send', {}, lost],
      ['Send', {}, arrives],
      ['Send', {}, lost],
    ])
    const { trace, changed, before, after } = minimise(line, given)
    expect(callsOf(trace)).toEqual([
      'Send(outcome=arrives)',
      'Send(outcome=arrives)',
      'Send(outcome=arrives)',
    ])
    expect(changed).toEqual([1, 3])
    expect([before.faults, after.faults]).toEqual([2, 0])
  })

  it('stays where it does', () => {
    const given = walk(line, 'nothing is missing', [
      ['Send', {}, arrives],
      ['Send', {}, lost],
    ])
    expect(callsOf(minimise(line, given).trace)).toEqual(['Send(outcome=is lost)'])
  })
})

interface Turns {
  turn: number
  taken: number
}

/** Worker 0 could do itself what it lets worker 1 do. */
const turns = tiny<Turns>({
  initial: { turn: 0, taken: 0 },
  components: ['turn', 'taken'],
  actions: [
    action('Take', { worker: [0, 1] }, (state: Turns, { worker }, step) => {
      step.when('it is its turn', state.turn === worker)
      step.choose(`what worker ${worker} takes`, ['a piece'])
      state.taken++
    }),
    action('Pass', { worker: [0, 1] }, (state: Turns, { worker }, step) => {
      step.when('it is its turn', state.turn === worker)
      state.turn = 1 - worker
    }),
  ],
  properties: [always('little is taken', ({ taken }: Turns) => taken < 2)],
})

describe('a participant', () => {
  it('is left out where another one of its kind can stand in, also if choices are called after them', () => {
    const piece = { 'what worker 1 takes': 'a piece' }
    const given = walk(turns, 'little is taken', [
      ['Pass', { worker: 0 }],
      ['Take', { worker: 1 }, piece],
      ['Take', { worker: 1 }, piece],
    ])
    const { trace, kept, changed, before, after } = minimise(turns, given)
    const take = 'Take(worker=0 what worker 0 takes=a piece)'
    expect(callsOf(trace)).toEqual([take, take])
    expect({ kept, changed }).toEqual({ kept: [2, 3], changed: [2, 3] })
    expect([before.participants, after.participants]).toEqual([['worker=0', 'worker=1'], ['worker=0']])
  })
})

describe('what cannot be minimised', () => {
  const given = walk(workers, 'worker 0 does little', [
    ['Work', { worker: 0 }],
    ['Work', { worker: 0 }],
  ])
  const minimising = (changed: object) => () => minimise(workers, { ...given, ...changed })

  it('is a trace of no property', () => {
    expect(minimising({ property: undefined })).toThrow('it says of no property that it is violated')
  })

  it('is a trace of a property that the model does not have', () => {
    expect(minimising({ property: { name: 'worker 0 does littel', kind: 'always' } })).toThrow(
      "did you mean 'worker 0 does little'?",
    )
  })

  it('is a trace that does not violate its property', () => {
    expect(minimising({ steps: given.steps.slice(1) })).toThrow(
      "all steps can be taken, but 'worker 0 does little' is not violated",
    )
  })

  it('is a trace with a step that is blocked', () => {
    const crash = { action: 'Crash', args: { worker: 0 }, choices: [], events: [] }
    expect(minimising({ steps: [given.steps[0]!, crash, given.steps[1]!] })).toThrow(
      "step 3 of 3, Work(worker: 0): the guard 'it runs' blocks it",
    )
  })
})
