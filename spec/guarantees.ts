/**
 * The names of the guarantees that scenarios expect to be broken, or that fall without a defence. Tests hold both to what
 * is found.
 */
export const visible = 'aborted and open records stay invisible'
export const whole = 'a transaction takes effect everywhere or nowhere'
export const atomic = 'output and offset are atomic'
export const offsetStays = 'the committed offset never goes back'
export const closedAsDecided = 'records are closed as their transaction was decided'
export const toldTruth = 'reported outcomes are true'
export const toldIsSeen = 'reported outcomes are what readers see'
export const hanging = 'open transactions are known to the coordinator'
export const mixing = 'transactions do not mix'
export const inOrder = 'batches are in order, none twice'
export const acknowledged = 'acknowledged batches are in the log'
export const replicated = 'replicated records stay'
export const verifiedStart = 'transactions begin with the knowledge of the coordinator'
export const ahead = 'no partition is ahead of the coordinator'
export const noRival = 'no session is fenced without a rival'
export const remembers = 'the coordinator remembers what it wrote last'
export const committedWhole = 'a committed transaction is whole'
export const externalDecision = 'the external decision is what Kafka decided'
export const fencedWrites = 'fenced sessions write nothing visible'
export const gaps = 'sequences have no gaps'
