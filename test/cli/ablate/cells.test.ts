import { describe, expect, it } from 'vitest'
import { cellsOf } from '../../../cli/ablate/cells.ts'
import { check } from '../../../index.ts'
import { standIn } from '../stand-in.ts'

const without = (defencesOff: readonly string[], limits: { maxDepth?: number } = {}) =>
  check(standIn.model, {}, { defencesOff, continueAfterViolation: true, ...limits })

const effectOn = (property: string, cells: ReturnType<typeof cellsOf>) =>
  cells.find((cell) => cell.property === property)?.effect

describe('cellsOf', () => {
  it('leaves witnesses out, and tells steps, which are one less than levels', async () => {
    const cells = cellsOf(await without(['epoch check']), await without([]))
    expect(cells.map(({ property, effect, steps }) => [property, effect, steps])).toEqual([
      ['epochs never fall', 'falls', 4],
      ['epochs are unique', 'holds', undefined],
      ['written once', 'holds', undefined],
    ])
  })

  it('blames a removal only for levels that were searched with every defence in place', async () => {
    const found = await without(['epoch check'])
    const [shallow, deep] = [await without([], { maxDepth: 3 }), await without([], { maxDepth: 6 })]
    expect(effectOn('epochs never fall', cellsOf(found, shallow))).toBe('unsettled')
    expect(effectOn('epochs never fall', cellsOf(found, deep))).toBe('falls')
  })

  it('does not say that a property holds which holds so far', async () => {
    const cells = cellsOf(await without(['epoch check'], { maxDepth: 3 }), await without([]))
    expect(new Set(cells.map(({ effect }) => effect))).toEqual(new Set(['unsettled']))
  })

  it('blames no removal for what is violated anyway', async () => {
    const broken = await without(['epoch check'])
    const [cell] = cellsOf(broken, broken)
    expect(cell).toMatchObject({ property: 'epochs never fall', effect: 'violated anyway', steps: 4 })
    expect(cell).not.toHaveProperty('trace')
  })
})
