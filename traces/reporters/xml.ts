/** Writing XML 1.0: any text, whatever is in it. */

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | number>>
  /** Text, or elements. */
  readonly content?: string | readonly Element[]
}

/** A document, indented by two blanks a level; text stands as it is. */
export const xmlDocument = (root: Element): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${elementLines(root, '').join('\n')}\n`

function elementLines({ name, attributes, content = '' }: Element, indent: string): string[] {
  const assigned = Object.entries(attributes).map(
    ([attribute, value]) => ` ${attribute}="${attributeText(String(value))}"`,
  )
  const start = `${indent}<${name}${assigned.join('')}`
  if (content.length === 0) return [`${start}/>`]
  if (typeof content === 'string') return [`${start}>${contentText(content)}</${name}>`]
  return [
    `${start}>`,
    ...content.flatMap((element) => elementLines(element, `${indent}  `)),
    `${indent}</${name}>`,
  ]
}

/** Characters that XML 1.0 has no way to write (https://www.w3.org/TR/xml/#charsets), lone surrogates among them. */
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const writable = (text: string): string =>
  text.replaceAll(unwritable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A reader would make a line feed of a carriage return. */
const contentText = (text: string): string =>
  writable(text)
    .replaceAll(/[&<>]/g, (character) => references[character] ?? '')
    .replaceAll('\r', '&#13;')

/** A reader would make a blank of a line feed or a tabulator. */
const attributeText = (text: string): string =>
  writable(text)
    .replaceAll(/[&<>"]/g, (character) => references[character] ?? '')
    .replaceAll(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
