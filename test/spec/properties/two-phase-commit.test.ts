/** Kafka's decision beside that of an external store. */
import { describe, expect, it } from 'vitest'
import type { KafkaState } from '../../../spec/state.ts'
import { type Change, decided, verdict } from './judging.ts'

const property = 'the external decision is what Kafka decided'
const config = { twoPhaseCommit: true }

const external =
  (outcomes: KafkaState['ghost']['external']): Change =>
  ({ ghost }) => {
    ghost.external = outcomes
  }

describe(property, () => {
  const notByStore = 'nothing is committed but by the store'
  const aborted = 'what the store committed is not aborted'
  const rows: readonly {
    store: KafkaState['ghost']['external']
    kafka: KafkaState['ghost']['decisions']
    says: string
  }[] = [
    { store: { 's1.1': 'commit' }, kafka: { 's1.1': 'commit' }, says: 'holds' },
    { store: { 's1.1': 'abort' }, kafka: { 's1.1': 'abort' }, says: 'holds' },
    { store: { 's1.1': 'commit' }, kafka: {}, says: 'holds' },
    { store: {}, kafka: { 's1.1': 'abort' }, says: 'holds' },
    { store: { 's1.1': 'commit' }, kafka: { 's1.2': 'abort' }, says: 'holds' },
    { store: { 's1.1': 'commit' }, kafka: { 's1.1': 'abort' }, says: aborted },
    { store: { 's1.1': 'commit' }, kafka: { 's1.1': 'contradicted' }, says: aborted },
    { store: { 's1.1': 'abort' }, kafka: { 's1.1': 'commit' }, says: notByStore },
    { store: {}, kafka: { 's1.1': 'commit' }, says: notByStore },
  ]
  it.each(rows)('store $store, Kafka $kafka: $says', ({ store, kafka, says }) => {
    expect(verdict(property, { config, changes: [external(store), decided(kafka)] })).toBe(says)
  })

  it('is promised only where a store decides', () => {
    expect(verdict(property, { changes: [] })).toBe('not promised')
  })
})
