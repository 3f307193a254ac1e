/** Every format that a trace can be written in for something else to read, by name. */
import type { Trace } from '../../checker/trace.ts'
import type { DiagramOptions } from '../diagram/diagram.ts'
import { writeCsv } from './csv.ts'
import { writeDot } from './dot.ts'
import { writeJsonl } from './jsonl.ts'
import { writeMarkdown } from './markdown.ts'
import { writeMermaid } from './mermaid.ts'
import { writeShiviz } from './shiviz.ts'
import { writeSvg } from './svg.ts'
import { writeTla } from './tla.ts'
import { writeTlcJson } from './tlc-json.ts'

export interface ExportOptions extends DiagramOptions {
  /** Of formats that name what they hold: the name of the file without its ending. */
  readonly name?: string
}

type Exporter = (trace: Trace, options?: ExportOptions) => string

/** Texts that end in a line feed; equal traces and options give equal texts. */
export const exporters = {
  mermaid: (trace, options) => writeMermaid(trace, { ...options, boxes: true }),
  svg: writeSvg,
  markdown: writeMarkdown,
  dot: writeDot,
  shiviz: (trace) => writeShiviz(trace),
  tla: (trace, { name } = {}) => writeTla(trace, name === undefined ? {} : { module: name }),
  'tlc-json': (trace) => writeTlcJson(trace),
  jsonl: (trace) => writeJsonl(trace),
  csv: (trace) => writeCsv(trace),
} as const satisfies Record<string, Exporter>

export type ExportFormat = keyof typeof exporters
