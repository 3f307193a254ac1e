/**
 * `npm test`: sets up what is missing, then types, lint, unused code and all tests. Everything runs even if something
 * fails before it. The last line counts: `N passed, N failed`.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildIfStale, ensureDependencies, ensureSupportedNode, root, run, say } from './set-up.mjs'
import { countTests, summaryLine } from './test-summary.mjs'

const checks = [
  { title: 'Types', program: 'typescript/bin/tsc', args: ['-p', '.'] },
  { title: 'Lint and format', program: '@biomejs/biome/bin/biome', args: ['check', '--error-on-warnings'] },
  { title: 'Unused code', program: 'knip/bin/knip.js', args: [] },
]
const resultFile = join(root, 'out', 'test-results.json')

ensureSupportedNode()
ensureDependencies()

const failedChecks = [
  ...(buildIfStale() ? [] : ['Build']),
  ...checks.filter(({ title, program, args }) => !passes(title, program, args)).map(({ title }) => title),
]
const testsPass = passes('Tests', 'vitest/vitest.mjs', vitestArguments())
const counts = countTests(existsSync(resultFile) ? readFileSync(resultFile, 'utf8') : undefined)

for (const title of failedChecks) say(`Failed before the tests: ${title}. It counts as one failure.`)
for (const problem of counts.problems) say(problem)
process.stderr.write('', () => {
  process.stdout.write(`\n${summaryLine(counts, failedChecks.length)}\n`)
  process.exitCode = failedChecks.length === 0 && testsPass && counts.failed === 0 ? 0 : 1
})

function vitestArguments() {
  mkdirSync(join(root, 'out'), { recursive: true })
  rmSync(resultFile, { force: true })
  return [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${resultFile}`,
    ...process.argv.slice(2),
  ]
}

/**
 * @param {string} title
 * @param {string} program path in node_modules
 * @param {readonly string[]} args
 */
function passes(title, program, args) {
  say(`\n--- ${title}`)
  return run(process.execPath, [join(root, 'node_modules', program), ...args]) === 0
}
