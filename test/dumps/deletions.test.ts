/** Whatever is left out of a dump that is as it should be: nobody is accused. And no text breaks the reader. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formats } from './generate.ts'
import { judge } from './judged.ts'
import { random } from './random-log.ts'

const linesOf = (text: string) => text.trimEnd().split('\n')

describe('a run of a producer', () => {
  it('is explained in every format that tells enough, and never accused', () => {
    fc.assert(
      fc.property(random.runs, fc.constantFrom(...formats), (run, format) => {
        const result = judge(run.dumps(format))
        expect(result.findings).toEqual([])
        if (format === '3.3') expect(result.outcome).toBe('explained')
      }),
      { numRuns: 150 },
    )
  })

  it('is not accused of what was left out of its dumps', () => {
    fc.assert(
      fc.property(
        random.runs,
        fc.constantFrom(...formats),
        fc.infiniteStream(fc.nat(9)),
        (run, format, dice) => {
          const left = Object.fromEntries(
            Object.entries(run.dumps(format)).map(([name, text]) => [
              name,
              linesOf(text)
                .filter(() => dice.next().value !== 0)
                .join('\n'),
            ]),
          )
          expect(judge(left).findings).toEqual([])
        },
      ),
      { numRuns: 400 },
    )
  })

  it('is not accused if a log begins later or ends earlier', () => {
    fc.assert(
      fc.property(random.runs, fc.infiniteStream(fc.nat(100)), (run, dice) => {
        const left = Object.fromEntries(
          Object.entries(run.dumps('3.3')).map(([name, text]) => {
            const [dumping = '', , ...lines] = linesOf(text)
            const [one, other] = [dice.next().value, dice.next().value].sort((a, b) => a - b)
            const at = (part: number) => Math.floor((lines.length * part) / 100)
            return [name, [dumping, ...lines.slice(at(one / 3), at(other))].join('\n')]
          }),
        )
        expect(judge(left).findings).toEqual([])
      }),
      { numRuns: 400 },
    )
  })
})

const token = fc.constantFrom(
  'baseOffset: ',
  'lastOffset: ',
  '| offset: ',
  'offset: ',
  'Dumping ',
  'producerId: ',
  'producerEpoch: ',
  '-1',
  '0',
  '7',
  '99999999999999999999',
  ' ',
  '\n',
  'key: ',
  'payload: ',
  'headerKeys: []',
  'endTxnMarker: ',
  'COMMIT',
  'coordinatorEpoch: ',
  'crc: 1',
  'isvalid: true',
  '::TransactionMetadata(',
  'transactionalId=',
  '{"key":{',
  '}',
  '...',
  '\\',
  '$ kafka-dump-log.sh --files ',
  '/d/a-0/00000000000000000000.log',
  'version: 0 ',
  'Starting offset: ',
  'OptionalLong[',
  ']',
  '\u0000',
  '\u001b[31m',
  '\ud800',
  'ProducerId ProducerEpoch LastSequence',
  '1 2 3',
  'isTransactional: true',
  'isControl: true',
  'baseSequence: 0 lastSequence: 0',
  'partitionLeaderEpoch: 0',
)

describe('hostile text', () => {
  it('is accounted for, line by line', () => {
    const texts = fc.oneof(
      fc.array(token, { maxLength: 60 }).map((tokens) => tokens.join('')),
      fc.string({ unit: 'binary', maxLength: 300 }),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const { files } = judge({ 'a.txt': text })
        const total = Object.values(files[0]?.lines ?? {}).reduce((sum, count) => sum + count, 0)
        expect(total).toBe(text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0))
      }),
      { numRuns: 1500 },
    )
  })

  it.each([
    [
      'a long list',
      `| offset: 0 headerKeys: [] key: transaction_metadata::transactionalId=${' payload: producerId:1,producerEpoch:1,state=A,partitions=['.repeat(4000)}`,
    ],
    ['many brackets', `| offset: 0 headerKeys: [${'] key: '.repeat(100_000)}`],
    [
      'JSON that never ends',
      `| offset: 0 headerKeys: [] key: ${'{"a":'.repeat(100_000)} payload: ${'}'.repeat(90_000)}`,
    ],
    ['words', 'a '.repeat(300_000)],
    ['prefixes', '1: '.repeat(200_000)],
    ['colons', `producerId: 1 producerEpoch: 1 ${'x:'.repeat(200_000)}`],
    ['an id', `${'::TransactionMetadata(transactionalId='.repeat(10_000)}, producerId=1`],
    ['a file that is one line of digits', '1'.repeat(900_000)],
  ])('does not hold anybody up: %s', (_, text) => {
    const begun = process.cpuUsage().user
    judge({ 'a.txt': `${text}\nbaseOffset: 0\n${text}` })
    expect((process.cpuUsage().user - begun) / 1e6).toBeLessThan(20)
  })
})
