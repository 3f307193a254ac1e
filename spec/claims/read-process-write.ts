/** What is said of applications that read, process and write. */
import { byNumber, type Claim } from './claim.ts'
import { commitTimeoutClaims } from './read-process-write/commit-timeouts.ts'
import { contentClaims } from './read-process-write/contents.ts'
import { errorClaims } from './read-process-write/errors.ts'
import { offsetClaims } from './read-process-write/offsets.ts'
import { replayClaims } from './read-process-write/replays.ts'

export const readProcessWriteClaims: readonly Claim[] = byNumber([
  ...offsetClaims,
  ...errorClaims,
  ...commitTimeoutClaims,
  ...contentClaims,
  ...replayClaims,
])
