import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { doubts, rules } from '../../dumps/index.ts'
import { changed, dumps, insert, type Logs, versionOne } from '../dumps/examples.ts'
import { data, dump, marker } from '../dumps/generate.ts'
import { fencepost, temporaryFolder } from './harness.ts'
import { problems } from './schemas.ts'

/** Files of dumps in a new folder. */
function written(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const validate = (folder: string, words: readonly string[]) => fencepost(['validate', ...words], { folder })

const twice = changed(versionOne, 'orders-0', insert(1, data(7, 0, 0, { records: 2 })))
const namesOf = (logs: Logs) => Object.keys(logs).map((name) => `${name}.txt`)

describe('fencepost validate', () => {
  it('says what is wrong, where, who is to blame and why', async () => {
    const { code, stdout } = await validate(written(dumps(twice)), namesOf(twice))
    expect(stdout).toMatchInlineSnapshot(`
      "findings: 1 critical
        the protocol does not allow what is listed below, or somebody should look at it
        3 files, 58 lines, none left unread

      critical: duplicate batch at orders-0, offset 2 (orders-0.txt:6)
        sequences 0 to 1 of epoch 0 are at offset 0 already
        by producer 7, epoch 0, transactional.id "app"
        see orders-0, offset 0 (orders-0.txt:3)
        a leader knows the last 5 batches of each producer, and answers a copy of one of them without appending it [ProducerStateEntry.findDuplicateBatch; UnifiedLog.analyzeAndValidateProducerState; KIP-98]

        log                   offsets  committed  aborted  open  LSO  read_uncommitted  read_committed  waiting
        orders-0              0 to 9           2        1     0   10                 7               6        0
        __consumer_offsets-0  0 to 5           2        1     0    6                 3               2        0

      the coordinator, last
        "app"  CompleteCommit, producer 7, epoch 0  __transaction_state-0, offset 10 (__transaction_state-0.txt:24)

      offsets of groups
        "g"  in-0  3 committed

      repeat: npx fencepost validate orders-0.txt __consumer_offsets-0.txt __transaction_state-0.txt
      "
    `)
    expect(code).toBe(1)
  })

  it.each<[string, Record<string, string>, number, string]>([
    ['all is explained', dumps(versionOne), 0, 'explained'],
    ['nothing is recognised', { 'a.txt': 'something\nelse\n' }, 2, 'unreadable'],
    [
      'a line is damaged',
      { 'a.txt': dump('a-0', [data(7, 0, 0)]).replace('producerId: 7', 'producerId: x') },
      2,
      'unreadable',
    ],
    [
      'the dump does not tell enough',
      { 'a.txt': dump('a-0', [data(7, 0, 4, { skip: 9 })]) },
      3,
      'inconclusive',
    ],
    [
      'a damaged dump has a fault as well',
      { 'a.txt': `${dump('a-0', [data(7, 1, 0), data(7, 0, 0)])}baseOffset: x\nbaseOffset: 7 lastOffset: y` },
      1,
      'findings',
    ],
  ])('where %s it ends with its own exit code', async (_, files, code, outcome) => {
    const result = await validate(written(files), Object.keys(files))
    expect(result.stdout.split(/[\n:]/)[0]).toBe(outcome)
    expect(result.code).toBe(code)
  })

  it('reads what is piped in', async () => {
    const bytes = new TextEncoder().encode(`${dump('ä-0', [data(7, 0, 0)])}\r\n`)
    const stdin = async function* () {
      for (const byte of bytes) yield Uint8Array.of(byte)
    }
    for (const words of [[], ['-']]) {
      const { code, stdout } = await fencepost(['validate', ...words], { stdin })
      expect(stdout).toContain('\n  1 file, 5 lines, none left unread\n')
      expect(code).toBe(0)
    }
  })

  it('reads snapshots and indexes before the log that they are compared with', async () => {
    const snapshot =
      'Dumping /d/orders-0/00000000000000000003.snapshot\n' +
      'producerId: 7 producerEpoch: 0 coordinatorEpoch: 0 currentTxnFirstOffset: OptionalLong.empty lastTimestamp: 1 ' +
      'firstSequence: 9 lastSequence: 9 lastOffset: 2 offsetDelta: 0 timestamp: 1\n'
    const folder = written({
      'a-log.txt': dumps(versionOne)['orders-0.txt'] ?? '',
      'b-snapshot.txt': snapshot,
    })
    const { code, stdout } = await validate(folder, ['a-log.txt', 'b-snapshot.txt'])
    expect(stdout).toContain('snapshot against the log at orders-0, offset 3 (b-snapshot.txt:2)')
    expect(code).toBe(1)
  })

  it('names a file that cannot be read', async () => {
    const { code, stdout, stderr } = await validate(written({}), ['missing.txt'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('error: missing.txt: this dump cannot be read: there is no such file or folder')
    expect((await validate(written({}), ['.'])).stderr).toContain('it is a folder')
  })

  it.each([
    ['utf-16le', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['utf-16be', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ])('reads %s, which PowerShell writes', async (_, encoded) => {
    const folder = written(dumps(twice))
    const expected = await validate(folder, namesOf(twice))
    for (const name of namesOf(twice))
      writeFileSync(join(folder, name), encoded(readFileSync(join(folder, name), 'utf8')))
    expect(await validate(folder, namesOf(twice))).toEqual(expected)
  })

  it.each(['--html', '--json'])('does not write %s over a dump that it reads', async (option) => {
    const folder = written(dumps(versionOne))
    symlinkSync('orders-0.txt', join(folder, 'link'))
    const before = readFileSync(join(folder, 'orders-0.txt'), 'utf8')
    for (const target of ['orders-0.txt', 'link']) {
      const { code, stderr } = await validate(folder, [...namesOf(versionOne), option, target])
      expect(code).toBe(2)
      expect(stderr).toBe(
        `error: ${option}: cannot write ${join(folder, target)}: it is a file that is read\n  to fix: name another file\n`,
      )
    }
    expect(readFileSync(join(folder, 'orders-0.txt'), 'utf8')).toBe(before)
  })

  it('takes a file of other bytes for what it is', async () => {
    const folder = written({})
    writeFileSync(join(folder, 'a.gz'), gzipSync('x'.repeat(1000)))
    const { code, stdout } = await validate(folder, ['a.gz'])
    expect(code).toBe(2)
    expect(stdout).not.toMatch(/[^\n\P{Cc}]/u)
  })

  it('writes JSON that fits its schema, and the same each time', async () => {
    const all = {
      ...twice,
      'more-0': [data(9, 0, 0), marker(9, 1, 'ABORT'), data(9, 0, 1), data(5, 0, 0, { skip: 4 })],
    }
    const folder = written({ ...dumps(all), 'x.txt': 'foreign\n' })
    const words = [...namesOf(all), 'x.txt', '--json']
    const { code, stdout, stderr } = await validate(folder, [...words, '-'])
    const document = JSON.parse(stdout)
    expect(problems('validation', document)).toEqual([])
    expect(document).toMatchObject({ format: 'fencepost-validation/1', outcome: 'findings' })
    expect(document.counts).toMatchObject({ 'duplicate batch': 1, 'data after its own abort marker': 1 })
    expect(stderr).toMatch(/^repeat: npx fencepost validate orders-0.txt /)
    expect(code).toBe(1)
    await validate(folder, [...words, 'out.json'])
    expect(readFileSync(join(folder, 'out.json'), 'utf8')).toBe(stdout)
  })

  it('has a schema that names every rule and every doubt', () => {
    const schema = JSON.parse(readFileSync(new URL('../../schemas/validation.json', import.meta.url), 'utf8'))
    expect(schema.$defs.rule.enum).toEqual(Object.keys(rules))
    expect(schema.properties.doubts.items.properties.about.enum).toEqual(Object.keys(doubts))
  })

  it('writes a page without scripts, with a picture of each log', async () => {
    const folder = written(dumps(twice))
    await validate(folder, [...namesOf(twice), '--html', 'a.html'])
    const page = readFileSync(join(folder, 'a.html'), 'utf8')
    expect(page).toContain('<h2>orders-0</h2>')
    expect(page).toContain(
      '<span class="committed found" title="committed, found; orders-0.txt:6">2-3 p7/0 s0</span>',
    )
    expect(page).toContain('<span class="aborted" title="aborted; orders-0.txt:11">5 p7/0 s2</span>')
    expect(page).toContain('<span class="marker" title="marker; orders-0.txt:9">4 p7/0 COMMIT</span>')
    expect(page).toContain('2 transactions committed, 1 aborted')
    expect(page).toContain('<span class="stable">first that read_committed waits for</span>')
    expect(page).not.toContain('<script')
  })

  it('lets no text of others out of its place', async () => {
    const hostile = `<img src=x onerror=alert(1)>"'&\u001b[31m\u202e`
    const id = (state: string) =>
      `${hostile}::TransactionMetadata(transactionalId=${hostile}, producerId=7, producerEpoch=0, txnTimeoutMs=1, state=${state}, ` +
      'pendingState=None, topicPartitions=Set(<b>-0), txnStartTimestamp=5, txnLastUpdateTimestamp=6)'
    const folder = written({ '<i>.txt': `${id('PrepareCommit')}\n${id('CompleteAbort')}\n${hostile}\n` })
    const { stdout, code } = await validate(folder, ['<i>.txt', '--html', 'a.html'])
    expect(code).toBe(1)
    expect(stdout).not.toMatch(/[^\n\P{C}]/u)
    const page = readFileSync(join(folder, 'a.html'), 'utf8')
    expect(page).not.toMatch(/<(?:img|b|i)\b/)
    expect(page).toContain('&#60;img')
  })
})
