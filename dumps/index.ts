export { eachLine } from './lines.ts'
export type * from './observation.ts'
export { DumpReader } from './reading/reader.ts'
