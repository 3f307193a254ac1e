import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { render, repository } from './guide.ts'

const guide = join(repository, 'docs/guide.md')

/** Inside the repository, for its packages to be found; a user's folder has `fencepost` among its own. */
let folder: string
beforeAll(() => {
  mkdirSync(join(repository, 'out'), { recursive: true })
  folder = mkdtempSync(join(repository, 'out/guide-'))
  symlinkSync(join(repository, 'examples'), join(folder, 'examples'))
  const own = join(folder, 'node_modules/fencepost')
  mkdirSync(own, { recursive: true })
  writeFileSync(
    join(own, 'package.json'),
    '{ "name": "fencepost", "type": "module", "exports": { ".": "./index.ts", "./spec": "./spec.ts" } }',
  )
  writeFileSync(join(own, 'index.ts'), "export * from '../../../../index.ts'\n")
  writeFileSync(join(own, 'spec.ts'), "export * from '../../../../spec/index.ts'\n")
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})
afterAll(() => rmSync(folder, { recursive: true }))

test('every command of the guide prints what the guide shows', async () => {
  const page = readFileSync(guide, 'utf8')
  await expect(render(page, folder)).toMatchFileSnapshot(guide)
})

test('the files that the guide arrives at are well typed', () => {
  const tsconfig = {
    extends: '../../tsconfig.json',
    compilerOptions: {
      paths: { fencepost: ['../../index.ts'], 'fencepost/spec': ['../../spec/index.ts'] },
    },
    include: ['*.ts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  const compiler = join(repository, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
})
