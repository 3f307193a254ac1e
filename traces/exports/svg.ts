/** A trace as a sequence diagram that shows time: messages slant from where they are sent to where they arrive. */
import type { Trace } from '../../checker/trace.ts'
import { type DiagramOptions, diagramOf } from '../diagram/diagram.ts'
import { svgOf } from '../diagram/svg.ts'

export const writeSvg = (trace: Trace, options: DiagramOptions = {}): string =>
  svgOf(diagramOf(trace, options))
