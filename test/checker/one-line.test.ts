/** Names that would break a table are refused where the model is built. */
import { describe, expect, test } from 'vitest'
import { action, always, check, type DefenceInfo } from '../../checker/index.ts'
import { demandOneLine } from '../../checker/one-line.ts'
import { errorOf, tiny } from './tiny.ts'

const body = { initial: { n: 0 }, components: ['n'] } as const

describe('a name of several lines is refused, with its text', () => {
  test.each(['', 'a\nb', 'a\u2028b', 'tab\there', '\u001b[31mred'])('%j', (name) => {
    expect(() => demandOneLine('a property', ['fine: "it" is', name])).toThrow(JSON.stringify(name))
  })

  test('of a property', async () => {
    const model = tiny({ ...body, components: ['n'], properties: [always('two\nlines', () => true)] })
    expect(await errorOf(check(model, {}))).toMatchObject({
      code: 'invalid-model',
      message: expect.stringContaining('the name of a property is "two\\nlines"'),
    })
  })

  test('of an action', async () => {
    const model = tiny({ ...body, components: ['n'], actions: [action('two\nlines', {}, () => {})] })
    expect((await errorOf(check(model, {}))).message).toContain('the name of an action is "two\\nlines"')
  })

  test('of a defence', async () => {
    const defence: DefenceInfo<object> = { name: 'two\nlines', summary: 'none', sources: [] }
    const model = { ...tiny({ ...body, components: ['n'] }), defences: [defence] }
    expect((await errorOf(check(model, {}))).message).toContain('the name of a defence is "two\\nlines"')
  })
})
