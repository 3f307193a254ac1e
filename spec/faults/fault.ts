/** A kind of fault: the actions that make it happen, and the budget that they take from. */
import type { Action } from '../../checker/model.ts'
import type { FaultName } from '../config.ts'
import type { KafkaState } from '../state.ts'

export interface Fault {
  readonly budget: FaultName
  readonly actions: readonly Action<KafkaState>[]
}
