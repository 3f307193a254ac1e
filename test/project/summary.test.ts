import { describe, expect, it } from 'vitest'
import { countTests, summaryLine } from '../../scripts/test-summary.mjs'

const report = (...files: { status: string; tests: string[] }[]) =>
  JSON.stringify({
    testResults: files.map(({ status, tests }, index) => ({
      name: `file-${index}`,
      status,
      assertionResults: tests.map((test) => ({ status: test })),
    })),
  })

describe('the last line of npm test', () => {
  it('counts what Vitest reports', () => {
    const counts = countTests(
      report(
        { status: 'passed', tests: ['passed', 'passed'] },
        { status: 'failed', tests: ['failed', 'pending'] },
      ),
    )
    expect(summaryLine(counts, 0)).toBe('2 passed, 1 failed, 1 skipped')
  })

  it('is short when nothing is wrong', () => {
    expect(summaryLine(countTests(report({ status: 'passed', tests: ['passed'] })), 0)).toBe(
      '1 passed, 0 failed',
    )
  })

  it('never says that nothing failed when something did', () => {
    const broken = countTests(
      report({ status: 'failed', tests: [] }, { status: 'passed', tests: ['passed'] }),
    )
    expect(summaryLine(broken, 0)).toBe('1 passed, 1 failed')
    expect(broken.problems).toEqual(['Test file failed as a whole: file-0'])
    expect(summaryLine(countTests(undefined), 0)).toBe('0 passed, 1 failed')
    expect(summaryLine(countTests(report({ status: 'passed', tests: ['passed'] })), 2)).toBe(
      '1 passed, 2 failed',
    )
  })
})
