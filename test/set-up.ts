/** Property-based tests use the same random values in every run; set FENCEPOST_SEED to try others. */
import { env } from 'node:process'
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(env.FENCEPOST_SEED ?? 20_191) })
