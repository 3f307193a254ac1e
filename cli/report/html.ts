/** Pages without scripts that need nothing but themselves, light or dark as the reader has it. */
import { version } from '../version.ts'

const style = `
  :root { color-scheme: light dark }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
  table { border-collapse: collapse; width: 100%; margin: 0.5rem 0 }
  th, td { text-align: left; vertical-align: top; padding: 0.2rem 0.8rem 0.2rem 0; border-top: 1px solid #8884 }
  td.count { text-align: right; font-variant-numeric: tabular-nums }
  section { margin-top: 2rem }
  pre { overflow-x: auto; background: #8881; padding: 0.6rem }
  figure { margin: 1rem 0; overflow-x: auto }
  .differs { color: #c22; font-weight: bold }
`

/** As text between tags and in quoted attributes. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

export const element = (name: string, text: string, kind?: string): string =>
  `<${name}${kind === undefined ? '' : ` class="${kind}"`}>${escaped(text)}</${name}>`

/** @param rows each a whole `tr` */
export const tableOf = (titles: readonly string[], rows: readonly string[]): string =>
  `<table>\n<tr>${titles.map((title) => element('th', title)).join('')}</tr>\n${rows.join('\n')}\n</table>`

/**
 * @param body what stands below the title, as HTML
 * @param ownStyle rules that only this page has
 */
export const htmlPage = (title: string, body: readonly string[], repeat: string, ownStyle = ''): string =>
  [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    element('title', title),
    `<style>${style}${ownStyle}</style>`,
    '</head>',
    '<body>',
    element('h1', title),
    ...body,
    element('p', `fencepost ${version}; to repeat: ${repeat}`),
    '</body>',
    '</html>',
    '',
  ].join('\n')
