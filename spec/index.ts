/** Public face of the Kafka model. */
export * from './catalogue.ts'
export type { KafkaConfig } from './config.ts'
export { defences } from './defences.ts'
export { kafka } from './model.ts'
export { parameters } from './parameters.ts'
export { presets } from './presets.ts'
export { scenarios } from './scenarios/index.ts'
export type { KafkaState } from './state.ts'
