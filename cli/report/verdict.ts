/** What a run found, in one or two sentences that never say more than was explored. */
import type { CheckResult, Limit, PropertyResult } from '../../checker/index.ts'
import { isVacuous } from '../exit-codes.ts'
import { counted, grouped, mebibytes, seconds } from './numbers.ts'

export function verdictSentences(result: CheckResult): string[] {
  const { properties, limit, verdict } = result
  const vacuous = properties.filter(isVacuous).map(({ name }) => name)
  return [
    ...properties.flatMap(brokenSentence),
    ...(vacuous.length > 0 ? [`vacuous, what they are about never happens: ${vacuous.join('; ')}`] : []),
    ...(limit === undefined
      ? []
      : [`${limitSentence(limit)}; complete to depth ${limit.completeToDepth}, no proof`]),
    ...(verdict === 'proved'
      ? ['every state that is reachable within the configured bounds was visited']
      : []),
    ...(verdict === 'violated' && properties.some((property) => property.verdict === 'inconclusive')
      ? [`the search stopped at depth ${result.depth}; --continue settles the other properties`]
      : []),
  ]
}

function brokenSentence({ name, verdict, depth }: PropertyResult): string[] {
  if (verdict === 'unwitnessed') return [`never happens: ${name}`]
  if (verdict !== 'violated') return []
  return [`violated${depth === undefined ? '' : ` in ${counted(depth - 1, 'step')}`}: ${name}`]
}

function limitSentence({ kind, value }: Limit): string {
  const sentences: Readonly<Record<Limit['kind'], string>> = {
    states: `stopped at the limit of ${counted(value, 'state')}`,
    depth: `stopped at the limit of ${counted(value, 'level')}`,
    memory: `stopped at the limit of ${mebibytes(value)} of memory`,
    time: `stopped at the limit of ${seconds(value)}`,
    interrupted: 'stopped by you',
    constraint: `the model's constraint cut ${grouped(value)} states off`,
  }
  return sentences[kind]
}
