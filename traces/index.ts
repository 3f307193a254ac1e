/** Public face of traces: what one can do with a trace of any model. */
export * from './changes.ts'
