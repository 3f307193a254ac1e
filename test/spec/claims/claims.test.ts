/** Every claim can be found, cited and checked, and nothing comes out as expected by accident. */
import { describe, expect, it } from 'vitest'
import { prepare } from '../../../checker/prepare.ts'
import { slug } from '../../../cli/trace-files.ts'
import { claims } from '../../../spec/claims/index.ts'

const twice = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) < index)

it('each id is there once', () => {
  expect(claims.length).toBeGreaterThan(20)
  expect(twice(claims.map(({ id }) => id))).toEqual([])
})

describe.each(claims)('$id', ({ claim, stands, sources, cases, table }) => {
  it('says something, and who says so', () => {
    expect(claim).toMatch(/^\S.*[^.\s]$/)
    expect(sources.length).toBeGreaterThan(0)
    expect(cases.length).toBeGreaterThan(0)
    // Names of files are made from them.
    expect(twice(cases.map(({ name }) => slug(name)))).toEqual([])
  })

  it('has no two cases in one place of its table, and says of each what the table asks for', () => {
    const placed = cases.flatMap(({ cell, expected }) => (cell === undefined ? [] : [{ cell, expected }]))
    expect(placed.length > 0).toBe(table !== undefined)
    const places = placed.flatMap(({ cell: { row, column }, expected }) =>
      Object.keys(expected).map((property) => JSON.stringify([row, column, property])),
    )
    expect(twice(places)).toEqual([])
    for (const { cell } of placed) {
      const has = { column: cell.column !== undefined, text: cell.text !== undefined }
      expect(has).toEqual({ column: table?.columns !== undefined, text: table?.cells !== undefined })
    }
  })

  it('is refuted by something that happens, if it is', () => {
    const verdicts = cases.flatMap(({ expected }) => Object.values(expected))
    if (stands === 'refuted') expect(verdicts).toContainEqual(expect.stringMatching(/^violated|witnessed$/))
  })

  it.each(cases)('$name: asks for what its model has, and gives the reason of what it finds', (one) => {
    const { model, preset, config, without = [], expected, shows = {} } = one
    const properties = Object.keys(expected)
    expect(properties.length).toBeGreaterThan(0)
    const whole = preset === undefined ? config : { preset, ...config }
    expect(() => prepare(model, whole, { defencesOff: without, properties })).not.toThrow()
    const traced = properties.filter((name) => /^(violated|witnessed)$/.test(expected[name] ?? ''))
    expect(Object.keys(shows).sort()).toEqual(traced.sort())
    for (const texts of Object.values(shows)) expect(texts.length).toBeGreaterThan(0)
  })
})
