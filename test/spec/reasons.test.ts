/** No reason holds where its defence is in place: what a trace without it shows is due to its absence. */
import { describe, expect, it } from 'vitest'
import { stepper } from '../../checker/index.ts'
import { defences, kafka, scenarios } from '../../spec/index.ts'
import type { KafkaState } from '../../spec/state.ts'
import { reasons } from './reasons.ts'

const walks = 8
const stepsMax = 60

/** A sequence of numbers that looks random and is always the same. */
function sequence(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const places = [...new Set(defences.map(({ exercisedBy: { scenario, preset } }) => `${scenario} ${preset}`))]

describe.each(places)('in %s, with every defence in place', (place) => {
  const [name, preset] = place.split(' ')
  const here = defences.filter(({ exercisedBy }) => `${exercisedBy.scenario} ${exercisedBy.preset}` === place)

  it(`no step shows the absence of ${here.map((defence) => `'${defence.name}'`).join(', ')}`, () => {
    const scenario = scenarios.find((one) => one.name === name)
    const model = stepper(kafka, { ...scenario?.config, preset })
    let taken = 0
    for (let walk = 0; walk < walks; walk += 1) {
      const pick = sequence(walk + 1)
      let state = model.initialStates[0]
      for (let count = 0; count < stepsMax && state !== undefined; count += 1) {
        const { enabled } = model.successors(state)
        const step = enabled[pick(enabled.length)]
        if (step === undefined) break
        const moment = {
          before: state as unknown as KafkaState,
          after: step.next as unknown as KafkaState,
          step,
        }
        for (const defence of here) {
          const holds = reasons[defence.name as keyof typeof reasons](moment)
          expect(holds, `${defence.name}: ${step.action}`).toBe(false)
        }
        state = step.next
        taken += 1
      }
    }
    expect(taken).toBeGreaterThan(walks * 15)
  })
})
