import { describe, expect, it } from 'vitest'
import { fencepost } from './harness.ts'

describe('fencepost list', () => {
  it('names everything there is, with defaults', async () => {
    const { code, stdout } = await fencepost(['list'])
    expect(stdout).toMatchInlineSnapshot(`
      "scenarios
        read-process-write  Two writers, one lost reply each. (default)
                            settings: the defaults
                            expected under kafka-3.9: written once (violated)
                            sources: KIP-98
        quiet               Two writers, nothing is lost.
                            settings: repeats=0
                            sources: KIP-98

      properties
        epochs never fall  What an old writer writes is refused.
                           kind: always
                           sources: KIP-98
        epochs are unique
                           kind: always
        written once
                           kind: always
        somebody is done
                           kind: reachable

      defences
        epoch check      The log refuses an old epoch.
                         presets: all
                         without it: read-process-write under kafka-4.4 violates "epochs never fall"
                         sources: KIP-98
        epoch bump       Every writer gets an epoch of its own.
                         presets: all
                         without it: quiet under kafka-3.9 violates "epochs are unique"
                         sources: KIP-98
        duplicate check  The log knows what it has.
                         presets: kafka-4.4
                         without it and "epoch check": read-process-write under kafka-4.4 violates "written once"
                         sources: KIP-98

      presets
        kafka-4.4  As kafka-4.4 does it. (default)
                   sources: KIP-98
        kafka-3.9  As kafka-3.9 does it.
                   sources: KIP-98

      flags of the presets
        flag                value  kafka-4.4  kafka-3.9
        keepsDuplicatesOut         x
        remembers           5      x
                            1                 x

      profiles
        patient  Repeats often.
                 settings: repeats=3 idle=true
                 sources: KIP-98

      parameters
        preset   Which version.
                 default: kafka-4.4; one of: kafka-4.4, kafka-3.9
                 sources: KIP-584; KIP-1022
        writers  How many write.
                 default: 2; 1 to 3
                 sources: KIP-98
        repeats  How many replies each loses.
                 default: 1; from 0
        options  What else.
                 default: none; keys: a, b
        label    What it is called.
                 default: x

      claims
        claim-W1  a writer that repeats its write writes once
                  holds within limits
                  cases: the log knows what it has; it does not
                  sources: KIP-98
        claim-W2  epochs are unique
                  refuted
                  cases: nothing raises them
                  sources: KIP-98

      findings
        duplicate batch                             a leader knows the last 5 batches of each producer, and answers a copy of one of them without appending it
                                                    severity: critical
                                                    sources: ProducerStateEntry.findDuplicateBatch; UnifiedLog.analyzeAndValidateProducerState; KIP-98
        repeated sequence                           within an epoch a batch is appended only if its sequence is the next one
                                                    severity: critical
                                                    sources: ProducerAppendInfo.checkSequence; KIP-98
        sequence gap                                a batch is appended only if its sequence follows the last one, or is 0 in a new epoch: what is missing between was never written, or is lost
                                                    severity: critical
                                                    sources: ProducerAppendInfo.checkSequence; KIP-98
        first sequence is not 0                     a producer numbers the batches of a partition from 0; a leader that does not know the producer accepts any sequence, so that what came before can be lost without an error
                                                    severity: warning
                                                    sources: ProducerAppendInfo.checkSequence; KIP-360
        data of an older epoch                      once a partition has seen an epoch of a producer it refuses all that has an older one
                                                    severity: critical
                                                    sources: ProducerAppendInfo.checkProducerEpoch; KIP-98
        data after its own abort marker             the transaction has ended: a batch of it that arrives later stays open, or becomes part of the next transaction
                                                    severity: critical
                                                    sources: ProducerAppendInfo.checkProducerEpoch; ReplicaManager.handleProduceAppend; KIP-890
        data outside the open transaction           a producer that has a transaction open in a partition cannot write outside of it
                                                    severity: error
                                                    sources: ProducerAppendInfo.appendDataBatch
        transaction of two epochs                   a new epoch begins when the transaction of the old one has ended everywhere; what was left open is decided together with the new transaction
                                                    severity: critical
                                                    sources: TransactionCoordinator.handleInitProducerId; ProducerAppendInfo.appendDataBatch; KIP-890
        commit of an older epoch                    a transaction is committed at the epoch of its data, or at the next one with transaction.version 2
                                                    severity: critical
                                                    sources: TransactionCoordinator.endTransaction; TransactionMetadata.prepareAbortOrCommit; KIP-890
        marker of an older epoch                    a partition refuses a marker of an epoch below the one that it has seen
                                                    severity: error
                                                    sources: ProducerAppendInfo.checkProducerEpoch; ProducerAppendInfo.appendEndTxnMarker
        marker of an older coordinator              a partition refuses a marker of a coordinator epoch below the one that it has seen for the producer
                                                    severity: error
                                                    sources: ProducerAppendInfo.checkCoordinatorEpoch
        commit here, abort there                    a transaction is decided once, and its decision holds in all of its partitions
                                                    severity: critical
                                                    sources: TransactionCoordinator.endTransaction; TransactionMarkerChannelManager.addTxnMarkersToSend; KIP-98
        marker against the decision                 markers carry what the coordinator has written down as its decision, and nothing else
                                                    severity: critical
                                                    sources: TransactionMarkerChannelManager.addTxnMarkersToSend; KIP-98
        marker that nobody decided                  a marker follows a decision of the coordinator; without one it comes from an operator who aborts by hand (kafka-transactions.sh abort)
                                                    severity: warning
                                                    sources: TransactionsCommand.AbortTransactionCommand; KIP-664
        missing marker                              a coordinator completes a transaction only when every partition has acknowledged its marker
                                                    severity: critical
                                                    sources: TransactionMarkerRequestCompletionHandler; TransactionMetadata.prepareComplete
        hanging transaction                         no marker will come, as the coordinator has nothing open for it: readers with read_committed wait here for ever
                                                    severity: critical
                                                    sources: UnifiedLog.lastStableOffset; KIP-664; KIP-890
        late transaction                            it is open for longer than the largest timeout that brokers allow by default, and five minutes more
                                                    severity: warning
                                                    sources: ProducerStateManager.hasLateTransaction; KIP-664
        reported as hanging                         kafka-transactions.sh has compared the partition with the coordinator, and found no transaction for it
                                                    severity: warning
                                                    sources: TransactionsCommand.FindHangingTransactionsCommand; KIP-664
        illegal transition                          a coordinator goes from one state of a transaction only to the states that may follow it
                                                    severity: error
                                                    sources: TransactionState.validPreviousStates; TransactionMetadata.completeTransitionTo
        decided and not completed                   between the decision and its completion a transactional.id can do nothing, and readers wait for the markers
                                                    severity: warning
                                                    sources: TransactionMarkerChannelManager; KAFKA-19999
        offsets without output                      a partition is part of a transaction because something was to be written there, and a commit waits for it
                                                    severity: critical
                                                    sources: KafkaProducer.commitTransaction; TransactionManager; KIP-98
        output without offsets                      offsets are part of a transaction because they were to be committed with it: without them its input is processed again
                                                    severity: critical
                                                    sources: KafkaProducer.sendOffsetsToTransaction; KIP-98
        aborted transaction not in the index        readers with read_committed skip what the transaction index lists, and would be given this
                                                    severity: critical
                                                    sources: ProducerStateManager.completeTxn; TransactionIndex.collectAbortedTxns
        index entry without an aborted transaction  readers with read_committed skip what the transaction index lists
                                                    severity: critical
                                                    sources: ProducerStateManager.completeTxn; TransactionIndex.collectAbortedTxns
        snapshot against the log                    what a partition knows of its producers follows from its log
                                                    severity: error
                                                    sources: ProducerStateManager.takeSnapshot; UnifiedLog.rebuildProducerState
        offsets out of order                        a leader numbers records in the order in which it appends them
                                                    severity: error
                                                    sources: UnifiedLog.append; LogValidator.validateMessagesAndAssignOffsets
        leader epoch goes back                      each leader has a larger epoch than the one before, and writes it into its batches
                                                    severity: error
                                                    sources: LeaderEpochFileCache.assign; KIP-101
        batch against itself                        a batch numbers its records one by one, by offset and by sequence
                                                    severity: error
                                                    sources: DefaultRecordBatch.lastSequence; DefaultRecordBatch.lastOffset
        invalid batch                               its checksum is that of other bytes
                                                    severity: error
                                                    sources: DefaultRecordBatch.ensureValid

      repeat: npx fencepost list
      "
    `)
    expect(code).toBe(0)
  })

  it('names one kind of things', async () => {
    const { stdout } = await fencepost(['list', 'presets'])
    expect(stdout).toMatchInlineSnapshot(`
      "presets
        kafka-4.4  As kafka-4.4 does it. (default)
                   sources: KIP-98
        kafka-3.9  As kafka-3.9 does it.
                   sources: KIP-98

      flags of the presets
        flag                value  kafka-4.4  kafka-3.9
        keepsDuplicatesOut         x
        remembers           5      x
                            1                 x

      repeat: npx fencepost list presets
      "
    `)
  })

  it('refuses a kind that does not exist', async () => {
    const { code, stderr } = await fencepost(['list', 'preset'])
    expect(stderr).toContain(
      "'preset' is invalid for argument 'kind'. Allowed choices are scenarios, properties,",
    )
    expect(code).toBe(2)
  })
})
