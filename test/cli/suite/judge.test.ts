/** A case that does not come out as it says is never taken for one that does. */
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../checker/index.ts'
import { judgeCase } from '../../../cli/suite/judge.ts'
import type { ClaimCase } from '../../../spec/index.ts'
import { standIn } from '../stand-in.ts'

const known = (standIn.claims[0]?.cases ?? []) as readonly ClaimCase[]
const [once, twice] = known as [ClaimCase, ClaimCase]

const differences = async (one: ClaimCase) => {
  const { asExpected, properties } = await judgeCase(one)
  const differs = properties.flatMap((property) => property.differs ?? [])
  expect(asExpected).toBe(differs.length === 0)
  return differs
}

describe('a case of a claim', () => {
  it.each(known)('$name: comes out as expected', async (one) => {
    expect(await differences(one)).toEqual([])
  })

  it('judges only what it asks, and says where the trace shows it', async () => {
    const { properties } = await judgeCase(twice)
    expect(properties.map(({ name, expected, found }) => ({ name, expected, found }))).toEqual([
      { name: 'written once', expected: 'violated', found: 'violated' },
    ])
    expect(properties[0]?.shown.map(({ step }) => step)).toEqual([2, 2, 3])
  })

  it('differs if what should be violated is proved, and the other way round', async () => {
    const hoped = { ...once, expected: { 'written once': 'violated' }, shows: {} } as const
    expect(await differences(hoped)).toEqual(["'written once' is proved, expected violated"])
    const feared = { ...twice, expected: { 'written once': 'proved' }, shows: {} } as const
    expect(await differences(feared)).toEqual(["'written once' is violated, expected proved"])
  })

  it('differs if the trace does not show the reason', async () => {
    const other = { ...twice, shows: { 'written once': ['reply: lost', 'Expire'] } }
    expect(await differences(other)).toEqual([
      "the trace of 'written once' does not show 'Expire' after 'reply: lost' in step 2",
    ])
    const reversed = { ...twice, shows: { 'written once': ['Nothing'] } }
    expect(await differences(reversed)).toEqual(["the trace of 'written once' does not show 'Nothing'"])
  })

  it('differs if something is proved because it is about nothing', async () => {
    const empty = {
      ...once,
      config: { idle: true },
      expected: { 'nothing happens after expiry': 'proved' },
      shows: {},
    } as const
    expect(await differences(empty)).toEqual([
      "'nothing happens after expiry' is proved because what it is about never happens",
    ])
  })

  it('is run under its preset and without its defences', async () => {
    const { result } = await judgeCase({ ...twice, without: ['epoch check'] })
    expect([result.config, result.defencesOff]).toEqual([
      expect.objectContaining({ preset: 'kafka-3.9' }),
      ['epoch check'],
    ])
  })

  it('is refused if it asks for what the model does not have', async () => {
    await expect(judgeCase({ ...once, expected: { 'written twice': 'proved' } })).rejects.toThrow(UsageError)
    await expect(judgeCase({ ...once, config: { wrtiers: 1 } })).rejects.toThrow(UsageError)
  })
})
