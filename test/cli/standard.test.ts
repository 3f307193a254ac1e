import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Catalogue } from '../../cli/catalogue.ts'
import { fencepost, temporaryFolder } from './harness.ts'
import { standIn } from './stand-in.ts'

const timeless = (text: string) =>
  text.replaceAll(/^took .*$/gm, 'took (some time)').replaceAll(/( +)\d+\.\d(?=( {2}|\n))/g, '$10.0')
const standard = (catalogue: Partial<Catalogue> = {}, folder = temporaryFolder()) =>
  fencepost(['standard'], { folder, catalogue: async () => ({ ...standIn, ...catalogue }) })

describe('fencepost standard', () => {
  it('checks the standard scenario under both presets, then removes each defence where its absence shows', async () => {
    const folder = temporaryFolder()
    const { code, stdout, stderr } = await standard({}, folder)
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "scenario            without                        preset     verdict       expected           states  depth  seconds  trace
      read-process-write                                 kafka-4.4  proved        proved                 41      7      0.0
      read-process-write                                 kafka-3.9  violated      violated               41      7      0.0  out/traces/read-process-write-kafka-3.9-written-once.itf.json
      read-process-write  epoch check                    kafka-4.4  violated      violated               39      5      0.0  out/traces/read-process-write-kafka-4.4-without-epoch-check.itf.json
      quiet               epoch bump                     kafka-3.9  violated      violated                6      3      0.0  out/traces/quiet-kafka-3.9-without-epoch-bump.itf.json
      read-process-write  duplicate check + epoch check  kafka-4.4  violated      violated               19      4      0.0  out/traces/read-process-write-kafka-4.4-without-duplicate-check-and-epoch-check.itf.json

      all 5 runs ended as expected

      id        it                   found        cases     states  claim
      claim-W1  holds within limits  as expected      2         60  a writer that repeats its write writes once
      claim-W2  refuted              as expected      1          6  epochs are unique

      2 claims: 1 holds within limits, 1 refuted
      3 cases, all as expected
      took (some time)
      repeat: npx fencepost standard
      "
    `)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(readdirSync(join(folder, 'out', 'traces')).sort()).toMatchInlineSnapshot(`
      [
        "quiet-kafka-3.9-without-epoch-bump.itf.json",
        "read-process-write-kafka-3.9-written-once.itf.json",
        "read-process-write-kafka-4.4-without-duplicate-check-and-epoch-check.itf.json",
        "read-process-write-kafka-4.4-without-epoch-check.itf.json",
      ]
    `)
  })

  it('says what is not as expected, and fails', async () => {
    const scenarios = standIn.scenarios.map(({ expected: _, ...scenario }) => scenario)
    const { code, stdout } = await standard({ scenarios })
    expect(stdout).toContain(
      'not as expected: read-process-write, kafka-3.9: "written once" is violated, expected proved\n',
    )
    expect(stdout).toContain('5 runs, not all as expected')
    expect(code).toBe(1)
  })

  it('fails for a claim that is not so', async () => {
    const [claim] = standIn.claims
    const cases = claim!.cases.map((one) => ({ ...one, shows: {} }))
    const wrong = cases.map((one) => ({ ...one, expected: { 'written once': 'proved' as const } }))
    const { code, stdout } = await standard({ claims: [{ ...claim!, cases: wrong }] })
    expect(stdout).toContain('all 5 runs ended as expected')
    expect(stdout).toContain("not so: it does not: 'written once' is violated, expected proved")
    expect(code).toBe(1)
  })

  it('fails for a defence whose absence does not show', async () => {
    const [defence] = standIn.defences
    const exercisedBy = { scenario: 'quiet', preset: 'kafka-4.4', property: 'written once' }
    const { code, stdout } = await standard({ defences: [{ ...defence!, exercisedBy }] })
    expect(stdout).toContain(
      'quiet, kafka-4.4, without "epoch check": "written once" is proved, expected violated',
    )
    expect(code).toBe(1)
  })

  it('fails for an expectation about a property that does not exist', async () => {
    const [scenario] = standIn.scenarios
    const expected = { 'kafka-4.4': { 'writen once': 'violated' as const }, ...scenario!.expected }
    const { code, stdout } = await standard({ defences: [], scenarios: [{ ...scenario!, expected }] })
    expect(stdout).toContain('"writen once" is no such property, expected violated')
    expect(code).toBe(1)
  })

  it('refuses a catalogue that names a scenario it does not have', async () => {
    const { code, stderr } = await standard({ scenarios: [standIn.scenarios[0]!] })
    expect(stderr).toContain("there is no scenario 'quiet'")
    expect(code).toBe(2)
  })

  it('refuses a folder for traces that cannot be made', async () => {
    const finished = await fencepost(['standard', '--traces', '/dev/null/x'])
    expect(finished.stderr).toContain(
      'error: --traces: cannot write /dev/null/x: a part of the path is not a folder',
    )
    expect(finished).toMatchObject({ code: 2, stdout: '' })
  })

  it('stops between two runs when it is interrupted', async () => {
    const onInterrupt = (stop: () => void) => {
      stop()
      return () => undefined
    }
    const { code, stdout } = await fencepost(['standard'], { folder: temporaryFolder(), onInterrupt })
    expect(stdout).toContain('stopped by you after 0 of 5 runs\n')
    expect(code).toBe(3)
  })
})
