/** Requests of one connection stay in order, also when it is closed; what comes late is answered to nobody. */
import { describe, expect, it } from 'vitest'
import { presets } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  addFirst,
  advance,
  appendVerified,
  begin,
  decide,
  getEpoch,
  handleProduce,
  output,
  verified,
  workOfFirstTransaction,
} from './steps.ts'

const preset = 'kafka-3.9'
const lateProduce: NamedStep = ['HandleProduce', { client: 0, partition: output, copy: 'late' }]
/** Of several requests on the wire the first ones survive. */
const delay = (surviving?: number): NamedStep => [
  'DelayRequest',
  { client: 0, broker: output },
  surviving === undefined ? {} : { 'how many of the requests on the wire still arrive': surviving },
]
/** Two batches are on the wire. */
const sending = (config: object = { lateRequests: 1 }) =>
  new Behaviour({ preset, recordsPerOutput: 2, maxInFlight: 2, ...config }).take(
    ...getEpoch(),
    ...begin(),
    ...addFirst(preset),
  )
const traffic = (run: Behaviour) => {
  const { requests, unsent, late } = run.state.connection[0]!.partition[output]!
  const sequences = (batches: readonly object[]) =>
    batches.map((one) => (one as { sequence: number }).sequence)
  return { requests: sequences(requests), unsent: sequences(unsent), late: late.map(sequences) }
}

describe('a connection with two batches that is closed', () => {
  it('is closed with both; they are sent again one after the other', () => {
    const run = sending().take(delay(2))
    expect(traffic(run)).toEqual({ requests: [0], unsent: [1], late: [[0, 1]] })
    run.take(handleProduce(), ...verified(output), appendVerified(output), advance(output))
    expect(traffic(run)).toEqual({ requests: [1], unsent: [], late: [[0, 1]] })
  })

  it('may lose its tail, not its head', () => {
    expect(sending().options(['DelayRequest', { client: 0, broker: output }])).toEqual({
      'how many of the requests on the wire still arrive': [1, 2],
    })
    const run = sending({ lostRequests: 1 }).take(['LoseRequest', { client: 0, broker: output }])
    expect(traffic(run)).toEqual({ requests: [0], unsent: [1], late: [] })
  })

  it('has the second late batch wait until the first is verified and appended', () => {
    const run = sending().take(delay(2), lateProduce)
    expect(run.blockedBy(lateProduce)).toBe('a late request of this kind is under way')
    run.take(...verified(output), appendVerified(output))
    expect(traffic(run).late).toEqual([[1]])
    run.take(lateProduce)
    expect([run.log(output), traffic(run).late]).toEqual([['#0(0)', '#1(0)'], []])
  })

  it('has it wait behind the batch that was being verified when the connection broke', () => {
    const run = sending().take(handleProduce(), delay())
    expect(traffic(run)).toEqual({ requests: [0], unsent: [1], late: [[0, 1]] })
    expect(run.blockedBy(lateProduce)).toBe('a late request of this kind is under way')
    run.take(...verified(output), appendVerified(output))
    expect([run.log(output), traffic(run).late]).toEqual([['#0(0)'], [[1]]])
  })

  it('has no answer to give: what is appended for it is answered to nobody', () => {
    const run = sending().take(handleProduce(), ...verified(output), appendVerified(output), delay())
    expect(run.state.partition[output]!.awaiting).toEqual([])
    run.take(advance(output))
    expect([run.reply({ partition: output }), traffic(run)]).toEqual([
      'none',
      { requests: [0], unsent: [1], late: [[1]] },
    ])
    run.take(handleProduce())
    expect(run.reply({ partition: output })).toBe('NONE')
  })
})

describe.each(presets)('%s: a marker whose connection was closed', (version) => {
  const marked = (marker: number) => {
    const run = new Behaviour({ preset: version, lateMarkers: 1 })
    run.take(...workOfFirstTransaction(version), ...decide(), ['DelayMarker', { partition: output }])
    return run.take(['AppendMarker', { partition: output }, { marker }], advance(output))
  }

  it('acknowledges nothing when it comes: the coordinator waits for the one that it sent again', () => {
    const run = marked(1)
    expect([run.log(output).length, run.coordinator]).toEqual([2, expect.stringContaining('{0,1}')])
    run.take(['AppendMarker', { partition: output }], advance(output))
    expect([run.log(output).length, run.coordinator]).toEqual([3, expect.stringContaining('{1}')])
  })

  it('is not waited for', () => {
    expect(marked(0).coordinator).toContain('{1}')
  })
})

describe('a process that is gone', () => {
  const fates = (run: Behaviour, action: NamedStep) => run.options(action)['requests that still arrive']

  it('leaves what it sent first on a connection, or nothing', () => {
    const run = sending({ crashes: 1, survivors: 2 })
    const first = 'Produce #0 of s1.1 to partition-0'
    const second = 'Produce #1 of s1.1 to partition-0'
    const offsets = 'AddOffsetsToTxn of s1.1 to coordinator'
    expect(fates(run, ['Crash', { client: 0 }])).toEqual([
      [],
      [first],
      [first, second],
      [offsets],
      [offsets, first],
    ])
  })
})
