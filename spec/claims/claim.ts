/** What is said about exactly-once, as something that can be checked. */
import type { Model } from '../../checker/model.ts'
import type { PropertyVerdict } from '../../checker/result.ts'
import type { PresetName } from '../presets.ts'

/** A guarantee, a limit, a failure or a remedy that texts on exactly-once state, or a defect that was reported. */
export interface Claim {
  /** `claim-D1a`, or the ticket of a public defect: `KAFKA-14402`. */
  readonly id: string
  /** In one sentence. */
  readonly claim: string
  /** Whether it stands. `refuted`: false as it is stated, and a case shows the counterexample. */
  readonly stands: 'holds' | 'holds within limits' | 'refuted'
  /** Classes, KIPs, tickets, documentation. */
  readonly sources: readonly string[]
  /** Its sides, or the cells of its table: each is one exploration. */
  readonly cases: readonly ClaimCase[]
  /** What the table is of that the cases with a `cell` make up. */
  readonly table?: TableLayout
}

export interface TableLayout {
  /** What its rows are: `policy`. */
  readonly rows: string
  /** What its columns are: `preset`. If it is not said, there is a column for each property. */
  readonly columns?: string
  /** What the texts of its cells say: `markers per record`. If it is not said, verdicts stand there. */
  readonly cells?: string
}

/** Where a case stands in the table of its claim: rows and columns come in the order in which they are first named. */
export interface Cell {
  readonly row: string
  /** Needed just if the table says what its columns are. */
  readonly column?: string
  /** Needed just if the table says what its cells say; it stands there if the case comes out as expected. */
  readonly text?: string
}

export interface ClaimCase {
  /** What is special about it, unique within the claim: `acks=0`, `two in flight, one remembered`. */
  readonly name: string
  /** Of any configuration and state: nobody who runs it looks inside. */
  readonly model: Model<unknown, unknown>
  /** Of the protocol, where the model has presets; the newest if it is not said. */
  readonly preset?: PresetName
  readonly config: { readonly [parameter: string]: unknown }
  readonly without?: readonly string[]
  /** The properties and questions that are judged, and no others. */
  readonly expected: Readonly<Record<string, PropertyVerdict>>
  /** Why, where it is not obvious. */
  readonly because?: string
  readonly cell?: Cell
  /**
   * By the name of a property that is violated or witnessed: what its shortest trace contains, in this order, so that
   * it comes out so for the stated reason. Each text is part of the label of a step, `Crash(client: 0)`, of one of its
   * choices, `late request: 0`, or of the text of one of its events. Needed for each of these properties.
   */
  readonly shows?: Readonly<Record<string, readonly string[]>>
}

/** A claim runs its models and never looks inside their configurations and states. */
export const anyModel = <Config, State>(model: Model<Config, State>): Model<unknown, unknown> =>
  model as unknown as Model<unknown, unknown>

/** Claims of several files in the order of their ids: `claim-X2` before `claim-X10`. */
export const byNumber = (claims: readonly Claim[]): Claim[] =>
  claims.toSorted(({ id: one }, { id: other }) => one.localeCompare(other, 'en', { numeric: true }))
