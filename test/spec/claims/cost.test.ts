import { describe, expect, it } from 'vitest'
import { check } from '../../../index.ts'
import { costClaims, workIn, workText } from '../../../spec/claims/cost.ts'

const cases = costClaims.flatMap(({ id, cases }) => cases.map((each) => ({ ...each, id })))

describe('what transactions cost', () => {
  it.each(cases)('is counted: $id, $name', async ({ model, config, preset, expected, because }) => {
    const properties = Object.keys(expected)
    const result = await check(
      model,
      { ...config, ...(preset === undefined ? {} : { preset }) },
      { properties },
    )
    const { trace } = result.properties[0]!
    expect(because).toContain(workText(workIn(trace!)))
  })

  it('is counted on what happens, and on nothing else', () => {
    const trace = { model: 'none', states: [], steps: [] } as unknown as Parameters<typeof workIn>[0]
    expect(workText(workIn(trace))).toBe(
      '0 records, 0 markers, 0 writes to the transaction log, 0 requests to the coordinator',
    )
  })
})
