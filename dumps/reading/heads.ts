/** By what a line of a dump can be recognised, and what people and tools put before it. */

export type Head =
  | 'batch'
  | 'record'
  /** Key and payload only (`--skip-record-metadata`). */
  | 'bare record'
  | 'snapshot'
  | 'index'
  | 'formatter'
  | 'formatter json'
  | 'heading'
  | 'start offset'

export function headOf(text: string): Head | undefined {
  switch (text.charCodeAt(0)) {
    case 98: // b
      return /^baseOffset: ?\d/.test(text) ? 'batch' : undefined
    case 124: // |
      if (/^\| ?offset: ?\d/.test(text)) return 'record'
      return /^\| ?(?:key: |payload: |$)/.test(text) ? 'bare record' : undefined
    case 111: // o
      return /^offset: ?\d+ (?:position|CreateTime|LogAppendTime|isvalid|isValid|keysize|keySize): ?\S/.test(
        text,
      )
        ? 'record'
        : undefined
    case 112: // p
      return /^producerId: ?-?\d+ producerEpoch: ?-?\d/.test(text) ? 'snapshot' : undefined
    case 118: // v
      return /^version: ?\d+ producerId: ?-?\d/.test(text) ? 'index' : undefined
    case 123: // {
      return text.startsWith('{"key":{') ? 'formatter json' : undefined
    case 68: // D
      return text.startsWith('Dumping ') ? 'heading' : undefined
    default:
      return /^(?:Log s|S)tarting offset: ?\d/.test(text) ? 'start offset' : undefined
  }
}

/** The formatter prints the transactional.id first, which can be anything. */
export const isFormatterLine = (text: string): boolean =>
  text.includes('::TransactionMetadata(transactionalId=') || /^\S.*::(?:NULL|null)$/.test(text)

/** One of the things that stand before a line: blanks, quote marks, line numbers, file names, times, containers. */
const prefixes = [
  /\s+/y,
  />+/y,
  /\d+[:.)]?(?=\s)/y,
  /\d+[:\t-]/y,
  /[\w./@-]{1,200}[:-]\d+[:-]/y,
  /\[[^\]|]{1,60}\]/y,
  /[\w.@-]{1,60}\s*\|(?= )/y,
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?/y,
]

/** The line from where it is recognised on; undefined if it is not recognised behind any of the usual prefixes. */
export function withoutPrefix(text: string): { text: string; head: Head } | undefined {
  let from = 0
  for (let round = 0; round < 8; round += 1) {
    const rest = text.slice(from)
    const head = headOf(rest)
    if (head !== undefined) return { text: rest, head }
    const next = endOfPrefix(text, from)
    if (next === from) return undefined
    from = next
  }
  return undefined
}

function endOfPrefix(text: string, from: number): number {
  for (const prefix of prefixes) {
    prefix.lastIndex = from
    if (prefix.test(text)) return prefix.lastIndex
  }
  return from
}
