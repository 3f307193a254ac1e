/** What may be asked of a configuration without being promised by it, judged only if it is selected by name. */
import { alwaysForEach, type Property } from '../../checker/model.ts'
import { readCommitted } from '../protocol/consumer.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { outputsOf, partitionAt } from '../protocol/topology.ts'
import type { KafkaState } from '../state.ts'

export const questionsOf = (protocol: Protocol): Property<KafkaState>[] => [noOutputTwice(protocol)]

const noOutputTwice = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'no output is there twice',
    outputsOf(protocol),
    (state: KafkaState, partition, claim) => {
      const visible = readCommitted(protocol, partitionAt(state, partition))
      const names = visible.flatMap(({ record }) =>
        record.kind === 'data' ? [`${record.input}.${record.part}`] : [],
      )
      const repeated = names.find((name, index) => names.indexOf(name) < index)
      claim.that('what is made of an input is read once', repeated === undefined, { partition, repeated })
    },
    {
      summary: 'A read_committed reader gets no record twice that was made from the same input.',
      sources: ['KIP-98'],
    },
  )
