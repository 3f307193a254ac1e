import { describe, expect, test } from 'vitest'
import { nearest, unknownName } from '../../checker/suggest.ts'

describe('the name that somebody meant', () => {
  test.each([
    ['crash', 'crashes'],
    ['EPOCH CHECK', 'marker epoch check'],
    ['3.9', 'kafka-3.9'],
    ['kafka-4.0', 'kafka-4.1'],
    ['claim-d1a', 'claim-D1a'],
  ])('%s is %s', (name, meant) => {
    const known = ['partition epoch check', 'marker epoch check', 'member check', 'crashes']
    expect(nearest(name, [...known, 'kafka-3.9', 'kafka-4.1', 'claim-D1a'])).toBe(meant)
  })

  test.each([
    ['9', ['0', '1', '2']],
    ['nothing of the kind', ['acks', 'inputs']],
    ['ab', ['a name that has abc in it']],
  ])('%s is none of them', (name, known) => {
    expect(nearest(name, known)).toBeUndefined()
  })
})

describe('what is said of a name that does not exist', () => {
  test('names all that do', () => {
    expect(unknownName('sort', 'c', ['a', 'b']).details.expected).toBe('one of: a, b')
    expect(unknownName('sort', 'c', []).details.expected).toBe('no sort exists here')
  })

  test('tells names with commas from each other', () => {
    expect(unknownName('sort', 'c', ['a', 'one, two']).details.expected).toBe('one of: a; one, two')
  })

  test('names the nearest if there are too many to be read', () => {
    const many = Array.from({ length: 41 }, (_, index) => `name ${index}`)
    const { expected, fix } = unknownName('name', 'name 400', many).details
    expect(expected).toBe(
      'one of 41 names; the nearest are: name 40; name 0; name 4; name 10; name 20; name 30; name 1; name 2',
    )
    expect(fix).toBe("did you mean 'name 40'?")
  })
})
