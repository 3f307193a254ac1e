/** Entry point `fencepost`: the model checker, and what one can do with the traces it finds. */
export * from './checker/index.ts'
export * from './traces/index.ts'
