/** TLC on bench/TwoPhaseCommit.tla, if the environment variable TLC_JAR says where its jar is. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AbsentTool, Run, Tool } from './measurement.ts'

const specification = fileURLToPath(new URL('TwoPhaseCommit.tla', import.meta.url))
const configuration = fileURLToPath(new URL('TwoPhaseCommit.cfg', import.meta.url))

const { JAVA_HOME } = process.env
const java = JAVA_HOME === undefined ? 'java' : join(JAVA_HOME, 'bin', 'java')

const variants = [
  { name: 'tlc, 1 worker', workers: '1' },
  { name: 'tlc, all cores', workers: 'auto' },
]

export function tlcTools(jar = process.env.TLC_JAR): (Tool | AbsentTool)[] {
  return variants.map(({ name, workers }) => {
    if (jar === undefined || jar === '') return { name, absent: 'set TLC_JAR to the path of tla2tools.jar' }
    if (!existsSync(jar)) return { name, absent: `TLC_JAR names ${jar}, which does not exist` }
    return { name, version: `tlc of ${jar}`, run: (managers) => runTlc(jar, managers, workers) }
  })
}

function runTlc(jar: string, managers: number, workers: string): Run {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-tlc-'))
  try {
    copyFileSync(specification, join(folder, 'TwoPhaseCommit.tla'))
    const config = readFileSync(configuration, 'utf8').replace(/Managers = \d+/, `Managers = ${managers}`)
    writeFileSync(join(folder, 'TwoPhaseCommit.cfg'), config)
    const options = ['-XX:+UseParallelGC', '-cp', jar, 'tlc2.TLC', '-workers', workers, 'TwoPhaseCommit']
    const begin = performance.now()
    const output = execFileSync(java, options, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 })
    // TLC reports whole seconds only, so that the start of its virtual machine cannot be told apart.
    const seconds = (performance.now() - begin) / 1000
    return { ...readTlc(output), seconds, startSeconds: 0 }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Reads what TLC prints.
 * @throws Error if it did not end without an error
 */
export function readTlc(output: string): Omit<Run, 'seconds' | 'startSeconds'> {
  const counts = /(\d+) states generated, (\d+) distinct states found, 0 states left on queue/.exec(output)
  const depth = /depth of the complete state graph search is (\d+)/.exec(output)
  if (!output.includes('No error has been found') || counts === null || depth === null)
    throw new Error(`TLC did not finish without an error:\n${output}`)
  return { distinct: Number(counts[2]), generated: Number(counts[1]), depth: Number(depth[1]) }
}
