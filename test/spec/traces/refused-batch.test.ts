/** NOT_ENOUGH_REPLICAS comes at the append, after the verification: the batch is sent again, its guard stays. */
import { describe, expect, it } from 'vitest'
import type { DefenceName } from '../../../spec/defences.ts'
import { standardPresets } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  add,
  added,
  advance,
  appendVerified,
  begin,
  getEpoch,
  handleProduce,
  output,
  produceFirst,
  verified,
} from './steps.ts'

const refuse: NamedStep = ['RefuseBatch', { client: 0, partition: output }]
const refuseVerified: NamedStep = ['RefuseVerifiedBatch', { partition: output }]
const lateProduce: NamedStep = ['HandleProduce', { client: 0, partition: output, copy: 'late' }]

describe.each(standardPresets)('%s: a batch for which there are not enough replicas', (preset) => {
  const question = preset === 'kafka-3.9' ? verified(output) : added(output)
  const twoBatches = (config: object = {}, without: readonly DefenceName[] = []) => {
    const run = new Behaviour({ preset, refusedBatches: 1, recordsPerOutput: 2, ...config }, without)
    return run.take(...getEpoch(), ...begin(), ...(preset === 'kafka-3.9' ? [...add()] : []))
  }
  const onTheWire = ({ state }: Behaviour) =>
    state.connection[0]!.partition[output]!.requests.map(
      (request) => (request as { sequence: number }).sequence,
    )

  it('is verified before it is refused, and keeps its guard', () => {
    const run = twoBatches()
    expect(run.blockedBy(refuse)).toBe('a batch that needs no verification is on the wire')
    run.take(handleProduce())
    expect(run.blockedBy(refuseVerified)).toBe('a verified batch waits for its append')
    run.take(...question, refuseVerified)
    expect([run.reply({ partition: output }), run.log(output)]).toEqual(['NOT_ENOUGH_REPLICAS', []])
    expect(run.state.partition[output]!.guards).toEqual([
      { producerId: 0, producerEpoch: 0, lowestSequence: 0 },
    ])
    expect(run.state.verification[output]).toEqual([])
    expect(run.state.instance[0]).toMatchObject({ result: 'commit', epochBumpRequired: false })
  })

  it('is sent again in its place, and verified again', () => {
    const run = twoBatches().take(handleProduce(), ...question, refuseVerified)
    expect(onTheWire(run)).toEqual([0])
    run.take(handleProduce(), ...verified(output), appendVerified(output), advance(output))
    expect(run.take(handleProduce()).log(output)).toEqual(['#0(0)', '#1(0)'])
  })

  it('is not overtaken by the batch behind it, which is sent again too (KAFKA-14920)', () => {
    const run = twoBatches({ maxInFlight: 2 }).take(handleProduce(), ...question, refuseVerified)
    expect(onTheWire(run)).toEqual([1, 0])
    run.take(handleProduce(), ...verified(output), appendVerified(output))
    expect([run.reply({ partition: output }), run.log(output)]).toEqual(['OUT_OF_ORDER_SEQUENCE_NUMBER', []])
    expect(run.state.instance[0]!.result).toBe('commit')
    run.take(handleProduce(), ...verified(output), appendVerified(output), advance(output))
    run.take(handleProduce(), advance(output))
    expect(run.log(output)).toEqual(['#0(0)', '#1(0)'])
    expect(run.state.instance[0]!.unacknowledged).toEqual([0])
  })

  it('is overtaken without the sequence check', () => {
    const run = twoBatches({ maxInFlight: 2 }, ['sequence check'])
    run.take(handleProduce(), ...question, refuseVerified)
    run.take(handleProduce(), ...verified(output), appendVerified(output))
    expect(run.log(output)).toEqual(['#1(0)'])
  })

  it('is refused at once where its transaction is open in the partition already', () => {
    const run = twoBatches().take(...produceFirst(preset), refuse)
    expect([run.reply({ partition: output }), run.log(output)]).toEqual(['NOT_ENOUGH_REPLICAS', ['#0(0)']])
    expect(run.take(handleProduce()).log(output)).toEqual(['#0(0)', '#1(0)'])
  })

  it('is answered to nobody if it is a late one', () => {
    const run = twoBatches({ lateRequests: 1 }).take(['DelayRequest', { client: 0, broker: output }])
    run.take(lateProduce, ...question, refuseVerified)
    expect([run.reply({ partition: output }), onTheWire(run)]).toEqual(['none', [0]])
    expect(run.state.budget.refusedBatches).toBe(0)
  })
})
