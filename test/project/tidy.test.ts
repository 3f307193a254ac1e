import { describe, expect, it } from 'vitest'
import { sourcesOf } from './sources.ts'
import { untidiness } from './tidy.ts'

const places = [
  'checker',
  'traces',
  'spec',
  'dumps',
  'examples',
  'cli',
  'bench',
  'scripts',
  'test',
  'index.ts',
  'vitest.config.ts',
]

describe('the sources', () => {
  it('are tidy', () => {
    expect(sourcesOf(...places).flatMap(untidiness)).toEqual([])
  })

  it.each([
    ['checker/a.ts', 'x\n'.repeat(401), 'checker/a.ts has 401 lines, more than 400'],
    ['checker/a.ts', `// ${'TO'}DO: later`, 'checker/a.ts:1 puts something off'],
    ['test/a.test.ts', `expect(1)\n  it.${'skip'}('x')`, 'test/a.test.ts:2 leaves tests out'],
    [
      'test/a.test.ts',
      `expect(1); describe.each([1]).${'only'}('x')`.replace('([1])', ''),
      'test/a.test.ts:1 leaves tests out',
    ],
    ['test/a.test.ts', `expect(1); f${'it'}('x')`, 'test/a.test.ts:1 leaves tests out'],
    ['test/a.test.ts', "it('does nothing', () => {})", 'test/a.test.ts asserts nothing'],
    ['spec/a.ts', 'console.log(1)', 'spec/a.ts:1 prints'],
    ['spec/a.ts', 'export default 1', 'spec/a.ts has a default export'],
  ])('would not be with this in %s', (path, text, problem) => {
    expect(untidiness({ path, text })).toEqual([problem])
  })
})
