import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { XmlDocument } from 'libxml2-wasm'
import { describe, expect, it } from 'vitest'
import { fencepost, temporaryFolder } from './harness.ts'

const model = `import { always, defineModel } from 'fencepost'
import * as v from 'valibot'
export const mine = defineModel({
  name: 'mine',
  config: v.object({}),
  build: () => ({
    initial: { n: 0 },
    components: ['n'],
    actions: [],
    properties: [always('n is 1', ({ n }) => n === 1, { summary: 'It must be.', sources: ['me'] })],
  }),
})
`

describe('--reporter', () => {
  it('prints nothing but the report to standard output, and writes the JSON as well', async () => {
    const folder = temporaryFolder()
    const words = [
      'check',
      'quiet',
      '--without',
      'epoch check',
      '--reporter',
      'junit',
      '--json',
      'result.json',
    ]
    const { code, stdout, stderr } = await fencepost(words, { folder })
    const document = XmlDocument.fromString(stdout)
    const names = document.find('//testcase[failure]/@name').map(({ content }) => content)
    expect(names).toEqual(['epochs never fall'])
    expect(document.get('//testsuite/@name')?.content).toBe('quiet, preset kafka-4.4, without "epoch check"')
    expect(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')).verdict).toBe('violated')
    expect(stderr).toBe(
      "repeat: npx fencepost check quiet --preset kafka-4.4 --without 'epoch check' --json result.json --reporter junit\n",
    )
    expect(code).toBe(1)
  })

  it.each([
    ['a proof', ['check'], 0, ['proved', 'proved', 'proved', 'witnessed']],
    ['a limited search', ['check', '--max-depth', '3'], 3, ['bounded', 'bounded', 'bounded', 'witnessed']],
    ['a sample', ['simulate', '--walks', '3'], 0, ['sampled', 'sampled', 'sampled', 'witnessed']],
  ] as const)('leaves the exit code of %s as it is', async (_, words, code, verdicts) => {
    const finished = await fencepost([...words, '--reporter', 'github'])
    const shown = [...finished.stdout.matchAll(/^(?:epochs|written|somebody) .*?: (\w+)/gm)].map(
      ([, verdict]) => verdict,
    )
    expect(shown.slice(0, 4)).toEqual(verdicts)
    expect(finished.code).toBe(code)
  })

  it('names the file of a model, and what its properties say of themselves', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'my model.ts'), model)
    const { code, stdout } = await fencepost(['check', './my model.ts', '--reporter', 'sarif'], { folder })
    const [run] = JSON.parse(stdout).runs
    expect(run.tool.driver.rules[0].help.text).toBe('It must be.\n\nSources: me')
    expect(run.results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('my%20model.ts')
    expect(run.results[0].codeFlows[0].threadFlows[0].locations).toHaveLength(1)
    expect(code).toBe(1)
    const elsewhere = await fencepost(['check', join(folder, 'my model.ts'), '--reporter', 'sarif'])
    const { uri } = JSON.parse(elsewhere.stdout).runs[0].results[0].locations[0].physicalLocation
      .artifactLocation
    expect(uri).toMatch(/my%20model\.ts$/)
  })

  it('names no file for a scenario', async () => {
    const { stdout } = await fencepost(['check', '--preset', 'kafka-3.9', '--reporter', 'sarif'])
    const [run] = JSON.parse(stdout).runs
    expect(run.results.map(({ ruleId, kind }: Record<string, string>) => [ruleId, kind])).toEqual([
      ['epochs never fall', 'open'],
      ['epochs are unique', 'open'],
      ['written once', 'fail'],
    ])
    expect(stdout).not.toContain('physicalLocation')
  })

  it('prints the report for people if it is asked for by name', async () => {
    const { stdout } = await fencepost(['check', '--reporter', 'pretty'])
    expect(stdout).toMatch(/^read-process-write, preset kafka-4\.4: proved\n/)
    expect(stdout).toMatch(/repeat: .* --reporter pretty\n$/)
  })

  it('prints no report of a model that fails', async () => {
    const words = ['check', '--set', 'broken=true', '--reporter', 'junit']
    const { code, stdout, stderr } = await fencepost(words)
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
    expect(stderr).toContain('the recipe is broken')
  })

  it.each([
    [['--reporter', 'junit', '--json', '-'], 'are both to go to standard output'],
    [['--reporter', 'pretty', '--json', '-'], 'give --json the name of a file'],
    [['--reporter', 'junitt'], 'Allowed choices are pretty, junit, sarif, github'],
  ])('refuses %s', async (words, message) => {
    const { code, stdout, stderr } = await fencepost(['check', ...words])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })
})
