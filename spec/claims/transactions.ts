/** What is said of transactions. */
import type { Claim } from './claim.ts'

export const transactionClaims: readonly Claim[] = []
