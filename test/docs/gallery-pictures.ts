/** The behaviours of the gallery, by what they are about: each is the shortest trace of a property of a case of a claim. */

export interface Picture {
  /** Of the file, without `.svg`. */
  readonly name: string
  readonly title: string
  readonly claim: string
  readonly case: string
  readonly property: string
}

export interface Chapter {
  readonly title: string
  readonly pictures: readonly Picture[]
}

const picture = (name: string, title: string, claim: string, of: string, property: string): Picture => ({
  name,
  title,
  claim,
  case: of,
  property,
})

const twice = 'no output is there twice'
const effectTwice = 'no event has its effect twice'
const noEffect = 'every event has its effect in the end'
const unknownOpen = 'open transactions are known to the coordinator'
const invisible = 'aborted and open records stay invisible'
const inOrder = 'records are in the order of sending'
const pastAll = 'readers get past every transaction'

export const chapters: readonly Chapter[] = [
  {
    title: 'At most once, at least once',
    pictures: [
      picture(
        'lost-reply',
        'The reply is lost, the record is sent again, and both are there',
        'claim-I1',
        'a reply is lost',
        twice,
      ),
      picture(
        'committed-too-early',
        'The offset is committed first: after a crash the input is lost',
        'claim-D1b',
        'crash and restart',
        'no input is lost',
      ),
      picture(
        'late-offset-commit',
        'A late offset commit takes the group back',
        'claim-D1b',
        'a commit comes late',
        twice,
      ),
      picture(
        'rebalance',
        'The partition moves before its offset is committed',
        'claim-D2',
        'rebalance',
        twice,
      ),
      picture(
        'ask-first',
        'Asking whether it was done does not help while the request is under way',
        'claim-D5',
        'ask first',
        'it is done once only',
      ),
    ],
  },
  {
    title: 'Idempotent producers',
    pictures: [
      picture(
        'restart',
        'A restarted producer is another one to the broker',
        'claim-I6',
        'crash and restart',
        twice,
      ),
      picture(
        'forgotten-producer',
        'The broker forgets the producer while a copy is under way',
        'claim-I8',
        'forgotten while a copy is under way',
        twice,
      ),
      picture(
        'two-in-flight',
        'Two batches in flight, and the second one first',
        'claim-I13',
        'two in flight',
        inOrder,
      ),
      picture(
        'one-remembered',
        'Two batches in flight, and only one of them remembered',
        'KAFKA-5494',
        'a reply is lost, two in flight and one remembered',
        twice,
      ),
      picture(
        'numbered-anew',
        'A client numbers its batches anew after its epoch was raised',
        'librdkafka-4953',
        'sequences: all anew at each epoch',
        twice,
      ),
    ],
  },
  {
    title: 'Transactions',
    pictures: [
      picture(
        'one-partition-first',
        'A committed transaction is visible in one partition and not yet in another',
        'claim-T1',
        'the client crashes',
        'a committed transaction is visible in one partition and not yet in another',
      ),
      picture(
        'timeout',
        'Nobody is left to end the transaction: the coordinator aborts it',
        'claim-T3',
        'it times out',
        'a transaction is aborted when nobody is left to end it',
      ),
      picture(
        'successor',
        'The coordinator fails between decision and markers, its successor completes',
        'claim-T5',
        'one move',
        'a successor writes a marker and completes the transaction',
      ),
      picture(
        'fenced-client',
        'A fenced client does not know that its transaction was committed',
        'claim-T6',
        'another has initialised the id',
        'a fenced client does not know that its transaction was committed',
      ),
      picture(
        'two-markers',
        'The offset is committed before the output is visible',
        'claim-T12',
        'two markers',
        'an offset is committed before its output is visible',
      ),
    ],
  },
  {
    title: 'Fencing',
    pictures: [
      picture(
        'zombie-writes',
        'Without a new epoch, a fenced session cannot be told from its successor',
        'claim-F1',
        'kafka-4.4, without the epoch of the successor',
        'fenced sessions write nothing visible',
      ),
      picture(
        'zombie-commits',
        'Without the check of the coordinator, a zombie commits',
        'claim-F2',
        'kafka-4.4, without the check of the coordinator',
        'fenced sessions end no transaction',
      ),
      picture(
        'bare-group-id',
        'Offsets with the bare group id: two owners commit the same input',
        'claim-F7',
        'kafka-4.4, by bare group id',
        twice,
      ),
      picture(
        'changing-names',
        'A new transactional.id at each start: nobody ends the old transaction',
        'claim-F15',
        'changing names, and no timeout yet',
        pastAll,
      ),
    ],
  },
  {
    title: 'Readers',
    pictures: [
      picture(
        'read-uncommitted',
        'A read_uncommitted reader gets what is aborted later',
        'claim-R4',
        'the application aborts',
        'a read_uncommitted reader gets an aborted record',
      ),
      picture(
        'behind-an-open-one',
        'A committed transaction waits behind an open one',
        'claim-R8',
        'two producers, one partition',
        'a committed transaction waits behind an open one',
      ),
    ],
  },
  {
    title: 'Public defects',
    pictures: [
      picture(
        'hanging-transaction',
        'A late batch after the marker: a hanging transaction (KAFKA-14402)',
        'KAFKA-14402',
        'kafka-2.5',
        unknownOpen,
      ),
      picture(
        'next-transaction',
        'A late batch becomes part of the next transaction (KIP-890)',
        'KIP-890-next-transaction',
        'verification on, the client does not raise its epoch',
        invisible,
      ),
      picture(
        'verified-and-late',
        'Verified, then aborted, then appended (KAFKA-14884)',
        'KAFKA-14884',
        'without the guard',
        unknownOpen,
      ),
      picture(
        'reload',
        'A failover forgets what was verified (KAFKA-15449)',
        'KAFKA-15449',
        'kafka-3.6',
        unknownOpen,
      ),
      picture(
        'marker-not-sent-again',
        'The leader changes, and the marker is not sent again (KAFKA-9749)',
        'KAFKA-9749',
        'no marker is sent again after a change of the leader',
        'every participant gets its marker',
      ),
      picture(
        'fenced-without-a-rival',
        'A producer is fenced by its own repeated request (KAFKA-8710)',
        'KAFKA-8710',
        'a repeated one is not recognised',
        'no session is fenced without a rival',
      ),
    ],
  },
  {
    title: 'Beyond Kafka',
    pictures: [
      picture(
        'late-call',
        'The call to a provider comes late, after it was called again',
        'claim-X5',
        'without a key: lateCalls',
        effectTwice,
      ),
      picture(
        'kafka-first',
        'Kafka commits, then the database does not',
        'claim-X10',
        'Kafka first',
        noEffect,
      ),
      picture(
        'slow-relay',
        'A lease ends while its owner is only slow',
        'claim-X8',
        'claimed with lease, the claimer is slow',
        effectTwice,
      ),
      picture(
        'prepared',
        'A reader waits for a prepared transaction',
        'claim-X22',
        'crash anywhere',
        'a reader waits for an open transaction',
      ),
    ],
  },
]

export const pictures: readonly Picture[] = chapters.flatMap((chapter) => chapter.pictures)
