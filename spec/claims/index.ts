/** All claims, in the order in which they are told. */
import type { Claim } from './claim.ts'
import { deliveryClaims } from './delivery.ts'
import { fencingClaims } from './fencing.ts'
import { idempotenceClaims } from './idempotence.ts'
import { publicCases } from './public-cases.ts'
import { readerClaims } from './readers.ts'
import { transactionClaims } from './transactions.ts'

export const claims: readonly Claim[] = [
  ...deliveryClaims,
  ...idempotenceClaims,
  ...transactionClaims,
  ...fencingClaims,
  ...readerClaims,
  ...publicCases,
]
