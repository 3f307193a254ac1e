/** All claims, in the order in which they are told. */
import type { Claim } from './claim.ts'
import { costClaims } from './cost.ts'
import { deliveryClaims } from './delivery.ts'
import { outsideClaims } from './outside.ts'
import { readProcessWriteClaims } from './read-process-write.ts'
import { transactionClaims } from './transactions.ts'

export const claims: readonly Claim[] = [
  ...deliveryClaims,
  ...transactionClaims,
  ...readProcessWriteClaims,
  ...outsideClaims,
  ...costClaims,
]
