import { describe, expect, it } from 'vitest'
import { reporters } from '../../../traces/index.ts'
import { below, reported, results } from './hostile.ts'

interface Command {
  readonly name: string
  readonly title?: string
  readonly message: string
}

/** Reads a log as a runner does: the commands that it would carry out, and the lines that it would only show. */
function carriedOut(log: string) {
  const commands: Command[] = []
  const shown: string[] = []
  let stopped: string | undefined
  for (const line of log.split(/\r\n|\r|\n/)) {
    const [, name, properties = '', message = ''] = /^\s*::([\w-]+)(?: ([^:]*))?::(.*)$/.exec(line) ?? []
    if (stopped !== undefined) {
      if (name === stopped) stopped = undefined
      else shown.push(line)
    } else if (name === undefined) {
      if (line.includes('##[')) commands.push({ name: 'old form', message: line })
      shown.push(line)
    } else if (name === 'stop-commands') stopped = message
    else {
      const title = /^title=(.*)$/.exec(properties)?.[1]
      commands.push({
        name,
        ...(title === undefined ? {} : { title: decoded(title) }),
        message: decoded(message),
      })
    }
  }
  return { commands, shown, stopped }
}

const decoded = (text: string) =>
  text.replaceAll(/%(0D|0A|3A|2C|25)/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))

const read = (name: keyof typeof results) => carriedOut(reporters.github(reported(results[name])))

describe('the report for GitHub Actions', () => {
  it('prints annotations, and the counterexamples in groups', () => {
    expect(reporters.github(reported(results.everything))).toMatchInlineSnapshot(`
      "::group::./model <&">.ts, without "a %25 of it": violated
      ::stop-commands::fencepost-1
      n < 2 & "small", ]]> 100%: ::error::owned: violated in 2 steps
      n is a number: proved: every state that is reachable within the configured bounds was visited
      nothing is negative: vacuous: what it is about never happens
      n is 1: witnessed in 1 step
      n is '7' <never>: unwitnessed: it is true in no state that is reachable within the configured bounds
      deadlock freedom: violated in 3 steps
      ::fencepost-1::
      ::endgroup::
      ::error title=n < 2 & "small"%2C ]]> 100%25%3A %3A%3Aerror%3A%3Aowned::violated in 2 steps: not "it is <small>" (n & m = 2)
      ::group::how it breaks: n < 2 & "small", ]]> 100%25: ::error::owned
      ::stop-commands::fencepost-2
      1  ::error::owned by a lane  ##[error]owned\\u0000 fencepost-1  [Raise ]]> by="1\\n::error::owned by an argument"]
             n: 0 -> 1
      2  ::error::owned by a lane  ##[error]owned\\u0000 fencepost-1  [Raise ]]> by="1\\n::error::owned by an argument"]
             n: 1 -> 2

      violated: n < 2 & "small", ]]> 100%: ::error::owned: not "it is <small>"
          n & m = 2
      ::fencepost-2::
      ::endgroup::
      ::error title=nothing is negative::vacuous: what it is about never happens
      ::error title=n is '7' <never>::unwitnessed: it is true in no state that is reachable within the configured bounds
      ::error title=deadlock freedom::violated in 3 steps
      ::group::how it breaks: deadlock freedom
      ::stop-commands::fencepost-2
      1  ::error::owned by a lane  ##[error]owned\\u0000 fencepost-1  [Raise ]]> by="1\\n::error::owned by an argument"]
             n: 0 -> 1
      2  ::error::owned by a lane  ##[error]owned\\u0000 fencepost-1  [Raise ]]> by="1\\n::error::owned by an argument"]
             n: 1 -> 2
      3  ::error::owned by a lane  ##[error]owned\\u0000 fencepost-1  [Raise ]]> by="1\\n::error::owned by an argument"]
             n: 2 -> 3

      violated: deadlock freedom
      ::fencepost-2::
      ::endgroup::
      "
    `)
  })

  it('carries out nothing that stands in a name, and says all of it', () => {
    const { commands, shown, stopped } = read('everything')
    const failing = [below, 'nothing is negative', "n is '7' <never>", 'deadlock freedom']
    const errors = commands.filter(({ name }) => name === 'error')
    expect(errors.map(({ title }) => title)).toEqual(failing)
    expect(new Set(commands.map(({ name }) => name))).toEqual(new Set(['error', 'group', 'endgroup']))
    expect(stopped).toBeUndefined()
    expect(shown.join('\n')).toContain('##[error]owned')
  })

  it.each([
    ['a violation that leaves others open', 'warning'],
    ['a limited search', 'warning'],
    ['a sample', 'notice'],
  ] as const)('has one annotation for what is open for the same reason after %s', (name, level) => {
    const { commands } = read(name)
    expect(commands.filter((command) => command.name === level)).toMatchSnapshot()
  })

  it('annotates nothing where everything holds', () => {
    expect(reporters.github(reported(results['a proof']))).toMatchInlineSnapshot(`
      "::group::./model <&">.ts, without "a %25 of it": proved
      ::stop-commands::fencepost-1
      n is a number: proved: every state that is reachable within the configured bounds was visited
      n is 1: witnessed in 1 step
      ::fencepost-1::
      ::endgroup::
      "
    `)
  })
})
