/** Names that are printed in tables, given as arguments and written into reports stay on one line. */
import { ModelError } from './errors.ts'

/** @throws ModelError 'invalid-model' if a name is empty or has a line break or another control character */
export function demandOneLine(kind: string, names: readonly string[]): void {
  for (const name of names) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    if (name !== '' && !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name)) continue
    throw new ModelError({
      code: 'invalid-model',
      found: `the name of ${kind} is ${JSON.stringify(name)}`,
      expected: 'some text on one line',
    })
  }
}
