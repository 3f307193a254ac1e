/** A question in a file means what it says, and what it cannot mean is refused before anything is explored. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Catalogue } from '../../cli/catalogue.ts'
import { listingOf } from '../../cli/list/listing.ts'
import * as spec from '../../spec/index.ts'
import { configurationSchema } from './configuration-schema.ts'
import { fencepost, temporaryFolder } from './harness.ts'
import { problems } from './schemas.ts'

const catalogue = { ...spec, model: spec.kafka } as unknown as Catalogue
const ofSpec = { catalogue: async () => catalogue }

let folder = ''

function asked(file: unknown, words: readonly string[] = [], given: object = {}) {
  folder = temporaryFolder()
  writeFileSync(join(folder, 'question.json'), JSON.stringify(file))
  return fencepost(['check', '--config', 'question.json', ...words], { folder, ...given })
}

const properties = ['epochs are unique']

describe('a question in a file', () => {
  it('names a scenario, defences that are switched off and properties', async () => {
    const { code, stdout } = await asked({ scenario: 'quiet', without: ['epoch bump'], properties })
    expect(stdout).toContain('quiet, preset kafka-4.4, without "epoch bump": violated\n')
    expect(stdout).toContain('\n  epochs are unique  violated')
    expect(stdout).not.toContain('written once')
    expect(stdout).toContain('repeat: npx fencepost check quiet --preset kafka-4.4 --config question.json\n')
    expect(code).toBe(1)
  })

  it('is added to by the command line, which has the last word on the scenario', async () => {
    const words = ['read-process-write', '--without', 'epoch check', '--property', 'written once']
    const { stdout } = await asked({ scenario: 'quiet', without: ['epoch bump'], properties }, words)
    expect(stdout).toContain(
      'read-process-write, preset kafka-4.4, without "epoch bump", without "epoch check"',
    )
    for (const name of ['epochs are unique', 'written once']) expect(stdout).toContain(`\n  ${name}`)
  })

  it('is asked of the standard scenario if it names none, and may name its schema', async () => {
    const { code, stdout } = await asked({ $schema: './configuration.json', properties })
    expect(stdout).toContain('read-process-write, preset kafka-4.4: proved')
    expect(code).toBe(0)
  })

  it('may be about applications as programs, if it asks something', async () => {
    const file = { scenario: 'programs', writers: 1 }
    const { code, stdout } = await asked({ ...file, properties: ['written once'] })
    expect(stdout).toContain('programs: proved')
    expect(code).toBe(0)
    const nothing = await asked(file)
    expect(nothing.stderr).toContain('nothing is asked of programs')
    expect(nothing.code).toBe(2)
  })

  it.each([
    [{ propertys: [] }, "question.json: there is no key 'propertys'", "did you mean 'properties'?"],
    [{ writer: 1 }, "question.json: there is no key 'writer'", "did you mean 'writers'?"],
    [{ scenario: 'quite' }, "there is no scenario 'quite'", "did you mean 'quiet'?"],
    [{ scenario: 1 }, 'question.json, scenario: 1 will not do', 'the name of a scenario'],
    [{ without: 'epoch bump' }, 'question.json, without: "epoch bump" will not do', 'a list of names'],
    [{ properties: [1] }, 'question.json, properties: [1] will not do', 'a list of names'],
    [{ without: ['epoch bmp'] }, "there is no defence 'epoch bmp'", "did you mean 'epoch bump'?"],
    [{ properties: ['written onec'] }, "'written onec'", "did you mean 'written once'?"],
    [{ preset: 'kafka-9' }, "there is no preset 'kafka-9'", 'one of: kafka-4.4, kafka-3.9'],
    [{ preset: 'kafka-3.9', without: ['duplicate check'] }, 'preset kafka-3.9 has no defence', 'kafka-4.4'],
    [{ writers: 4 }, 'writers: 4 will not do', '<=3'],
    [[], 'this is not a configuration', 'as JSON'],
  ])('is refused if it is %j', async (file, ...messages) => {
    const { code, stdout, stderr } = await asked(file)
    for (const message of messages) expect(stderr).toContain(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it('is of a model in a file only if it names no scenario', async () => {
    const model = join(import.meta.dirname, '../../examples/die-hard.ts')
    const { code, stderr } = await asked({ scenario: 'quiet' }, [model])
    expect(stderr).toContain("question.json, scenario: 'quiet' is to be checked, and so is")
    expect(code).toBe(2)
  })
})

describe('of the Kafka model', () => {
  it('may have application, client, topology, faults, rules, defences and properties', async () => {
    const file = {
      scenario: 'no-faults',
      preset: 'kafka-3.9',
      application: 'produce',
      client: 'kafkajs',
      acks: '1',
      inputs: 1,
      outputPartitions: 1,
      lostReplies: 1,
      flags: { groupFencing: false },
      without: ['sequence check'],
      properties: ['no output is there twice'],
    }
    expect(problems('configuration', file)).toEqual([])
    const { code, stdout, stderr } = await asked(file, [], ofSpec)
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toContain('violated: no output is there twice')
    expect(stdout).toContain('client=kafkajs')
    expect(stdout).toContain('producer=plain')
  })

  it('may be a program', async () => {
    const apps = [
      {
        name: 'app',
        reads: 'input',
        onStart: ['seek to committed offset'],
        loop: ['poll', { send: 'output' }, 'commit offset'],
      },
    ]
    const file = { scenario: 'programs', apps, crashes: 1, properties: ['no event has its effect twice'] }
    expect(problems('configuration', file)).toEqual([])
    const { code, stdout } = await asked(file, ['--trace', 'found.itf.json'], ofSpec)
    expect(stdout).toContain('programs: violated')
    expect(code).toBe(1)
    const replayed = await fencepost(['trace', 'replay', 'found.itf.json'], { folder, ...ofSpec })
    expect(replayed).toMatchObject({ code: 0, stderr: '' })
  })

  it('has a schema', async () => {
    const file = new URL('../../schemas/configuration.json', import.meta.url).pathname
    const text = `${JSON.stringify(configurationSchema(listingOf(catalogue)), null, 2)}\n`
    await expect(text).toMatchFileSnapshot(file)
    for (const wrong of [
      { inputs: 9 },
      { inputz: 1 },
      { without: 'x' },
      { flags: { x: 1 } },
      { client: 'jvm' },
    ])
      expect(problems('configuration', wrong), JSON.stringify(wrong)).not.toEqual([])
  })
})
