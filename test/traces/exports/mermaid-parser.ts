/** Mermaid's own parser for sequence diagrams, without a page. */
import DOMPurify from 'dompurify'

/** What Mermaid understood of a diagram, with the characters that entities stand for. */
export interface ReadDiagram {
  readonly actors: readonly { readonly label: string; readonly box?: string }[]
  readonly messages: readonly { readonly from?: string; readonly to?: string; readonly text: string }[]
}

interface Database {
  getActors(): Map<string, { description: string; box?: { name: string } }>
  getMessages(): { from?: string; to?: string; message?: string }[]
}

/** Without a document there is nothing to purify for, and no style sheet to ask for colours. */
Object.assign(DOMPurify, { addHook: () => undefined, sanitize: (text: string) => text })
Object.assign(globalThis, {
  window: { CSS: { supports: (_: string, value: string) => value === 'transparent' } },
})

/** @throws Error of Mermaid if it is no sequence diagram */
export async function readMermaid(text: string): Promise<ReadDiagram> {
  const { default: mermaid } = await import('mermaid')
  // Only this makes the kinds of diagrams known.
  await mermaid.parse(text)
  const { db, type } = await mermaid.mermaidAPI.getDiagramFromText(text)
  if (type !== 'sequence') throw new Error(`a diagram of the type ${type}`)
  const { getActors, getMessages } = db as unknown as Database
  return {
    actors: [...getActors.call(db).values()].map(({ description, box }) => ({
      label: decoded(description),
      ...(box === undefined ? {} : { box: decoded(box.name) }),
    })),
    messages: getMessages.call(db).map(({ from, to, message = '' }) => ({
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      text: decoded(message),
    })),
  }
}

/** Mermaid marks entities in a way of its own until it draws them. */
const decoded = (text: string): string =>
  text.replaceAll(/ﬂ°°(\d+)¶ß/g, (_, code) => String.fromCharCode(Number(code)))
