/** What is said of transactions. */
import type { Claim } from './claim.ts'
import { endingClaims } from './transactions/endings.ts'
import { lateBatchClaims } from './transactions/late-batches.ts'
import { limitClaims } from './transactions/limits.ts'
import { markerClaims } from './transactions/markers.ts'

export const transactionClaims: readonly Claim[] = [
  ...endingClaims,
  ...markerClaims,
  ...lateBatchClaims,
  ...limitClaims,
]
