/**
 * Explores two-phase commit once and prints what `readResult` of fencepost.ts reads: `tsx bench/explore.ts MANAGERS`.
 * Only the property that the other checkers look at is judged, and every state is explored by itself, as they do it.
 */
import { check } from '../checker/index.ts'
import { twoPhaseCommit } from '../examples/two-phase-commit.ts'

const managers = Number(process.argv[2])
const { verdict, states, depth, elapsedMs } = await check(
  twoPhaseCommit,
  { managers },
  { properties: ['consistent'], symmetry: false },
)
const memoryBytes = process.resourceUsage().maxRSS * 1024
console.log(JSON.stringify({ verdict, states, depth, elapsedMs, memoryBytes }))
