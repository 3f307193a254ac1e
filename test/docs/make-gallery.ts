/** `npm run gallery [-- NAME ...]`: finds the behaviours of the gallery, draws them, and writes the page that shows them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawn, fileOf, galleryFolder, pageOf } from './gallery.ts'
import { pictures } from './gallery-pictures.ts'

const asked = process.argv.slice(2)
mkdirSync(galleryFolder, { recursive: true })
for (const picture of pictures) {
  if (asked.length > 0 && !asked.includes(picture.name)) continue
  writeFileSync(fileOf(picture), await drawn(picture))
  process.stdout.write(`${picture.name}\n`)
}
writeFileSync(join(galleryFolder, 'README.md'), pageOf())
