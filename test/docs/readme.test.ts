/** The README tells nothing that was not run: its commands, its picture and its tables are made again and compared. */
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Catalogue, defaultScenario } from '../../cli/catalogue.ts'
import { differences } from '../../cli/standard/compare.ts'
import { standardPlan } from '../../cli/standard/plan.ts'
import { check } from '../../index.ts'
import * as spec from '../../spec/index.ts'
import { root } from '../project/sources.ts'
import {
  defencesTable,
  picture,
  propertiesTable,
  type Ran,
  scenarioText,
  versionsTable,
  withOutputs,
  withSections,
} from './readme.ts'

const catalogue = { ...spec, model: spec.kafka } as unknown as Catalogue
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'fencepost-readme-'))
/** The main job explores some eight million states. */
const patienceMs = 30 * 60_000

let ran: Ran[]

beforeAll(async () => {
  symlinkSync(join(root, 'examples'), join(folder, 'examples'))
  ran = []
  for (const run of standardPlan(catalogue)) {
    const { defencesOff, properties } = run
    const options = { defencesOff, continueAfterViolation: true, ...(properties && { properties }) }
    ran.push({ run, result: await check(catalogue.model, run.config, options) })
  }
}, patienceMs)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the main job', () => {
  it('finds what the catalogue expects', () => {
    expect(ran.length).toBeGreaterThan(10)
    expect(ran.flatMap(({ run, result }) => differences(run, result))).toEqual([])
  })
})

describe('the README', () => {
  it(
    'shows what its commands print, and the results as they are',
    async () => {
      const whole = ran.filter(({ run }) => run.defencesOff.length === 0)
      const standard = whole.filter(({ run }) => run.scenario === defaultScenario)
      const compared = whole.filter(({ run }) => run.scenario !== defaultScenario)
      const removed = ran.filter(({ run }) => run.defencesOff.length > 0)
      const zombie = removed.find(({ run }) => run.defencesOff.join() === 'partition epoch check')
      const trace = zombie?.result.properties[0]?.trace ?? expect.fail('there is no trace to draw')
      const { lanes } = catalogue.model.build(trace.config, { defences: { has: () => true } })
      const loader = new URL('../../node_modules/tsx/dist/esm/index.mjs', import.meta.url).href
      const program = [process.execPath, '--import', loader, join(root, 'cli/main.ts')]
      const page = withSections(withOutputs(readme, folder, program), {
        picture: picture(trace, lanes ?? []),
        scenario: scenarioText(catalogue, standard),
        versions: versionsTable(compared),
        properties: propertiesTable(catalogue, standard),
        defences: defencesTable(catalogue, removed),
      })
      await expect(page).toMatchFileSnapshot(join(root, 'README.md'))
    },
    patienceMs,
  )

  it('links to files that exist', () => {
    const links = [...readme.matchAll(/\]\(([^):#]+)\)/g)].map(([, path]) => path ?? '')
    expect(links.length).toBeGreaterThan(5)
    expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('names scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const named = [...readme.matchAll(/npm (?:run )?(start|test|build)\b/g)].map(([, name]) => name ?? '')
    expect(new Set(named)).toEqual(new Set(['build', 'start', 'test']))
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named))
  })
})
