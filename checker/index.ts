/** Public face of the checker. */
export { check } from './check.ts'
export * from './errors.ts'
export { mostIfShrinking } from './forecast.ts'
export * from './model.ts'
export type { NamedStep } from './player.ts'
export { deadlockFreedom } from './prepare.ts'
export * from './result.ts'
export { simulate } from './simulation/simulate.ts'
export {
  type BlockedStep,
  type EnabledStep,
  type Stepper,
  type Successors,
  stepper,
} from './stepper.ts'
export { unknownName } from './suggest.ts'
export * from './trace.ts'
export * from './view.ts'
