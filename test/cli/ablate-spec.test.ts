import { describe, expect, it } from 'vitest'
import type { Catalogue } from '../../cli/catalogue.ts'
import { defences, kafka, parameters, presets, scenarios } from '../../spec/index.ts'
import { fencepost } from './harness.ts'

const catalogue = { model: kafka, scenarios, presets, defences, parameters } as unknown as Catalogue

describe('fencepost ablate, asked about Kafka', () => {
  it('finds what a few defences are for', async () => {
    const only = ['duplicate check', 'abort of the old transaction'].flatMap((name) => ['--only', name])
    const { code, stdout } = await fencepost(['ablate', ...only], { catalogue: async () => catalogue })
    expect(stdout.replace(/^took .*$/m, 'took (some time)')).toMatchInlineSnapshot(`
      "without                           scenario           preset     falls                                                     steps
      duplicate check                   lost-reply         kafka-4.4  nothing: covered by sequence check
      duplicate check + sequence check  lost-reply         kafka-4.4  a transaction takes effect everywhere or nowhere             30
                                                                      output and offset are atomic                                 31
                                                                      reported outcomes are what readers see                       30
                                                                      batches are in order, none twice                             11
      abort of the old transaction      crash-and-restart  kafka-4.4  aborted and open records stay invisible                      34
                                                                      a transaction takes effect everywhere or nowhere             38
                                                                      output and offset are atomic                                 39
                                                                      fenced sessions write nothing visible                        34
                                                                      records are closed as their transaction was decided          32
                                                                      open transactions are known to the coordinator               13
                                                                      transactions do not mix                                      19
                                                                      transactions begin with the knowledge of the coordinator     13
                                                                      durable states follow each other as they may                 12
                                                                      deadlock freedom                                             15

      steps to failure                   A   B   C   D   E   F   G   H   I   J   K   L
      duplicate check                    .   .   .   .   .   .   .   .   .   .   .   .
      duplicate check + sequence check  30  31  30  11   .   .   .   .   .   .   .   .
      abort of the old transaction      38  39   ?   ?  34  34  32  13  19  13  12  15

      A   a transaction takes effect everywhere or nowhere
      B   output and offset are atomic
      C   reported outcomes are what readers see
      D   batches are in order, none twice
      E   aborted and open records stay invisible
      F   fenced sessions write nothing visible
      G   records are closed as their transaction was decided
      H   open transactions are known to the coordinator
      I   transactions do not mix
      J   transactions begin with the knowledge of the coordinator
      K   durable states follow each other as they may
      L   deadlock freedom
      .   holds
      ?   left open by a limit

      2 defences removed: without 1 something falls, 1 covered by others, 0 unexplained survivors
      only without all of duplicate check + sequence check: 4 properties fall
      took (some time)

      repeat: npx fencepost ablate --only 'duplicate check' --only 'abort of the old transaction'
      "
    `)
    expect(code).toBe(0)
  })
})
