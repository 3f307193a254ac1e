/** Where an application goes on when its transaction was aborted. */
import { describe, expect, it } from 'vitest'
import { Behaviour } from './behaviour.ts'
import { advance, complete, decide, handleProduce, offsets, output, workOfFirstTransaction } from './steps.ts'

describe('kafka-4.4: after an abort the application goes on', () => {
  /** In the middle of a transaction of two inputs: the second one is sent. */
  const aborted = (afterAbort: 'committed offset' | 'same inputs') =>
    new Behaviour({ applicationAborts: 1, inputs: 2, inputsPerTransaction: 2, afterAbort }).take(
      ...workOfFirstTransaction('kafka-4.4'),
      ['AbandonTransaction', { client: 0 }],
      handleProduce(),
      advance(output),
      ['HandleOffsetCommit', { client: 0, copy: 'live' }],
      advance(offsets),
      ...decide(),
    )

  it('with what is committed, which it reads again', () => {
    const { state } = aborted('committed offset').take(...complete)
    expect(state.instance[0]).toMatchObject({ phase: 'fetching', transaction: 1 })
  })

  it('or with the inputs of the transaction, which it has', () => {
    const { state } = aborted('same inputs')
    expect(state.instance[0]).toMatchObject({ phase: 'sending', transaction: 2, position: 0, processed: 0 })
    expect(state.connection[0]!.partition[output]!.requests).toMatchObject([{ kind: 'Produce', input: 0 }])
  })
})
