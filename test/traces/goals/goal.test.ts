import { describe, expect, test } from 'vitest'
import { check } from '../../../checker/index.ts'
import { twoPhaseCommit } from '../../../examples/two-phase-commit.ts'
import { minimise, reach, withGoalOf } from '../../../traces/index.ts'
import { replay } from '../../../traces/replay/replay.ts'
import { callsOf } from '../walk.ts'

const config = { managers: 2 }
const depthOf = async (goal: string) => {
  const { properties } = await reach(twoPhaseCommit, config, goal)
  return [properties[0]?.verdict, properties[0]?.depth]
}

describe('an expression', () => {
  const sameAs: readonly (readonly [string, string])[] = [
    ['all committed', "all(m in managers[*], m == 'committed')"],
    ['all committed', "managers[0] == 'committed' and managers[1] == 'committed'"],
    ['all committed', "count(m in managers[*], m != 'committed') == 0"],
    ['all committed', "not any(m in managers[*], not (m == 'committed'))"],
    ['all aborted', 'managers[0] == "aborted" && managers[1 - 0] == \'aborted\''],
  ]
  test.each(sameAs)('is reached where the property %j is witnessed: %s', async (name, expression) => {
    const { properties } = await check(twoPhaseCommit, config, { properties: [name] })
    expect(properties[0]?.depth).toBeGreaterThan(1)
    expect(await depthOf(expression)).toEqual(['witnessed', properties[0]?.depth])
    expect(await depthOf(name)).toEqual(['witnessed', properties[0]?.depth])
  })

  const others: readonly (readonly [expression: string, verdict: string, depth: number | undefined])[] = [
    ['sent.commit', 'witnessed', 6],
    ['sent.commit or sent.abort', 'witnessed', 2],
    ['not sent.commit', 'witnessed', 1],
    ['sent.commit and sent.abort', 'unwitnessed', undefined],
    ['count(p in sent.prepared[*], p) >= 1 + 1', 'witnessed', 3],
    ['managers.length > 2 || managers.length <= -1', 'unwitnessed', undefined],
    ['sent.prepared == coordinator.prepared and sent.prepared[1]', 'witnessed', 3],
    ['managers[0].length < managers[1].length', 'witnessed', 2],
    ['managers[0] == null', 'unwitnessed', undefined],
  ]
  test.each(others)('%s is %s', async (expression, verdict, depth) => {
    expect(await depthOf(expression)).toEqual([verdict, depth])
  })

  test('tells interchangeable participants apart', async () => {
    const { properties } = await reach(twoPhaseCommit, config, "managers[1] == 'prepared'")
    expect(callsOf(properties[0]!.trace!)).toEqual(['Prepare(manager=1)'])
  })

  test('leaves a trace that can be replayed and minimised', async () => {
    const { properties } = await reach(twoPhaseCommit, config, 'sent.commit')
    const trace = properties[0]!.trace!
    const model = withGoalOf(twoPhaseCommit, trace)
    expect(replay(model, trace)).toEqual({ trace, shows: true })
    expect(minimise(model, trace).trace.steps).toHaveLength(5)
  })

  const refused: readonly (readonly [string, string])[] = [
    [
      'sent.comit',
      "goal, character 5: there is no 'comit' in 'sent'\n  expected: one of: abort, commit, prepared\n  to fix: did you mean 'commit'?",
    ],
    ['managers[2] == 1', "goal, character 9: there is no '2' in 'managers'\n  expected: one of: 0, 1"],
    [
      'managers[0] == working',
      "goal, character 16: there is no 'working' in the state\n  expected: one of: coordinator, managers, sent\n  to fix: a text is written in quotes: 'working'",
    ],
    ['managers[0] = 1', "goal, character 13: a single '='\n  expected: '==' for a comparison"],
    [
      "managers[0] == 'work",
      "goal, character 16: a text without its end\n  expected: another ' where it ends",
    ],
    [
      'managers[*] == 1',
      'goal, character 9: [*], which names several values\n  expected: any(x in ..., ...), all(...) or count(...) around it',
    ],
    [
      'any(m in managers, true)',
      'goal, character 10: a path without [*]\n  expected: a path that names each element, such as partition[*].log[*]',
    ],
    ['(sent.commit', "goal, character 13: the end\n  expected: ')'"],
    ['sent.commit sent', "goal, character 13: 'sent'\n  expected: and, or, a comparison, or the end"],
    [
      'managers[0] > 3',
      "goal, character 13: '>' is between a text and a number, in every state that was looked at\n  expected: what makes sense in at least one state",
    ],
    [
      'managers[0]',
      'goal, character 1: this is a text, and not true or false, in every state that was looked at\n  expected: what makes sense in at least one state',
    ],
    [
      'constructor',
      "goal: there is no property 'constructor'\n  expected: one of: consistent, a decision is final, all committed, all aborted, deadlock freedom",
    ],
    [
      'managers[0].constructor == 1',
      "goal, character 12: there is no 'constructor' in a text, in every state that was looked at\n  expected: what makes sense in at least one state",
    ],
    [
      'all comitted',
      "goal: there is no property 'all comitted'\n  expected: one of: consistent, a decision is final, all committed, all aborted, deadlock freedom\n  to fix: did you mean 'all committed'?",
    ],
    [
      'a;b()',
      "goal, character 2: the character ';'\n  expected: a path, a value, a comparison, and, or, not, any, all or count",
    ],
    ['('.repeat(500), "goal, character 102: '('\n  expected: at most 100 parts in each other"],
    [`${'x'.repeat(2001)}.`, 'goal, character 1: it has 2002 characters\n  expected: at most 2000'],
  ]
  test.each(refused)('%j is refused', async (expression, message) => {
    await expect(reach(twoPhaseCommit, config, expression)).rejects.toThrow(
      expect.objectContaining({ message, name: 'UsageError' }),
    )
  })

  const hints: readonly (readonly [string, string])[] = [
    [
      "managers[0] == 'abort'",
      "character 13 was made, what was there was never 'abort', but 'working', 'prepared', 'aborted', 'committed'",
    ],
    [
      "managers[0] == 'aborted' and managers[0] == 'working'",
      "character 42 was made, what was there was never 'working', but 'aborted'",
    ],
  ]
  test.each(hints)('%s: the reason may be a text that is nowhere', async (expression, reason) => {
    const { properties } = await reach(twoPhaseCommit, config, expression)
    expect(properties).toEqual([
      {
        name: expression,
        kind: 'reachable',
        verdict: 'unwitnessed',
        vacuous: true,
        reason: `wherever the comparison at ${reason}`,
      },
    ])
  })

  test('is not settled where a limit ends the search', async () => {
    const result = await reach(twoPhaseCommit, { managers: 4 }, 'sent.commit and sent.abort', {
      maxStates: 20,
    })
    expect(result).toMatchObject({ verdict: 'bounded', properties: [{ verdict: 'bounded' }] })
  })
})
