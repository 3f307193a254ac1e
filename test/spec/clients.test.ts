/** A client's defaults are taken where nothing else is said, and nowhere else. */
import { parse } from 'valibot'
import { describe, expect, it } from 'vitest'
import { clientNames, clientProfiles } from '../../spec/clients.ts'
import { configSchema } from '../../spec/config.ts'

const settingsOf = (given: object) => {
  const { producer, isolation, groupMetadata, fetchOffsets } = parse(configSchema, given)
  return [producer, isolation, groupMetadata, fetchOffsets]
}
const produce = { application: 'produce' }
const plainLoop = { offsetCommits: 'after the output' }
const nobody = ['transactional', 'read_committed', 'owner', 'after init']

describe('without a client', () => {
  it('the application is the one of the standard scenario', () => {
    for (const given of [{}, produce]) expect(settingsOf(given)).toEqual(nobody)
    expect(parse(configSchema, {})).not.toHaveProperty('client')
  })
})

describe('a client', () => {
  it.each(clientProfiles)('sets what its profile says, and no more: $name', ({ name, settings }) => {
    const [producer, ...others] = nobody
    const { isolation, groupMetadata = others[1], fetchOffsets = others[2] } = settings
    const readers = [isolation, groupMetadata, fetchOffsets]
    expect(settingsOf({ client: name, ...produce })).toEqual([settings.producer, ...readers])
    expect(settingsOf({ client: name, ...plainLoop })).toEqual([settings.producer, ...readers])
    // The application asks for transactions, so its producer has them.
    expect(settingsOf({ client: name })).toEqual([producer, ...readers])
  })

  it.each(clientNames)('sets nothing that is given: %s', (client) => {
    const given = {
      ...produce,
      producer: 'transactional',
      isolation: 'read_uncommitted',
      groupMetadata: 'group id only',
      fetchOffsets: 'before init',
    }
    expect(parse(configSchema, { client, ...given })).toMatchObject(given)
  })

  it('that knows the old protocol only speaks it to any cluster, unless that is said otherwise', () => {
    expect(parse(configSchema, { client: 'kafkajs' }).flags).toEqual({ clientVersion: 1 })
    expect(parse(configSchema, { client: 'kafkajs', flags: { clientVersion: 2 } }).flags).toEqual({
      clientVersion: 2,
    })
    expect(parse(configSchema, { client: 'java' }).flags).toEqual({})
  })

  const java = { client: 'java', ...produce }
  it.each([
    { when: 'since 3.0', given: { preset: 'kafka-3.6' }, producer: 'idempotent' },
    { when: 'not before', given: { preset: 'kafka-2.5' }, producer: 'plain' },
    { when: 'not with acks that conflict with it', given: { acks: '1' }, producer: 'plain' },
  ])('is idempotent by itself, if it is the Java client, $when', ({ given, producer }) => {
    expect(settingsOf({ ...java, ...given })[0]).toBe(producer)
  })

  it('refuses acks that conflict with idempotence that is asked for', () => {
    expect(() => settingsOf({ ...java, producer: 'idempotent', acks: '1' })).toThrow('KIP-679')
  })

  it('is one of those that are known', () => {
    expect(() => settingsOf({ client: 'jvm' })).toThrow('jvm')
  })
})

it('parameters come in one order, whoever sets them', () => {
  const keys = (given: object) => Object.keys(parse(configSchema, given)).filter((key) => key !== 'client')
  expect(keys({ client: 'kafkajs' })).toEqual(keys({}))
  expect(keys({ producer: 'plain', ...produce })).toEqual(keys({}))
})
