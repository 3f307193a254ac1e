/*
 * Two-phase commit in Promela, state by state the same as examples/two-phase-commit.ts: one option of the loop
 * is one action of one manager, and a manager that receives a decision again makes a transition to the same state.
 *
 * After `spin -a -DMANAGERS=8 two-phase-commit.pml`, "states, stored" are the distinct states of the example, and
 * "transitions (= stored+matched)" are its generated states, the initial one included in both.
 */
#ifndef MANAGERS
#define MANAGERS 3
#endif

#define WORKING 0
#define PREPARED 1
#define COMMITTED 2
#define ABORTED 3

#define NOTHING 0
#define COMMIT 1
#define ABORT 2

byte manager[MANAGERS];
byte decision = NOTHING;
/* One bit a manager: who has said 'prepared', and of whom the coordinator has heard it. */
short said = 0;
short heard = 0;
bool commitSent = false;
bool abortSent = false;

/* Counts the managers in an assertion, and is 0 in every state. */
byte other = 0;

inline mustNotBe(forbidden) {
	for (other : 0 .. MANAGERS - 1) { assert(manager[other] != forbidden) }
	other = 0
}

#define ACTIONS(m) \
	:: d_step { manager[m] == WORKING -> manager[m] = PREPARED; said = said | (1 << m) } \
	:: d_step { manager[m] == WORKING -> manager[m] = ABORTED; mustNotBe(COMMITTED) } \
	:: d_step { decision == NOTHING && (said & (1 << m)) -> heard = heard | (1 << m) } \
	:: d_step { commitSent -> manager[m] = COMMITTED; mustNotBe(ABORTED) } \
	:: d_step { abortSent -> manager[m] = ABORTED; mustNotBe(COMMITTED) }

init {
	do
	:: d_step { decision == NOTHING && heard == (1 << MANAGERS) - 1 -> decision = COMMIT; commitSent = true }
	:: d_step { decision == NOTHING -> decision = ABORT; abortSent = true }
	ACTIONS(0)
#if MANAGERS > 1
	ACTIONS(1)
#endif
#if MANAGERS > 2
	ACTIONS(2)
#endif
#if MANAGERS > 3
	ACTIONS(3)
#endif
#if MANAGERS > 4
	ACTIONS(4)
#endif
#if MANAGERS > 5
	ACTIONS(5)
#endif
#if MANAGERS > 6
	ACTIONS(6)
#endif
#if MANAGERS > 7
	ACTIONS(7)
#endif
#if MANAGERS > 8
	ACTIONS(8)
#endif
	od
}
