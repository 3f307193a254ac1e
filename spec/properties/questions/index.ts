/** What may be asked of a configuration without being promised by it, judged only if it is selected by name. */
import type { Property } from '../../../checker/model.ts'
import type { Protocol } from '../../protocol/protocol.ts'
import type { KafkaState } from '../../state.ts'
import { deliveryQuestions } from './delivery.ts'

export const questionsOf = (protocol: Protocol): Property<KafkaState>[] => [...deliveryQuestions(protocol)]
