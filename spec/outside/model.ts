/**
 * Applications as programs: what is said of exactly-once beyond Kafka is about the order of steps around its clients, with
 * databases, outboxes and providers. Beside the Kafka model, with Kafka itself reduced to what that proves of it.
 */
import { defineModel } from '../../checker/model.ts'
import type { Lane } from '../../checker/view.ts'
import { actionsOf, fairActions } from './actions.ts'
import { configSchema, type ProgramsConfig } from './config.ts'
import { defences } from './kafka.ts'
import { questionsOf } from './questions.ts'
import { initialState, placedOf, type State, topicsOf } from './state.ts'
import type { World } from './turn.ts'
import { viewOf } from './view.ts'

function lanesOf(config: ProgramsConfig): Lane[] {
  const lane = (group: string) => (id: string) => ({ id, label: id, group })
  return [
    ...placedOf(config)
      .map(({ name }) => name)
      .map(lane('applications')),
    ...topicsOf(config).map(lane('topics')),
    ...['coordinator', 'group'].map(lane('kafka')),
    ...['database', 'provider'].map(lane('outside')),
  ]
}

export const programs = defineModel<ProgramsConfig, State>({
  name: 'programs',
  summary: 'applications as programs around Kafka, with databases, outboxes and providers',
  config: configSchema,
  defences,
  build: (config, context) => {
    const world: World = { config, defences: context.defences, placed: placedOf(config) }
    const actions = actionsOf(world)
    return {
      initial: initialState(config),
      components: [
        'process[]',
        'topic[]',
        'group[]',
        'producer[]',
        'database',
        'provider',
        'budget[]',
        'ghost',
      ],
      actions,
      properties: [],
      questions: questionsOf(
        world,
        fairActions.filter((name) => actions.some((action) => action.name === name)),
      ),
      lanes: lanesOf(config),
      view: viewOf(config),
      background: [
        'budget',
        'ghost',
        'process[].at',
        'process[].routine',
        'process[].status',
        'process[].isDone',
      ],
    }
  },
})
