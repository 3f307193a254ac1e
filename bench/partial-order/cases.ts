/**
 * What is measured: two models in which it is known that order matters little, to see that the measuring works, and
 * scenarios of the Kafka model of every kind.
 */
import type { Model } from '../../checker/index.ts'
import { diningPhilosophers } from '../../examples/dining-philosophers.ts'
import { twoPhaseCommit } from '../../examples/two-phase-commit.ts'
import { kafka } from '../../spec/model.ts'
import { scenarios } from '../../spec/scenarios/index.ts'

export interface Case {
  readonly name: string
  readonly model: Model<unknown, unknown>
  readonly config: unknown
  /** The property that is also looked at by itself. */
  readonly alone: string
}

const caseOf = <Config, State>(
  name: string,
  model: Model<Config, State>,
  config: unknown,
  alone: string,
): Case => ({ name, model: model as unknown as Case['model'], config, alone })

/** A scenario under kafka-4.4, or a smaller one of its kind. */
export const scenario = (name: string, smaller: object = {}): Case => {
  const found = scenarios.find((each) => each.name === name)
  if (found === undefined) throw new Error(`there is no scenario ${name}`)
  const title = Object.keys(smaller).length === 0 ? name : `${name}, smaller`
  return caseOf(title, kafka, { ...found.config, ...smaller }, 'a durable decision never changes')
}

export const cases: readonly Case[] = [
  caseOf('dining-philosophers', diningPhilosophers, { philosophers: 5 }, 'philosopher 0 eats'),
  caseOf('two-phase-commit', twoPhaseCommit, { managers: 5 }, 'consistent'),
  scenario('no-faults'),
  scenario('coordinator-failover'),
  scenario('late-request'),
  scenario('leader-change-and-late-request'),
  scenario('transaction-timeout'),
  scenario('own-ids-zombie'),
  scenario('consumer-group'),
  scenario('every-fault'),
  scenario('zombie'),
  scenario('read-process-write', { inputs: 1, outputPartitions: 1, attempts: 1 }),
]
