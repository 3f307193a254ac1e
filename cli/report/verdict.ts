/** What a run found, in one or two sentences that never say more than was explored. */
import type { CheckResult, Limit, PropertyResult, Sample } from '../../checker/index.ts'
import { isVacuous } from '../exit-codes.ts'
import { counted, grouped, mebibytes, seconds } from './numbers.ts'

/** The verdict of a run, or of a property, with the word that it must not be read without. */
export const shownVerdict = ({ verdict, properties }: Pick<CheckResult, 'verdict' | 'properties'>): string =>
  properties.some(isVacuous) ? `${verdict}, ${verdict === 'proved' ? 'but ' : ''}vacuous` : verdict

export function verdictSentences(result: CheckResult): string[] {
  const { properties, verdict, sample } = result
  const vacuous = properties.filter(isVacuous).map(({ name }) => name)
  return [
    ...properties.flatMap(brokenSentence),
    ...(vacuous.length > 0 ? [`vacuous, what they are about never happens: ${vacuous.join('; ')}`] : []),
    ...(sample === undefined ? limitSentences(result) : sampleSentences(result, sample)),
    ...(verdict === 'proved'
      ? ['every state that is reachable within the configured bounds was visited']
      : []),
    ...(verdict === 'violated' && properties.some((property) => property.verdict === 'inconclusive')
      ? [`the search stopped at depth ${result.depth}; --continue settles the other properties`]
      : []),
  ]
}

function limitSentences({ limit, properties }: CheckResult): string[] {
  if (limit === undefined) return []
  const complete = `complete to depth ${limit.completeToDepth}, no proof`
  return [`${limitSentence(limit)}; ${complete}`, ...silentSentences(properties, 'bounded', 'so far')]
}

/** What nothing was learnt about, where the end of the search does not say that there is nothing. */
function silentSentences(
  properties: readonly PropertyResult[],
  verdict: PropertyResult['verdict'],
  where: string,
): string[] {
  const silent = properties.filter((property) => property.verdict === verdict && property.vacuous)
  const [witnesses, others] = [true, false].map((ofWitnesses) =>
    silent.filter(({ kind }) => (kind === 'reachable') === ofWitnesses).map(({ name }) => name),
  ) as [string[], string[]]
  return [
    ...(witnesses.length > 0 ? [`not seen ${where}: ${witnesses.join('; ')}`] : []),
    ...(others.length > 0 ? [`never put to the test ${where}: ${others.join('; ')}`] : []),
  ]
}

/** What was walked, and what nothing was learnt about. */
function sampleSentences({ properties, limit }: CheckResult, sample: Sample): string[] {
  const { walks, steps, maxDepth, reachedMaxDepth, seed } = sample
  return [
    ...(limit === undefined ? [] : [limitSentence(limit)]),
    `${counted(walks, 'random walk')}, ${counted(steps, 'step')}, seed ${seed}: a sample, no proof`,
    ...(reachedMaxDepth === 0
      ? []
      : [`${counted(reachedMaxDepth, 'walk')} ended at depth ${maxDepth}, where --depth ends them`]),
    ...silentSentences(properties, 'sampled', 'in these walks'),
  ]
}

function brokenSentence({ name, verdict, depth, trace }: PropertyResult): string[] {
  if (verdict === 'unwitnessed') return [`never happens: ${name}`]
  if (verdict !== 'violated') return []
  if (trace?.loop !== undefined) return [`violated for ever after ${counted(trace.loop, 'step')}: ${name}`]
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
