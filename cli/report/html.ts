/** Parts of pages that need nothing but themselves. */

/** As text between tags and in quoted attributes. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

export const element = (name: string, text: string, kind?: string): string =>
  `<${name}${kind === undefined ? '' : ` class="${kind}"`}>${escaped(text)}</${name}>`
