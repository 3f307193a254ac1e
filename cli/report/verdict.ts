/** What a run found, in one or two sentences that never say more than was explored. */
import type { CheckResult, Limit, PropertyResult, Sample } from '../../checker/index.ts'
import { isVacuous } from '../exit-codes.ts'
import { counted, grouped, mebibytes, seconds } from './numbers.ts'

export function verdictSentences(result: CheckResult): string[] {
  const { properties, limit, verdict, sample } = result
  const vacuous = properties.filter(isVacuous).map(({ name }) => name)
  return [
    ...properties.flatMap(brokenSentence),
    ...(vacuous.length > 0 ? [`vacuous, what they are about never happens: ${vacuous.join('; ')}`] : []),
    ...(sample === undefined ? limitSentences(limit) : sampleSentences(result, sample)),
    ...(verdict === 'proved'
      ? ['every state that is reachable within the configured bounds was visited']
      : []),
    ...(verdict === 'violated' && properties.some((property) => property.verdict === 'inconclusive')
      ? [`the search stopped at depth ${result.depth}; --continue settles the other properties`]
      : []),
  ]
}

const limitSentences = (limit: Limit | undefined): string[] =>
  limit === undefined ? [] : [`${limitSentence(limit)}; complete to depth ${limit.completeToDepth}, no proof`]

/** What was walked, and what nothing was learnt about. */
function sampleSentences({ properties, limit }: CheckResult, sample: Sample): string[] {
  const { walks, steps, maxDepth, reachedMaxDepth, seed } = sample
  const silent = properties.filter(({ verdict, vacuous }) => verdict === 'sampled' && vacuous)
  const named = (kind: 'reachable' | 'others') =>
    silent.filter((property) => (property.kind === 'reachable') === (kind === 'reachable'))
  const list = (about: string, found: readonly PropertyResult[]) =>
    found.length === 0 ? [] : [`${about}: ${found.map(({ name }) => name).join('; ')}`]
  return [
    ...(limit === undefined ? [] : [limitSentence(limit)]),
    `${counted(walks, 'random walk')}, ${counted(steps, 'step')}, seed ${seed}: a sample, no proof`,
    ...(reachedMaxDepth === 0
      ? []
      : [`${counted(reachedMaxDepth, 'walk')} ended at depth ${maxDepth}, where --depth ends them`]),
    ...list('not seen in these walks', named('reachable')),
    ...list('never put to the test in these walks', named('others')),
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
