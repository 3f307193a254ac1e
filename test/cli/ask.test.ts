import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readItf } from '../../index.ts'
import { fencepost, temporaryFolder, timeless } from './harness.ts'

/** `fencepost check`, in a folder with a schedule. */
async function check(words: readonly string[], schedule = '') {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'mine.txt'), schedule)
  return { folder, ...(await fencepost(['check', ...words], { folder })) }
}

const repeated = `# writer 0 says it twice
start writer-0
...
lose Ack
Write(writer: 0; reply: received)
`

describe('check --schedule', () => {
  test('tells the completed behaviour, with the steps of the lines', async () => {
    const { code, stdout, stderr, folder } = await check(
      ['--schedule', 'mine.txt', '--trace', 'a.itf.json'],
      repeated,
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "read-process-write, preset kafka-4.4: completed in 3 steps
        no behaviour does it in fewer steps
        no property of states or steps is violated on the way

        property               verdict    depth
        the schedule mine.txt  witnessed      4

      1  writer-0  started  [Start writer=0]
             log.epoch: 0 -> 1
             writer[0].epoch: -1 -> 1
             writer[0].status: new -> active
      2  writer-0 -> log  Write epoch=1  [Write writer=0; reply=lost]
         writer-0 -> log  Ack (lost)
             log.records: + {epoch: 1, writer: 0}
             writer[0].repeats: 1 -> 0
      3  writer-0 -> log  Write epoch=1  [Write writer=0; reply=received]
         log -> writer-0  Ack (arrives)
             writer[0].status: active -> done

      line 2 is step 1: start writer-0
      line 4 is step 2: lose Ack
      line 5 is step 3: Write(writer: 0; reply: received)

        bounds        preset=kafka-4.4 writers=2 repeats=1 idle=false broken=false
        states        13 distinct, 13 generated, depth 4
        recipes       25 runs for 12 transitions, 0.5 transitions a run
        took          (some time)
        trace         a.itf.json

      repeat: npx fencepost check read-process-write --preset kafka-4.4 --schedule mine.txt --trace a.itf.json
      "
    `)
    const trace = readItf(readFileSync(join(folder, 'a.itf.json'), 'utf8'), 'a.itf.json')
    expect(trace.steps.map(({ action }) => action)).toEqual(['Start', 'Write', 'Write'])
    expect((await fencepost(['trace', 'replay', 'a.itf.json'], { folder })).code).toBe(0)
  })

  test('says what is violated on the way', async () => {
    const { code, stdout } = await check(['--preset', 'kafka-3.9', '--schedule', 'mine.txt'], repeated)
    expect(code).toBe(1)
    expect(stdout).toContain('completed in 3 steps, violated\n')
    expect(stdout).toContain('  violated on the way, in step 3: written once\n')
    expect(stdout).toMatch(/^violated: written once/m)
  })

  test('says where it cannot be completed, and why', async () => {
    const { code, stdout, stderr, folder } = await check(
      ['--schedule', 'mine.txt', '--trace', 'a.itf.json'],
      'start writer-0\nWrite(writer: 1)',
    )
    expect(code).toBe(1)
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "read-process-write, preset kafka-4.4: cannot be completed
        every behaviour within the configured bounds was tried, and in none is it completed

        property               verdict      depth
        the schedule mine.txt  unwitnessed

      line 1 is step 1: start writer-0

      1  writer-0  started  [Start writer=0]

      line 2 cannot be done after step 1: Write(writer: 1)
          Write(writer: 1): the guard 'it is active' blocks it
          possible after step 1:
              writer-1  started  [Start writer=1]
              writer-0 -> log  Write epoch=1  [Write writer=0; reply=received]
              writer-0 -> log  Write epoch=1  [Write writer=0; reply=lost]

        bounds        preset=kafka-4.4 writers=2 repeats=1 idle=false broken=false
        states        2 distinct, 2 generated, depth 2
        recipes       10 runs for 1 transition, 0.1 transitions a run
        took          (some time)

      repeat: npx fencepost check read-process-write --preset kafka-4.4 --schedule mine.txt --trace a.itf.json
      "
    `)
    expect(stderr).toBe('a.itf.json was not written: there is no way\n')
    expect(existsSync(join(folder, 'a.itf.json'))).toBe(false)
  })

  test('ends at a limit without a verdict', async () => {
    const { code, stdout } = await check(['--schedule', 'mine.txt', '--max-states', '2'], '...\nlose Ack')
    expect(code).toBe(3)
    expect(stdout).toContain('not completed so far\n  stopped at the limit of 2 states; complete to depth')
  })

  test('takes no other question', async () => {
    const { code, stderr } = await check(['--schedule', 'mine.txt', '--continue'], repeated)
    expect(code).toBe(2)
    expect(stderr).toBe(
      'error: --schedule: --continue is given as well\n' +
        '  expected: --schedule alone: it asks for one behaviour, and judges that one by all properties\n' +
        '  to fix: leave --continue out\n',
    )
  })

  test('needs a file that can be read', async () => {
    const { code, stderr } = await check(['--schedule', 'other.txt'])
    expect(code).toBe(2)
    expect(stderr).toContain('this schedule cannot be read: there is no such file or folder')
  })
})

describe('check --goal', () => {
  test('tells the shortest way to an expression', async () => {
    const { code, stdout, folder } = await check([
      '--goal',
      'log.records.length == 2',
      '--trace',
      'a.itf.json',
    ])
    expect(code).toBe(0)
    expect(stdout).toContain(': reached in 4 steps\n')
    expect((await fencepost(['trace', 'show', 'a.itf.json'], { folder })).stdout).toContain(
      'witness of: log.records.length == 2\n',
    )
  })

  test('tells the way to a property by its name, as a check of that property does', async () => {
    const named = await check(['--preset', 'kafka-3.9', '--goal', 'written once'])
    const checked = await check(['--preset', 'kafka-3.9', '--property', 'written once'])
    expect(named.code).toBe(1)
    const story = (text: string) => timeless(text).replace(/repeat: .*/, '')
    expect(story(named.stdout)).toBe(story(checked.stdout))
    const { code, stdout } = await check(['--goal', 'somebody is done'])
    expect(code).toBe(0)
    expect(stdout).toContain(': reached in 2 steps\n')
  })

  test('says that there is no way', async () => {
    const { code, stdout } = await check(['--goal', 'log.records.length > 9'])
    expect(code).toBe(1)
    expect(stdout).toContain(
      ': cannot be reached\n  every behaviour within the configured bounds was tried, and in none is it reached\n',
    )
  })

  test('refuses what the state does not have', async () => {
    const { code, stderr } = await check(['--goal', "writer[0].state == 'done'"])
    expect(code).toBe(2)
    expect(stderr).toBe(
      "error: goal, character 10: there is no 'state' in what is here, in every state that was looked at\n" +
        '  expected: one of: epoch, repeats, status\n' +
        "  to fix: did you mean 'status'?\n",
    )
  })

  test('writes JSON that says what the goal was', async () => {
    const { stdout } = await check(['--goal', 'log.records.length == 2', '--json', '-'])
    expect(JSON.parse(stdout).properties).toEqual([
      { name: 'log.records.length == 2', kind: 'reachable', verdict: 'witnessed', vacuous: false, depth: 5 },
    ])
  })
})
