import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { importProblems, importsOf } from './layers.ts'
import { root, sourcesOf } from './sources.ts'

const sources = sourcesOf(
  'checker',
  'traces',
  'spec',
  'dumps',
  'examples',
  'cli',
  'bench',
  'scripts',
  'index.ts',
)

describe('imports', () => {
  it('point down only', () => {
    expect(sources.length).toBeGreaterThan(50)
    expect(importProblems(sources)).toEqual([])
  })

  it.each([
    ['checker/engine.ts', "import { writeItf } from '../traces/index.ts'", 'checker must not import traces'],
    [
      'checker/a/b.ts',
      "import type { Scenario } from '../../spec/catalogue.ts'",
      'checker must not import spec',
    ],
    ['traces/itf.ts', "export * from '../spec/index.ts'", 'traces must not import spec'],
    ['dumps/a.ts', "import { kafka } from '../spec/index.ts'", 'dumps must not import spec'],
    ['dumps/a.ts', "import { open } from 'node:fs/promises'", 'dumps must run without Node'],
    ['spec/model.ts', "import '../cli/main.ts'", 'spec must not import cli'],
    ['spec/model.ts', "import {\n  a,\n  b,\n} from '../traces/index.ts'", 'spec must not import traces'],
    ['spec/model.ts', "const a = await import('../examples/a.ts')", 'spec must not import examples'],
    ['spec/model.ts', "type A = import('../cli/a.ts').A", 'spec must not import cli'],
    ['index.ts', 'export * from "./spec/index.ts"', 'index.ts must not import spec'],
    ['cli/a.ts', "import { oracle } from '../test/oracle.ts'", 'cli must not import test'],
    ['checker/a.ts', "import fs from 'node:fs'", 'checker must run without Node'],
    ['traces/a.ts', "import { join } from 'path/posix'", 'traces must run without Node'],
    ['spec/a.ts', "const os = require('os')", 'spec must run without Node'],
    ['examples/a.ts', 'const a = await import(name)', 'imports something that is computed'],
  ])('a planted violation in %s is found: %s', (path, text, problem) => {
    const found = importProblems([{ path, text }])
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(problem)
  })

  it('may be of the same folder, of a lower one, of packages, and of Node where that is the place', () => {
    const allowed = [
      { path: 'checker/a.ts', text: "import { b } from './b.ts'; import * as v from 'valibot'" },
      { path: 'checker/node/a.ts', text: "import { Worker } from 'node:worker_threads'" },
      { path: 'traces/itf/a.ts', text: "import type { Plain } from '../../checker/model.ts'" },
      { path: 'cli/a.ts', text: "import fs from 'node:fs'; export * from '../spec/index.ts'" },
    ]
    expect(importProblems(allowed)).toEqual([])
  })

  it('are found in every form', () => {
    expect(
      importsOf("import'a'; import b from 'b'\nexport { c } from `c`; import('d'); require(\n 'e')"),
    ).toEqual(['a', 'b', 'c', 'd', 'e'])
  })
})

describe('checker, traces, spec, dumps and examples', () => {
  const compile = (config: string) =>
    spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], {
      encoding: 'utf8',
    })

  it('use nothing that a browser worker does not have', () => {
    const { status, stdout } = compile(join(root, 'tsconfig.neutral.json'))
    expect(stdout).toBe('')
    expect(status).toBe(0)
  })

  it('would not compile if they did', () => {
    const folder = mkdtempSync(join(root, 'out', 'planted-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(
      join(folder, 'planted.ts'),
      'process.exit(Buffer.from("").length)\nexport const now = performance.now()\n',
    )
    const config = { extends: '../../tsconfig.neutral.json', include: ['planted.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const { status, stdout } = compile(join(folder, 'tsconfig.json'))
    expect(stdout.match(/Cannot find name '\w+'/g)).toEqual([
      "Cannot find name 'process'",
      "Cannot find name 'Buffer'",
    ])
    expect(status).not.toBe(0)
  })
})
