/**
 * Counts of a test run, from Vitest's JSON report.
 *
 * @typedef {{ status: string, name: string, assertionResults: { status: string }[] }} FileReport
 * @typedef {{ passed: number, failed: number, skipped: number, problems: string[] }} Counts
 */

/**
 * A file that could not even be loaded has no tests; it counts as one failure, and so does a missing report, so that
 * the printed line never says "0 failed" of a run that failed.
 *
 * @param {string | undefined} report
 * @returns {Counts}
 */
export function countTests(report) {
  if (report === undefined) {
    return {
      passed: 0,
      failed: 1,
      skipped: 0,
      problems: ['Vitest wrote no report: it crashed or was stopped.'],
    }
  }
  const { testResults } = /** @type {{ testResults: FileReport[] }} */ (JSON.parse(report))
  const statuses = testResults.flatMap((file) => file.assertionResults.map((test) => test.status))
  const broken = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  )
  /** @param {string} status */
  const number = (status) => statuses.filter((found) => found === status).length
  const passed = number('passed')
  const failed = number('failed')
  return {
    passed,
    failed: failed + broken.length,
    skipped: statuses.length - passed - failed,
    problems: broken.map((file) => `Test file failed as a whole: ${file.name}`),
  }
}

/**
 * `N passed, N failed`, with `, N skipped` only where there are some.
 * @param {Counts} counts
 * @param {number} failedChecks
 */
export function summaryLine({ passed, failed, skipped }, failedChecks) {
  return `${passed} passed, ${failed + failedChecks} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
