import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { drawn, fileOf, galleryFolder, pageOf } from './gallery.ts'
import { pictures } from './gallery-pictures.ts'

describe('the gallery', () => {
  it('has a page and nothing but the pictures on it', () => {
    const files = pictures.map(({ name }) => `${name}.svg`)
    expect(readdirSync(galleryFolder).sort()).toEqual(['README.md', ...files].sort())
    expect(new Set(files).size).toBeGreaterThanOrEqual(25)
    expect(readFileSync(join(galleryFolder, 'README.md'), 'utf8')).toBe(pageOf())
  })

  it.each(pictures)(
    '$name is what the trace looks like; `npm run gallery` draws it anew',
    async (picture) => {
      expect(await drawn(picture)).toBe(readFileSync(fileOf(picture), 'utf8'))
    },
  )

  it('refers to sections that the catalogue has', () => {
    const catalogue = readFileSync(join(galleryFolder, '../catalogue.md'), 'utf8')
    for (const { claim } of pictures) expect(catalogue).toContain(`\n## ${claim}\n`)
  })
})
