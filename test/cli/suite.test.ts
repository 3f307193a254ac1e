import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../cli/environment.ts'
import { readItf } from '../../index.ts'
import type { Claim, ClaimCase } from '../../spec/index.ts'
import { fencepost, recorder, temporaryFolder } from './harness.ts'
import { problems } from './schemas.ts'
import { standIn } from './stand-in.ts'

const timeless = (text: string) =>
  text.replaceAll(/^took .*$/gm, 'took (some time)').replaceAll(/ \d+\.\d$/gm, ' 0.0')
const suite = (words: readonly string[] = [], given: Partial<Environment> = {}) =>
  fencepost(['suite', ...words], { folder: temporaryFolder(), ...given })

const [first, second] = standIn.claims as [Claim, Claim]
/** The second claim expects what is not so. */
const wrong: Claim = {
  ...second,
  cases: [...second.cases, { ...second.cases[0]!, name: 'something does', without: [] }],
}
const wrongly = { catalogue: async () => ({ ...standIn, claims: [first, wrong] }) }

/** The user interrupts it when a text is printed. */
function stoppedAt(text: string) {
  let stop = () => {}
  const stdout = recorder()
  const write = (printed: string) => {
    stdout.write(printed)
    if (printed.includes(text)) stop()
  }
  const onInterrupt: Environment['onInterrupt'] = (callback) => {
    stop = callback
    return () => undefined
  }
  return { stdout: { ...stdout, write }, onInterrupt }
}

describe('fencepost suite', () => {
  it('checks each case of each claim', async () => {
    const { code, stdout, stderr } = await suite()
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "  case                       preset     expected           found            states  depth  seconds
      claim-W1  a writer that repeats its write writes once (holds within limits)
        the log knows what it has  kafka-4.4  witnessed, proved  as expected          41      7      0.0
        it does not                kafka-3.9  violated           as expected          19      4      0.0
      claim-W2  epochs are unique (refuted)
        nothing raises them        kafka-4.4  violated           as expected           6      3      0.0

      2 claims: 1 holds within limits, 1 refuted
      3 cases, all as expected
      took (some time)
      repeat: npx fencepost suite
      "
    `)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  const [knows, doesNot] = first.cases as [ClaimCase, ClaimCase]
  const asTable: Claim = {
    ...first,
    table: { rows: 'the log', columns: 'replies' },
    cases: [
      { ...knows, cell: { row: 'knows what it has', column: 'one lost' } },
      { ...doesNot, cell: { row: 'does not', column: 'one lost' } },
      { ...doesNot, name: 'beside it' },
      {
        ...doesNot,
        name: 'none lost',
        config: { repeats: 0 },
        cell: { row: 'does not', column: 'none lost' },
      },
    ],
  }
  const withTable = { catalogue: async () => ({ ...standIn, claims: [asTable] }) }

  it('prints cases with a place in a table as a table, and what is not as expected of them', async () => {
    const { code, stdout } = await suite([], withTable)
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "  case                  preset     expected                       found            states  depth  seconds
      claim-W1  a writer that repeats its write writes once (holds within limits)
        beside it             kafka-3.9  violated                       as expected          19      4      0.0
          not so: none lost: 'written once' is proved, expected violated
        3 cases of the table  several    2 violated, witnessed, proved  violated, witnessed, 2 proved          73      7      0.0
          written once
          the log \\ replies  one lost  none lost
          knows what it has  proved    -
          does not           violated  proved
          somebody is done
          the log \\ replies  one lost   none lost
          knows what it has  witnessed  -

      1 claim: 1 holds within limits
      1 of 4 cases not as expected: claim-W1
      took (some time)
      repeat: npx fencepost suite
      "
    `)
    expect(code).toBe(1)
  })

  it('prints a row for each claim, if that is asked for', async () => {
    const wordy = { ...wrong, claim: `${'epochs are unique and '.repeat(4)}never used twice` }
    const given = { catalogue: async () => ({ ...standIn, claims: [asTable, first, wordy] }) }
    const { code, stdout } = await suite(['--brief'], given)
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "id        it                   found        cases     states  claim
      claim-W1  holds within limits  1 not so         4         92  a writer that repeats its write writes once
          not so: none lost: 'written once' is proved, expected violated
      claim-W1  holds within limits  as expected      2         60  a writer that repeats its write writes once
      claim-W2  refuted              1 not so         2         19  epochs are unique and epochs are unique and epochs are unique and ...
          not so: something does: 'epochs are unique' is proved, expected violated

      3 claims: 2 holds within limits, 1 refuted
      2 of 8 cases not as expected: claim-W1, claim-W2
      took (some time)
      repeat: npx fencepost suite --brief
      "
    `)
    expect(code).toBe(1)
  })

  it('says in JSON where a case stands in the table of its claim', async () => {
    const { stdout } = await suite(['--json', '-'], withTable)
    const document = JSON.parse(stdout)
    expect(problems('suite', document)).toEqual([])
    expect(document.scenarios.map(({ cell }: { cell?: object }) => cell)).toEqual(
      asTable.cases.map(({ cell }) => cell),
    )
  })

  it('says what is not as expected, and goes on', async () => {
    const { code, stdout } = await suite([], wrongly)
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "  case                       preset     expected           found            states  depth  seconds
      claim-W1  a writer that repeats its write writes once (holds within limits)
        the log knows what it has  kafka-4.4  witnessed, proved  as expected          41      7      0.0
        it does not                kafka-3.9  violated           as expected          19      4      0.0
      claim-W2  epochs are unique (refuted)
        nothing raises them        kafka-4.4  violated           as expected           6      3      0.0
        something does             kafka-4.4  violated           proved               13      5      0.0
          not so: 'epochs are unique' is proved, expected violated

      2 claims: 1 holds within limits, 1 refuted
      1 of 4 cases not as expected: claim-W2
      took (some time)
      repeat: npx fencepost suite
      "
    `)
    expect(code).toBe(1)
  })

  it('checks the claims that are asked for, by their ids in full or without their beginning', async () => {
    for (const id of ['claim-W2', 'W2']) {
      const { code, stdout } = await suite(['--only', id])
      expect(stdout).toContain(`1 claim: 1 refuted\n1 case, all as expected\n`)
      expect(stdout).toContain(`repeat: npx fencepost suite --only ${id}\n`)
      expect(code).toBe(0)
    }
    expect((await suite(['--only', 'W2', '--only', 'W1'])).stdout).toContain('2 claims')
  })

  it('refuses a claim that there is not', async () => {
    const { code, stdout, stderr } = await suite(['--only', 'claim-W3'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain("--only: there is no claim 'claim-W3'")
  })

  it('writes JSON that fits its schema', async () => {
    const { code, stdout, stderr } = await suite(['--json', '-'], wrongly)
    const document = JSON.parse(stdout)
    expect(problems('suite', document)).toEqual([])
    expect(code).toBe(1)
    expect(stderr).toBe('repeat: npx fencepost suite --json -\n')
    const shown = document.scenarios.map(
      ({ states, depth, elapsedMs, ...scenario }: Record<string, unknown>) => scenario,
    )
    expect(shown.slice(-1)).toMatchInlineSnapshot(`
      [
        {
          "asExpected": false,
          "case": "something does",
          "claim": "epochs are unique",
          "defencesOff": [],
          "id": "claim-W2",
          "model": "writers",
          "preset": "kafka-4.4",
          "properties": [
            {
              "differs": "'epochs are unique' is proved, expected violated",
              "expected": "violated",
              "found": "proved",
              "name": "epochs are unique",
            },
          ],
          "stands": "refuted",
        },
      ]
    `)
  })

  it('writes a trace for what is violated or witnessed, and says where', async () => {
    const folder = temporaryFolder()
    const words = ['--only', 'W1', '--traces', 'found', '--json', 'result.json']
    expect((await suite(words, { folder })).code).toBe(0)
    const files = readdirSync(join(folder, 'found')).sort()
    expect(files).toMatchInlineSnapshot(`
      [
        "claim-w1-it-does-not-written-once.itf.json",
        "claim-w1-the-log-knows-what-it-has-somebody-is-done.itf.json",
      ]
    `)
    const read = readItf(readFileSync(join(folder, 'found', files[0]!), 'utf8'))
    expect(read.property?.name).toBe('written once')
    const { scenarios } = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'))
    const named = scenarios.flatMap(({ properties }: { properties: { trace?: string }[] }) =>
      properties.flatMap(({ trace }) => trace ?? []),
    )
    expect(named.sort()).toEqual(files.map((file) => join('found', file)))
  })

  it('prints a case as soon as it is known, and stops when it is asked to', async () => {
    const stopped = stoppedAt('the log knows')
    const { code } = await suite([], stopped)
    expect(code).toBe(3)
    expect(timeless(stopped.stdout.text())).toMatchInlineSnapshot(`
      "  case                       preset     expected           found            states  depth  seconds
      claim-W1  a writer that repeats its write writes once (holds within limits)
        the log knows what it has  kafka-4.4  witnessed, proved  as expected          41      7      0.0

      stopped by you after 1 of 3 cases
      1 case, all as expected
      took (some time)
      repeat: npx fencepost suite
      "
    `)
  })

  it('prints what it knows of a table when it is stopped', async () => {
    const stopped = stoppedAt('beside it')
    const { code } = await suite([], { ...withTable, ...stopped })
    expect(code).toBe(3)
    expect(timeless(stopped.stdout.text())).toMatchInlineSnapshot(`
      "  case                  preset     expected                       found            states  depth  seconds
      claim-W1  a writer that repeats its write writes once (holds within limits)
        beside it             kafka-3.9  violated                       as expected          19      4      0.0
        2 cases of the table  several    violated, witnessed, proved    as expected          60      7      0.0
          written once
          the log \\ replies  one lost
          knows what it has  proved
          does not           violated
          somebody is done
          the log \\ replies  one lost
          knows what it has  witnessed

      stopped by you after 3 of 4 cases
      3 cases, all as expected
      took (some time)
      repeat: npx fencepost suite
      "
    `)
  })

  it('does not begin if it cannot write the result', async () => {
    const { code, stdout } = await suite(['--json', 'nowhere/result.json'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(await suite(['--traces', '/dev/null'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot write /dev/null: there is something else of this name'),
    })
  })
})
