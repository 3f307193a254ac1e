/** What was found of dumps as one page without scripts, with a picture of each log. */
import {
  doubts,
  type LogSummary,
  type OpenTransaction,
  rules,
  type Shown,
  type Validation,
} from '../../dumps/index.ts'
import { element, escaped, htmlPage } from '../report/html.ts'
import { counted } from '../report/numbers.ts'
import { blameOf, findingsInOrder, headline, meanings, openSentence, placeOf, readLine } from './words.ts'

const style = `
  table { width: auto }
  article { margin: 1rem 0; padding-left: 0.8rem; border-left: 4px solid #888 }
  .critical { border-color: #c22 } .error { border-color: #d70 } .warning { border-color: #cb0 }
  .why { opacity: 0.75 }
  .strip { display: flex; flex-wrap: wrap; gap: 2px; font: 11px/1.3 ui-monospace, monospace }
  .strip span { border: 1px solid #8886; border-radius: 3px; padding: 1px 4px; background: #8882; white-space: pre }
  .strip .committed { background: #2a62 } .strip .aborted { background: #8884; text-decoration: line-through }
  .strip .open { background: #cb05 } .strip .marker { border-style: dashed }
  .strip .found { outline: 2px solid #c22 } .strip .stable { border-left: 4px solid #27c }
`

export function validationHtml(validation: Validation, repeat: string): string {
  const body = [
    element('p', `${headline(validation)}: ${meanings[validation.outcome]}`),
    element('p', readLine(validation)),
    ...findings(validation),
    ...list(
      'Open at the end',
      validation.open.map((one) => `${placeOf(one.at)}: ${openSentence(one)}`),
    ),
    ...validation.logs.map((log) => logSection(log, validation)),
    ...list('The coordinator, last', validation.transactionalIds.map(idSentence)),
    ...list('Offsets of groups', validation.offsets.map(offsetSentence)),
    ...list(
      'Not known',
      validation.doubts.map(
        (one) => `${one.about} (${one.count}): ${one.found}, ${placeOf(one.at)}. ${doubts[one.about]}`,
      ),
    ),
    ...list(
      'Notes',
      validation.notes.map(({ found, at }) => `${found}, ${placeOf(at)}`),
    ),
    ...list(
      'Not read',
      validation.unread.map(
        ({ place, damaged, text, why }) =>
          `${place.file}:${place.line}: ${damaged ? 'damaged, ' : ''}${why}: ${text}`,
      ),
    ),
  ]
  return htmlPage('Dumps against the protocol', body, repeat, style)
}

function findings(validation: Validation): string[] {
  if (validation.findings.length === 0) return []
  const articles = findingsInOrder(validation.findings).map(
    ({ rule, severity, found, at, related, producer }) => {
      const { because, sources } = rules[rule]
      return [
        `<article class="${severity}">`,
        element('strong', `${severity}: ${rule} at ${placeOf(at)}`),
        element('div', found),
        ...(producer === undefined ? [] : [element('div', `by ${blameOf(producer)}`)]),
        ...related.map((one) => element('div', `see ${placeOf(one)}`)),
        element('div', `${because} [${sources.join('; ')}]`, 'why'),
        '</article>',
      ].join('\n')
    },
  )
  return ['<section>', element('h2', 'Findings'), ...articles, '</section>']
}

/** How to read the picture of a log. */
const legend = [
  '<p class="strip">',
  'one box for each batch: offsets, p PRODUCER/EPOCH, s SEQUENCE ',
  element('span', 'committed', 'committed'),
  element('span', 'aborted', 'aborted'),
  element('span', 'open', 'open'),
  element('span', 'marker', 'marker'),
  element('span', 'in a finding', 'found'),
  element('span', 'first that read_committed waits for', 'stable'),
  '</p>',
].join('\n')

const list = (title: string, sentences: readonly string[]): string[] =>
  sentences.length === 0
    ? []
    : [
        '<section>',
        element('h2', title),
        '<ul>',
        ...sentences.map((one) => element('li', one)),
        '</ul>',
        '</section>',
      ]

const idSentence = ({ transactionalId, value, at }: Validation['transactionalIds'][number]): string =>
  `${JSON.stringify(transactionalId)}: ${
    value === undefined
      ? 'expired'
      : `${value.state}, producer ${value.producerId}, epoch ${value.producerEpoch}`
  }, ${placeOf(at)}`

const offsetSentence = ({ group, partition, offset, pending }: Validation['offsets'][number]): string =>
  `${JSON.stringify(group)}, ${partition}: ${offset ?? 'nothing'} committed${
    pending.length === 0 ? '' : `, ${pending.join(', ')} waiting for a marker`
  }`

function logSection(log: LogSummary, validation: Validation): string {
  const { readers, transactions, strip, firstOffset = 0, endOffset, lastStableOffset } = log
  const cell = (shown: Shown) => cellOf(shown, log, validation)
  const seen =
    readers.committed === undefined ? 'as many as the dump does not tell' : String(readers.committed)
  return [
    '<section>',
    element('h2', log.name),
    element(
      'p',
      `Offsets ${firstOffset} to ${endOffset - 1}; ${counted(transactions.committed, 'transaction')} committed, ${transactions.aborted} aborted, ` +
        `${transactions.open} open; last stable offset ${lastStableOffset}. Readers with read_uncommitted are given ` +
        `${readers.uncommitted} records, with read_committed ${seen}, and ${readers.waiting} wait.`,
    ),
    legend,
    '<div class="strip">',
    ...strip.first.map(cell),
    ...(strip.hidden > 0 ? [element('span', `... ${strip.hidden} batches ...`)] : []),
    ...strip.last.map(cell),
    '</div>',
    '</section>',
  ].join('\n')
}

function cellOf(shown: Shown, log: LogSummary, { open, findings: found }: Validation): string {
  const { baseOffset, lastOffset, producerId = -1, producerEpoch, baseSequence = -1 } = shown
  const isFound = found.some(({ at }) => at.log === log.name && at.offset === baseOffset)
  const isStable = lastOffset < log.endOffset && baseOffset === log.lastStableOffset
  const kinds = [stateOf(shown, log, open), ...(isFound ? ['found'] : []), ...(isStable ? ['stable'] : [])]
  const range = baseOffset === lastOffset ? `${baseOffset}` : `${baseOffset}-${lastOffset}`
  const who = producerId < 0 ? '' : ` p${producerId}${producerEpoch === undefined ? '' : `/${producerEpoch}`}`
  const what =
    shown.control === true ? ` ${shown.marker ?? 'control'}` : baseSequence < 0 ? '' : ` s${baseSequence}`
  const title = `${kinds.join(', ')}; ${shown.place.file}:${shown.place.line}`
  return `<span class="${kinds.join(' ')}" title="${escaped(title)}">${escaped(range + who + what)}</span>`
}

/** What becomes of a batch for a reader with read_committed. */
function stateOf(shown: Shown, log: LogSummary, open: readonly OpenTransaction[]): string {
  const { producerId = -1, baseOffset, transactional } = shown
  if (shown.control === true) return 'marker'
  if (transactional !== true) return 'plain'
  const isAborted = log.strip.aborted.some(
    (one) => one.producerId === producerId && one.firstOffset <= baseOffset && baseOffset <= one.lastOffset,
  )
  if (isAborted) return 'aborted'
  const isOpen = open.some(
    (one) => one.log === log.name && one.producerId === producerId && (one.at.offset ?? 0) <= baseOffset,
  )
  return isOpen ? 'open' : 'committed'
}
