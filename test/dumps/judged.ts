/** Judges dumps that are given as text, by the name of their file. */
import { type RuleName, type Validation, Validator } from '../../dumps/index.ts'

export function judge(files: Readonly<Record<string, string>>): Validation {
  const validator = new Validator()
  for (const [name, text] of Object.entries(files)) {
    const reader = validator.reader(name)
    const lines = text.split('\n')
    if (lines.at(-1) === '') lines.pop()
    for (const [index, line] of lines.entries()) reader.line(index + 1, line)
    reader.end()
  }
  return validator.finish()
}

/** The rules that were broken, each once, in the order in which it was found. */
export const broken = ({ findings }: Validation): RuleName[] => [...new Set(findings.map(({ rule }) => rule))]

export const doubted = ({ doubts }: Validation): string[] => doubts.map(({ about }) => about)
