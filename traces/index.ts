/** Public face of traces: what one can do with a trace of any model. */
export * from './changes.ts'
export { readItf, traceLengthMax } from './itf/read.ts'
export { type ItfOptions, writeItf } from './itf/write.ts'
export { type MermaidOptions, writeMermaid } from './mermaid.ts'
export { failureLines } from './text/failure.ts'
export { lanesOf, type StepsOptions, stepLines } from './text/steps.ts'
export { plainStyle, type Role, type Style } from './text/style.ts'
export { valueLines, valueText } from './text/value.ts'
