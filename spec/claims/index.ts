/** All claims, in the order in which they are told. */
import type { Claim } from './claim.ts'
import { costClaims } from './cost.ts'
import { deliveryClaims } from './delivery.ts'
import { fencingClaims } from './fencing.ts'
import { idempotenceClaims } from './idempotence.ts'
import { outsideClaims } from './outside.ts'
import { publicCases } from './public-cases/index.ts'
import { readProcessWriteClaims } from './read-process-write.ts'
import { readerClaims } from './readers.ts'
import { retryClaims } from './retries.ts'
import { sequenceClaims } from './sequences.ts'
import { settingsClaims } from './settings.ts'
import { transactionClaims } from './transactions.ts'

export const claims: readonly Claim[] = [
  ...deliveryClaims,
  ...idempotenceClaims,
  ...sequenceClaims,
  ...retryClaims,
  ...settingsClaims,
  ...transactionClaims,
  ...fencingClaims,
  ...readerClaims,
  ...readProcessWriteClaims,
  ...outsideClaims,
  ...costClaims,
  ...publicCases,
]
