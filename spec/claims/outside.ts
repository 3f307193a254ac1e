/** What is said of databases, outboxes and providers beside Kafka. */
import { byNumber, type Claim } from './claim.ts'
import { databaseClaims } from './outside/databases.ts'
import { outboxClaims } from './outside/outboxes.ts'
import { providerClaims } from './outside/providers.ts'
import { recoveryClaims } from './outside/recovery.ts'

export const outsideClaims: readonly Claim[] = byNumber([
  ...databaseClaims,
  ...outboxClaims,
  ...providerClaims,
  ...recoveryClaims,
])
