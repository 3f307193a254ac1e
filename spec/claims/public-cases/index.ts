/** Defects that were reported, found again with the rules of their time and gone with those of today. */
import type { Claim } from '../claim.ts'
import { brokerCases } from './brokers.ts'
import { clientCases } from './clients.ts'
import { coordinatorCases } from './coordinators.ts'
import { sequenceCases } from './sequences.ts'
import { sessionCases } from './sessions.ts'

export const publicCases: readonly Claim[] = [
  ...brokerCases,
  ...coordinatorCases,
  ...sessionCases,
  ...clientCases,
  ...sequenceCases,
]
