/** What must happen at last: each promise is broken somewhere, and for the reason that is told. */
import { describe, expect, it } from 'vitest'
import { check, type Trace } from '../../../checker/index.ts'
import { noTimeoutNeeded, notHeldUp, workIsDone } from '../../../spec/guarantees.ts'
import { kafka, scenarios } from '../../../spec/index.ts'
import type { PresetName } from '../../../spec/presets.ts'
import type { KafkaState } from '../../../spec/state.ts'

const completed = 'a decided transaction is completed at last'

async function judged(scenario: string, preset: PresetName, property: string, without: string[] = []) {
  const { config } = scenarios.find(({ name }) => name === scenario)!
  const options = { properties: [property], defencesOff: without }
  const { properties } = await check(kafka, { ...config, preset }, options)
  return properties[0]!
}

const last = ({ states }: Trace) => states.at(-1) as unknown as KafkaState
const isStop = ({ loop, steps }: Trace) => loop === steps.length

describe('a batch that the partition takes for out of order', () => {
  it('is sent again until delivery.timeout.ms, in a loop (verification, transaction.version 1)', async () => {
    const { verdict, trace } = await judged('liveness-given-up-batch', 'kafka-3.9', noTimeoutNeeded)
    expect(verdict).toBe('violated')
    const loop = trace!.steps.slice(trace!.loop)
    expect(loop.map(({ action }) => action)).toEqual(['HandleProduce', 'VerifyPartition', 'AppendVerified'])
    const reply = { message: 'Produce reply', fields: { error: 'OUT_OF_ORDER_SEQUENCE_NUMBER' } }
    expect(loop.flatMap(({ events }) => events)).toContainEqual(expect.objectContaining(reply))
    expect(trace!.property!.lasso!.brokenBy).toEqual({ weak: [], strong: [] })
  })

  it('is not there with transaction.version 2', async () => {
    expect(await judged('liveness-given-up-batch', 'kafka-4.4', noTimeoutNeeded)).toMatchObject({
      verdict: 'proved',
      vacuous: false,
    })
  })
})

describe('a hanging transaction (KAFKA-14402)', () => {
  it('holds up the last stable offset when all is over', async () => {
    const { trace } = await judged('liveness-late-request', 'kafka-2.5', notHeldUp)
    expect(isStop(trace!)).toBe(true)
    const { partition, coordinator, instance } = last(trace!)
    expect(partition.some(({ producers }) => producers.some(({ openOffset }) => openOffset >= 0))).toBe(true)
    expect(coordinator[0]!.entry!.state).toBe('CompleteCommit')
    expect(instance[0]!.status).toBe('finished')
  })

  it('is prevented by verification', async () => {
    expect((await judged('liveness-late-request', 'kafka-3.9', notHeldUp)).verdict).toBe('proved')
  })
})

describe('a decided transaction', () => {
  it('is completed at last although a leader changes', async () => {
    const { verdict, vacuous } = await judged('liveness-leader-change', 'kafka-4.4', completed)
    expect([verdict, vacuous]).toEqual(['proved', false])
  })

  it('is not completed if markers are not sent again', async () => {
    const off = ['markers are sent again']
    const { verdict, trace } = await judged('liveness-leader-change', 'kafka-4.4', completed, off)
    expect(verdict).toBe('violated')
    expect(isStop(trace!)).toBe(true)
    expect(last(trace!).coordinator[0]!.entry!.state).toMatch(/^Prepare/)
  })
})

describe('the work', () => {
  it('is done after a crash if the instance starts twice more', async () => {
    expect((await judged('liveness-crash', 'kafka-4.4', workIsDone)).verdict).toBe('proved')
  })

  it('may need more than one start: a late InitProducerId of the crashed session fences the next one', async () => {
    const { config } = scenarios.find(({ name }) => name === 'liveness-crash')!
    const { properties } = await check(kafka, { ...config, restarts: 1 }, { properties: [workIsDone] })
    const { trace } = properties[0]!
    const late = trace!.steps.filter(({ args }) => args.copy === 'late').map(({ action }) => action)
    expect(late).toEqual(['HandleInitProducerId'])
    expect(last(trace!).instance[0]!.status).toBe('closed')
  })
})

it('no promise relies on a fault, nor on a zombie that wakes up; what it does once awake is no fault', async () => {
  const config = { inputs: 1, outputPartitions: 1, pauses: 1, liveness: true }
  const { properties } = await check(kafka, config, { properties: [workIsDone] })
  const { fairness, brokenBy } = properties[0]!.trace!.property!.lasso!
  const actions = new Set(fairness.weak.map((label) => label.split('(')[0]))
  expect(['Pause', 'Resume'].filter((name) => actions.has(name))).toEqual([])
  expect(['Start', 'AppendMarker', 'ReceiveReply'].filter((name) => !actions.has(name))).toEqual([])
  expect(brokenBy.weak).toEqual(['Resume(client: 0)'])
})
