/** The whole comparison, on a small model, with and without the other checkers. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Report } from '../../bench/report.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-bench-test-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function bench(options: readonly string[], variables: Record<string, string> = {}) {
  const program = ['--import', 'tsx', 'bench/main.ts', ...options]
  const env = { ...process.env, TLC_JAR: '', ...variables }
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8', env })
  return { status, stdout, stderr }
}

const reportIn = (file: string): Report => JSON.parse(readFileSync(file, 'utf8'))

describe('bench', () => {
  test('measures every checker that is there, names the others, and finds the published counts', () => {
    const file = join(folder, 'new', 'bench.json')
    const { status, stdout } = bench(['--managers', '3', '--repetitions', '1', '--out', file])
    expect(status).toBe(0)
    const { rows, absent } = reportIn(file)
    const names = [...rows.map(({ tool }) => tool), ...absent.map(({ name }) => name)]
    expect(names.toSorted()).toEqual([
      'fencepost',
      'spin, breadth first',
      'spin, depth first',
      'tlc, 1 worker',
      'tlc, all cores',
    ])
    for (const row of rows) {
      expect(row).toMatchObject({ distinct: 288, generated: 1_146, wrong: null })
      expect(row.depth).toBe(row.tool === 'spin, depth first' ? null : 11)
      expect(row.seconds.all).toHaveLength(1)
    }
    expect(stdout).toContain('not compared: tlc, 1 worker; set TLC_JAR')
  })

  test('runs without any other checker, and says so', () => {
    const file = join(folder, 'alone.json')
    const options = ['--managers', '1', '--repetitions', '2', '--out', file]
    const { status, stdout } = bench(options, { PATH: join(folder, 'empty') })
    expect(status).toBe(0)
    expect(reportIn(file).rows.map(({ tool }) => tool)).toEqual(['fencepost'])
    expect(stdout).toContain('not compared: spin, breadth first; spin is not installed')
  })

  /** Stands for a virtual machine that runs TLC: fails without its input, and prints counts for 3 managers. */
  function fakeJava(distinct: number): string {
    const home = join(folder, `java-${distinct}`)
    mkdirSync(join(home, 'bin'), { recursive: true })
    const script = [
      '#!/bin/sh',
      'grep -q "CONSTANT Managers = 3" TwoPhaseCommit.cfg && grep -q "MODULE TwoPhaseCommit" TwoPhaseCommit.tla || exit 1',
      'echo "Model checking completed. No error has been found."',
      `echo "1146 states generated, ${distinct} distinct states found, 0 states left on queue."`,
      'echo "The depth of the complete state graph search is 11."',
    ]
    writeFileSync(join(home, 'bin', 'java'), script.join('\n'))
    chmodSync(join(home, 'bin', 'java'), 0o755)
    return home
  }

  test('takes TLC in if its jar is named, and fails if a checker disagrees with the published counts', () => {
    const jar = join(folder, 'tla2tools.jar')
    writeFileSync(jar, '')
    const benchWith = (distinct: number, file: string) =>
      bench(['--managers', '3', '--repetitions', '1', '--out', join(folder, file)], {
        TLC_JAR: jar,
        JAVA_HOME: fakeJava(distinct),
        SPIN: join(folder, 'no-spin'),
      })
    expect(benchWith(288, 'right.json').status).toBe(0)
    const { rows } = reportIn(join(folder, 'right.json'))
    expect(rows.map(({ tool, distinct }) => [tool, distinct])).toEqual([
      ['fencepost', 288],
      ['tlc, 1 worker', 288],
      ['tlc, all cores', 288],
    ])
    const { status, stdout } = benchWith(287, 'wrong.json')
    expect(status).toBe(1)
    expect(stdout).toContain('distinct is 287, expected 288')
  })

  test('refuses sizes for which no counts are published', () => {
    const { status, stderr } = bench(['--managers', '3,12'])
    expect(status).toBe(1)
    expect(stderr).toContain('Counts are published for 1, 2, 3')
    expect(bench(['--repetitions', '0']).stderr).toContain('Expected a whole number from 1')
  })
})
