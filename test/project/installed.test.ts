import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { reasonToInstall } from '../../scripts/installed.mjs'
import { root } from './sources.ts'

const packages = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages

describe('whether to install', () => {
  const lock = {
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '2.0.0', optional: true },
  }

  it('is decided by versions, not by times', () => {
    expect(reasonToInstall(lock, lock)).toBeUndefined()
    expect(reasonToInstall(lock, { 'node_modules/a': { version: '1.0.0' } })).toBeUndefined()
    expect(reasonToInstall(lock, {})).toBe('node_modules/a is not installed')
    expect(reasonToInstall(lock, { 'node_modules/a': { version: '1.0.1' } })).toBe(
      'node_modules/a is 1.0.1, not 1.0.0',
    )
  })

  it('says no here, where the tests run', () => {
    expect(
      reasonToInstall(packages('package-lock.json'), packages('node_modules/.package-lock.json')),
    ).toBeUndefined()
  })
})

describe('the lock file', () => {
  it('pins every package by its content, and names no place to get it from', () => {
    const entries = Object.entries<{ integrity?: string; resolved?: string }>(packages('package-lock.json'))
    const pinned = entries.filter(([path]) => path !== '')
    expect(pinned.length).toBeGreaterThan(50)
    expect(pinned.filter(([, { integrity }]) => integrity === undefined)).toEqual([])
    expect(pinned.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  })
})
