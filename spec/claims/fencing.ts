/** What is said of fencing. */
import { byNumber, type Claim } from './claim.ts'
import { errorClaims } from './fencing/errors.ts'
import { groupClaims } from './fencing/groups.ts'
import { idClaims } from './fencing/ids.ts'
import { permissionClaims } from './fencing/permissions.ts'
import { sessionClaims } from './fencing/sessions.ts'
import { swallowedClaims } from './fencing/swallowed.ts'

export const fencingClaims: readonly Claim[] = byNumber([
  ...sessionClaims,
  ...idClaims,
  ...groupClaims,
  ...errorClaims,
  ...permissionClaims,
  ...swallowedClaims,
])
