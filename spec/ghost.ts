/** Names of transactions as their clients know them: bookkeeping for properties and readers, never for rules. */

/** The `number`-th transaction of a session: 's1.2'. */
export const transactionName = (session: number, number: number): string =>
  number === 0 ? '' : `s${session}.${number}`

/** The number of a transaction within its session: 2 of 's1.2'. */
export const ordinal = (transaction: string): number =>
  Number(transaction.slice(transaction.indexOf('.') + 1))

const sessionOf = (transaction: string): number => Number(transaction.slice(1, transaction.indexOf('.')))

/** What an open transaction is called when a request of transaction `claimed` adds to it: the session's later one. */
export function nameAfterAdd(open: string, claimed: string): string {
  if (open === '' || claimed === '') return open === '' ? claimed : open
  return sessionOf(open) === sessionOf(claimed) && ordinal(claimed) > ordinal(open) ? claimed : open
}
