--------------------------- MODULE TwoPhaseCommit ---------------------------
(* Two-phase commit, action by action the same as examples/two-phase-commit.ts; *)
(* after Jim Gray and Leslie Lamport, "Consensus on transaction commit" (2006). *)
EXTENDS Naturals

CONSTANT Managers \* how many take part

Manager == 1 .. Managers

VARIABLES
  manager,  \* the state of each manager
  decision, \* of the coordinator
  heard,    \* the managers of which the coordinator has heard that they are prepared
  sent      \* the messages that were ever sent

vars == <<manager, decision, heard, sent>>

Prepared(m) == [type |-> "prepared", from |-> m]
Commit == [type |-> "commit"]
Abort == [type |-> "abort"]

Init ==
  /\ manager = [m \in Manager |-> "working"]
  /\ decision = "none"
  /\ heard = {}
  /\ sent = {}

Prepare(m) ==
  /\ manager[m] = "working"
  /\ manager' = [manager EXCEPT ![m] = "prepared"]
  /\ sent' = sent \cup {Prepared(m)}
  /\ UNCHANGED <<decision, heard>>

AbortAlone(m) ==
  /\ manager[m] = "working"
  /\ manager' = [manager EXCEPT ![m] = "aborted"]
  /\ UNCHANGED <<decision, heard, sent>>

ReceivePrepared(m) ==
  /\ decision = "none"
  /\ Prepared(m) \in sent
  /\ heard' = heard \cup {m}
  /\ UNCHANGED <<manager, decision, sent>>

DecideCommit ==
  /\ decision = "none"
  /\ heard = Manager
  /\ decision' = "commit"
  /\ sent' = sent \cup {Commit}
  /\ UNCHANGED <<manager, heard>>

DecideAbort ==
  /\ decision = "none"
  /\ decision' = "abort"
  /\ sent' = sent \cup {Abort}
  /\ UNCHANGED <<manager, heard>>

ReceiveCommit(m) ==
  /\ Commit \in sent
  /\ manager' = [manager EXCEPT ![m] = "committed"]
  /\ UNCHANGED <<decision, heard, sent>>

ReceiveAbort(m) ==
  /\ Abort \in sent
  /\ manager' = [manager EXCEPT ![m] = "aborted"]
  /\ UNCHANGED <<decision, heard, sent>>

Next ==
  \/ DecideCommit
  \/ DecideAbort
  \/ \E m \in Manager :
       \/ Prepare(m)
       \/ AbortAlone(m)
       \/ ReceivePrepared(m)
       \/ ReceiveCommit(m)
       \/ ReceiveAbort(m)

Spec == Init /\ [][Next]_vars

Consistent ==
  \A m, n \in Manager : ~(manager[m] = "committed" /\ manager[n] = "aborted")

=============================================================================
