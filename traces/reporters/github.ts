/**
 * A result as workflow commands of GitHub Actions: an annotation for what is broken or open, and the counterexamples in groups
 * that unfold (https://docs.github.com/actions/reference/workflow-commands-for-github-actions).
 */
import type { PropertyResult } from '../../checker/result.ts'
import { outcomeOf, type Reported, sentenceOf } from './reported.ts'
import { messageOf, storyOf } from './story.ts'

export function githubReport({ result, title }: Reported): string {
  const { properties, verdict } = result
  const broken = properties.filter((property) => outcomeOf(property) === 'broken')
  const summary = properties.map((property) => `${property.name}: ${sentenceOf(property)}`)
  const lines = [
    ...groupLines(`${title}: ${verdict}`, summary),
    ...broken.flatMap((property) => [
      command('error', property.name, messageOf(property)),
      ...groupLines(`how it breaks: ${property.name}`, storyOf(property)),
    ]),
    ...openLines(properties.filter((property) => outcomeOf(property) === 'open')),
  ]
  return `${lines.join('\n')}\n`
}

/** Properties that are open for the same reason share an annotation: a step shows only the first ten of a kind. */
function openLines(open: readonly PropertyResult[]): string[] {
  const names = new Map<string, { readonly verdict: string; readonly names: string[] }>()
  for (const property of open) {
    const sentence = sentenceOf(property)
    const known = names.get(sentence)
    if (known === undefined) names.set(sentence, { verdict: property.verdict, names: [property.name] })
    else known.names.push(property.name)
  }
  return [...names].map(([sentence, { verdict, names: shared }]) => {
    const level = verdict === 'sampled' ? 'notice' : 'warning'
    return command(
      level,
      shared.length === 1 ? shared.join() : `${shared.length} properties`,
      [sentence, ...(shared.length === 1 ? [] : shared)].join('\n'),
    )
  })
}

/**
 * Lines that unfold. What is in them is not ours: a name could look like a command, in the old form anywhere in a line. So
 * commands are off while they are printed, until a word comes that is not in them.
 */
function groupLines(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const text = lines.join('\n')
  let number = 1
  while (text.includes(`fencepost-${number}`)) number++
  const word = `fencepost-${number}`
  const heading = `::group::${data(title)}`
  return [heading, `::stop-commands::${word}`, ...text.split(/\r\n|[\r\n]/), `::${word}::`, '::endgroup::']
}

const command = (level: 'error' | 'warning' | 'notice', title: string, message: string): string =>
  `::${level} title=${data(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${data(message)}`

const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
