/** What may be asked of a configuration without being promised by it, judged only if it is selected by name. */
import type { Property } from '../../../checker/model.ts'
import type { Protocol } from '../../protocol/protocol.ts'
import type { KafkaState } from '../../state.ts'
import { costQuestions } from './cost.ts'
import { deliveryQuestions } from './delivery.ts'
import { fencingQuestions } from './fencing.ts'
import { logQuestions } from './logs.ts'
import { permissionQuestions } from './permissions.ts'
import { readerQuestions } from './readers.ts'
import { sequenceQuestions } from './sequences.ts'
import { holdsOlderEpoch } from './sessions.ts'
import { transactionQuestions } from './transactions.ts'
import { transitionQuestions } from './transitions.ts'

/** @param steps the names of the actions that are no faults */
export const questionsOf = (protocol: Protocol, steps: readonly string[]): Property<KafkaState>[] => [
  ...deliveryQuestions(protocol),
  ...(protocol.config.producer === 'transactional'
    ? [
        ...transactionQuestions(protocol, steps),
        ...transitionQuestions(steps),
        ...fencingQuestions(protocol, steps),
        ...permissionQuestions(protocol),
        holdsOlderEpoch,
      ]
    : []),
  ...logQuestions(protocol),
  ...costQuestions(protocol),
  ...readerQuestions,
  ...sequenceQuestions(protocol),
]
