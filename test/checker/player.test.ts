import { describe, expect, it } from 'vitest'
import { action } from '../../checker/index.ts'
import { isRefusal, Player } from '../../checker/player.ts'
import { prepare } from '../../checker/prepare.ts'
import { tiny } from './tiny.ts'

interface State {
  owner: string | null
  gifts: number
}

const model = tiny<State>({
  initial: { owner: 'nobody', gifts: 1 },
  components: ['owner', 'gifts'],
  actions: [
    action('Leave', {}, (state: State) => {
      state.owner = null
    }),
    action('Give', {}, (state: State, _, step) => {
      state.owner = step.choose(`who is given gift ${state.gifts}`, ['ann', 'bob'])
      if (state.gifts > 0 && step.choose('wrapped', [true, false])) state.gifts--
    }),
  ],
})
const player = new Player(prepare(model, {}))
const [before] = player.prepared.initial

/** The state and the choices after a step that is like this one. */
const like = (choices: readonly { name: string; value: string | boolean }[], gifts = 1) => {
  const outcome = player.takeLike(player.valuesOf({ owner: 'nobody', gifts }), {
    action: 'Give',
    args: {},
    choices,
  })
  return isRefusal(outcome)
    ? outcome
    : [player.stateOf(outcome.next), outcome.choices.map(({ value }) => value)]
}

describe('a step', () => {
  it('may write null over what was there', () => {
    const outcome = player.take(before!, { action: 'Leave', args: {}, choices: [] })
    expect(isRefusal(outcome) ? outcome : player.stateOf(outcome.next)).toEqual({ owner: null, gifts: 1 })
  })

  it('is refused if a choice has another name, or is one too many or too few', () => {
    const who = { name: 'who is given gift 1', value: 'bob' }
    const wrapped = { name: 'wrapped', value: false }
    const take = (...choices: (typeof who | typeof wrapped)[]) =>
      isRefusal(player.take(before!, { action: 'Give', args: {}, choices }))
    expect(take(who, wrapped)).toBe(false)
    expect([take(who), take(who, wrapped, wrapped), take({ ...who, name: 'who' }, wrapped)]).toEqual([
      true,
      true,
      true,
    ])
  })

  it('is like another one whose choices have other names', () => {
    const choices = [
      { name: 'who', value: 'bob' },
      { name: 'w', value: false },
    ]
    expect(like(choices)).toEqual([{ owner: 'bob', gifts: 1 }, ['bob', false]])
  })

  it('is like another one that has fewer choices: it takes the first options', () => {
    expect(like([{ name: 'who', value: 'bob' }])).toEqual([{ owner: 'bob', gifts: 0 }, ['bob', true]])
  })

  it('is like another one that has more choices: it leaves them out', () => {
    const choices = [
      { name: 'who', value: 'bob' },
      { name: 'wrapped', value: false },
    ]
    expect(like(choices, 0)).toEqual([{ owner: 'bob', gifts: 0 }, ['bob']])
  })

  it('is not like another one that chose what is not offered', () => {
    expect(like([{ name: 'who', value: 'carl' }])).toEqual({ found: 'it does not offer these choices' })
  })
})
