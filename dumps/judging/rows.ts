/** What the tables of kafka-transactions.sh say about producers. */
import type { TransactionsRow } from '../observation.ts'
import { integer } from '../reading/fields.ts'
import type { Ledger, Location } from './finding.ts'

interface Said {
  readonly state: string
  readonly transactionalId: string
  readonly at: Location
}

const rowsMax = 100_000

export class Rows {
  private readonly byProducer = new Map<number, Said>()
  private readonly hanging = new Map<string, Location>()
  private readonly ledger: Ledger
  count = 0

  constructor(ledger: Ledger) {
    this.ledger = ledger
  }

  add({ command, cells, place }: TransactionsRow): void {
    this.count += 1
    if (this.count > rowsMax) {
      return this.ledger.doubt('too many to remember', `more than ${rowsMax} rows of tables`, place)
    }
    const producerId = integer(cells.ProducerId) ?? -1
    const { TransactionState: state, TransactionalId: transactionalId } = cells
    if (state !== undefined && transactionalId !== undefined) {
      this.byProducer.set(producerId, { state, transactionalId, at: place })
    }
    if (command === 'find-hanging') this.hanging.set(`${cells.Topic}-${cells.Partition} ${producerId}`, place)
  }

  saidOf(producerId: number): Said | undefined {
    return this.byProducer.get(producerId)
  }

  idOf(producerId: number): string | undefined {
    return this.byProducer.get(producerId)?.transactionalId
  }

  /** Where find-hanging has named the producer in this partition. */
  hangingAt(partition: string, producerId: number): Location | undefined {
    return this.hanging.get(`${partition} ${producerId}`)
  }

  /** Those of partitions that are not dumped. */
  unseen(
    logs: ReadonlySet<string>,
  ): { readonly partition: string; readonly producerId: number; readonly at: Location }[] {
    return [...this.hanging].flatMap(([key, at]) => {
      const [partition = '', producerId] = key.split(' ')
      return logs.has(partition) ? [] : [{ partition, producerId: Number(producerId), at }]
    })
  }
}
