import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { fencepost, timeless } from './harness.ts'

const license = fileURLToPath(new URL('../../LICENSE', import.meta.url))

describe('fencepost check', () => {
  it('reports what is proved, with coverage and actions that never fired', async () => {
    const { code, stdout, stderr } = await fencepost(['check'])
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "read-process-write, preset kafka-4.4: proved
        every state that is reachable within the configured bounds was visited

        property           verdict    depth
        epochs never fall  proved
        epochs are unique  proved
        written once       proved
        somebody is done   witnessed      3

        bounds        preset=kafka-4.4 writers=2 repeats=1 idle=false broken=false
        states        41 distinct, 41 generated, depth 7
        recipes       69 runs for 40 transitions, 0.6 transitions a run
        took          (some time)
        never fired   Expire

      repeat: npx fencepost check read-process-write --preset kafka-4.4
      "
    `)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('tells how a property breaks, step by step, and which defence is off', async () => {
    const { code, stdout } = await fencepost(['check', 'quiet', '--without', 'epoch check'])
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "quiet, preset kafka-4.4, without "epoch check": violated
        violated in 4 steps: epochs never fall
        the search stopped at depth 5; --continue settles the other properties

        property           verdict       depth
        epochs never fall  violated          5
        epochs are unique  inconclusive
        written once       inconclusive
        somebody is done   witnessed         3

      1  writer-0  started  [Start writer=0]
             log.epoch: 0 -> 1
             writer[0].epoch: -1 -> 1
             writer[0].status: new -> active
      2  writer-1  started  [Start writer=1]
             log.epoch: 1 -> 2
             writer[1].epoch: -1 -> 2
             writer[1].status: new -> active
      3  writer-1 -> log  Write epoch=2  [Write writer=1; reply=received]
         log -> writer-1  Ack (arrives)
             log.records: + {epoch: 2, writer: 1}
             writer[1].status: active -> done
      4  writer-0 -> log  Write epoch=1  [Write writer=0; reply=received]
         log -> writer-0  Ack (arrives)
             log.records: + {epoch: 1, writer: 0}
             writer[0].status: active -> done

      violated: epochs never fall: not "in order"
          epochs = [2, 1]
      defence switched off: epoch check

        bounds        preset=kafka-4.4 writers=2 idle=false broken=false (0: repeats)
        states        15 distinct, 17 generated, depth 5
        recipes       39 runs for 16 transitions, 0.4 transitions a run
        took          (some time)
        not fired yet Expire

      repeat: npx fencepost check quiet --preset kafka-4.4 --without 'epoch check'
      "
    `)
    expect(code).toBe(1)
  })

  it('settles the other properties too with --continue', async () => {
    const words = ['check', '--without', 'epoch check', '--without', 'epoch bump', '--continue']
    const { code, stdout } = await fencepost(words)
    expect(stdout.match(/^ {2}(epochs|written|somebody) .*$/gm)).toMatchInlineSnapshot(`
      [
        "  epochs never fall  proved",
        "  epochs are unique  violated       3",
        "  written once       proved",
        "  somebody is done   witnessed      3",
      ]
    `)
    expect(stdout.match(/^violated: .*$/gm)).toEqual(['violated: epochs are unique'])
    expect(code).toBe(1)
  })

  it('checks only the properties that are asked for', async () => {
    const { code, stdout } = await fencepost([
      'check',
      '--preset',
      'kafka-3.9',
      '--property',
      'epochs never fall',
    ])
    expect(stdout).toContain('read-process-write, preset kafka-3.9: proved')
    expect(stdout).not.toContain('written once')
    expect(code).toBe(0)
  })

  it('never calls a clipped search a proof', async () => {
    const { code, stdout } = await fencepost(['check', '--max-depth', '3'])
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "read-process-write, preset kafka-4.4: bounded
        stopped at the limit of 3 levels; complete to depth 2, no proof

        property           verdict    depth
        epochs never fall  bounded
        epochs are unique  bounded
        written once       bounded
        somebody is done   witnessed      3

        bounds        preset=kafka-4.4 writers=2 repeats=1 idle=false broken=false
        states        9 distinct, 9 generated, depth 3
        recipes       14 runs for 8 transitions, 0.6 transitions a run
        took          (some time)
        not fired yet Expire

      repeat: npx fencepost check read-process-write --preset kafka-4.4 --max-depth 3
      "
    `)
    expect(code).toBe(3)
    expect(stdout).not.toContain('proved')
  })

  it('says that it was stopped by its user, and that this is no proof', async () => {
    const onInterrupt = (stop: () => void) => {
      stop()
      return () => undefined
    }
    const { code, stdout } = await fencepost(['check'], { onInterrupt })
    expect(stdout).toMatch(
      /^read-process-write, preset kafka-4\.4: bounded\n {2}stopped by you; complete to depth \d+, no proof\n/,
    )
    expect(code).toBe(3)
  })

  it('calls a run violated even if it was limited, when something is violated', async () => {
    const { code, stdout } = await fencepost([
      'check',
      '--preset',
      'kafka-3.9',
      '--continue',
      '--max-depth',
      '4',
    ])
    expect(stdout).toMatch(/^read-process-write, preset kafka-3.9: violated/)
    expect(stdout).toContain('stopped at the limit of 4 levels')
    expect(code).toBe(1)
  })

  it('names a vacuous property in the verdict, and does not let it pass', async () => {
    const { code, stdout } = await fencepost(['check', '--set', 'idle=true'])
    expect(stdout).toMatch(/^read-process-write, preset kafka-4\.4: proved, but vacuous\n/)
    expect(stdout).toContain('vacuous, what they are about never happens: nothing happens after expiry')
    expect(stdout).toMatch(/nothing happens after expiry +proved, vacuous/)
    expect(code).toBe(1)
  })

  it('names guards that never blocked on request', async () => {
    const words = ['check', '--set', 'writers=1', '--set', 'repeats=0']
    expect((await fencepost(words)).stdout).not.toContain('never blocked')
    expect((await fencepost([...words, '--guards'])).stdout).toContain(
      'never blocked Write: the epoch is current',
    )
    const never = /^ {2}never passed +(.*)$/m.exec((await fencepost([...words, '--guards'])).stdout)
    expect(never?.[1]).toBe('Expire: time is up')
  })

  it('says of a clipped search only that a guard has not blocked or passed yet, and what was not put to the test', async () => {
    const words = ['check', '--set', 'idle=true', '--max-depth', '2', '--guards']
    const { code, stdout } = await fencepost(words)
    expect(stdout).toMatch(/^ {2}no block yet +Start: it is new$/m)
    expect(stdout).toMatch(/^ {2}no pass yet +Write: it is active\n +Expire: time is up$/m)
    expect(stdout).not.toContain('never blocked')
    expect(stdout).toContain('not seen so far: somebody is done')
    expect(stdout).toContain('never put to the test so far: nothing happens after expiry')
    expect(code).toBe(3)
  })

  it('says what a vacuous property is worth even when only it is asked for', async () => {
    const only = ['--property', 'nothing happens after expiry']
    const { code, stdout } = await fencepost(['check', '--set', 'idle=true', ...only])
    expect(stdout).toMatch(/: proved, but vacuous\n/)
    expect(code).toBe(1)
    const others = await fencepost(['check', '--set', 'idle=true', '--property', 'written once'])
    expect(others.stdout).not.toContain('vacuous')
    expect(others.code).toBe(0)
  })

  it('ends with the line that repeats it, quoted for a shell', async () => {
    const words = [
      'check',
      'quiet',
      '--set',
      'preset=kafka-3.9',
      '--set',
      'writers=1',
      '--without',
      'epoch bump',
    ]
    const { stdout } = await fencepost([
      ...words,
      '--max-states',
      '1_000',
      '--timeout',
      '2m',
      '--max-memory',
      '1G',
      '--memory',
      'small',
    ])
    expect(stdout.split('\n').at(-2)).toBe(
      "repeat: npx fencepost check quiet --preset kafka-3.9 --set writers=1 --without 'epoch bump' " +
        '--max-states 1000 --max-memory 1073741824 --memory small --timeout 120000ms',
    )
  })

  it('takes what is named twice once', async () => {
    const twice = ['--without', 'epoch check', '--property', 'epochs never fall']
    const { stdout } = await fencepost(['check', 'quiet', ...twice, ...twice])
    expect(stdout.split('\n')[0]).toBe('quiet, preset kafka-4.4, without "epoch check": violated')
    expect(stdout.split('\n').at(-2)).toBe(
      "repeat: npx fencepost check quiet --preset kafka-4.4 --without 'epoch check' --property 'epochs never fall'",
    )
  })

  it('reports the same in colours on a terminal', async () => {
    const words = ['check', 'quiet', '--without', 'epoch check']
    const coloured = (await fencepost(words, { colours: true })).stdout
    expect(coloured).toContain('\u001b[31mviolated')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours are made of
    const plain = coloured.replaceAll(/\u001b\[\d+m/g, '')
    expect(timeless(plain)).toBe(timeless((await fencepost(words)).stdout))
  })
})

describe('fencepost check refuses', () => {
  it.each<[string, string[], number, string]>([
    [
      'a mistyped scenario',
      ['quite'],
      2,
      "error: there is no scenario 'quite'\n  expected: one of: read-process-write, quiet, programs\n  to fix: did you mean 'quiet'?\n",
    ],
    [
      'a mistyped preset',
      ['--preset', 'kafka-4.5'],
      2,
      "error: there is no preset 'kafka-4.5'\n  expected: one of: kafka-4.4, kafka-3.9\n  to fix: did you mean 'kafka-4.4'?\n",
    ],
    [
      'a mistyped defence',
      ['--without', 'epoch chek'],
      2,
      "error: there is no defence 'epoch chek'\n  expected: one of: epoch check, epoch bump, duplicate check\n  to fix: did you mean 'epoch check'?\n",
    ],
    ['a mistyped property', ['--property', 'writen once'], 2, "did you mean 'written once'?"],
    [
      'a mistyped key',
      ['--set', 'writer=1'],
      2,
      "error: configuration: there is no key 'writer'\n  expected: one of: preset, writers, repeats, idle, broken\n  to fix: did you mean 'writers'?\n",
    ],
    ['a key of the prototype', ['--set', '__proto__=1'], 2, "there is no key '__proto__'"],
    [
      'a mistyped option',
      ['--prset', 'kafka-4.4'],
      2,
      "error: unknown option '--prset'\n(Did you mean --preset?)",
    ],
    ['too many arguments', ['quiet', 'quiet'], 2, 'too many arguments'],
    ['an option without its value', ['--json'], 2, "option '--json <file>' argument missing"],
    [
      'a defence that the preset lacks',
      ['--preset', 'kafka-3.9', '--without', 'duplicate check'],
      2,
      "error: --without: preset kafka-3.9 has no defence 'duplicate check' that could be switched off\n  expected: a preset that has it: kafka-4.4\n",
    ],
    [
      'an impossible value',
      ['--set', 'writers=4'],
      2,
      'error: configuration of writers, writers: 4 will not do\n  expected: <=3\n',
    ],
    [
      'a value of another type',
      ['--set', 'writers=two'],
      2,
      'writers: "two" will not do\n  expected: number',
    ],
    [
      'an assignment without a value',
      ['--set', 'writers'],
      2,
      "error: --set: 'writers' does not assign anything\n  expected: KEY=VALUE, for example --set crashes=2 or --set flags.verification=off\n",
    ],
    [
      'a limit of nothing',
      ['--max-states', '0'],
      2,
      "error: --max-states: '0' is not valid here\n  expected: a whole number, 1 or more\n",
    ],
    [
      'a size that is none',
      ['--max-memory', 'much'],
      2,
      "error: --max-memory: 'much' is not valid here\n  expected: a size such as 512M, 8G or 1.5GiB\n",
    ],
    [
      'a memory that is none',
      ['--memory', 'tiny'],
      2,
      "error: option '--memory <how>' argument 'tiny' is invalid. Allowed choices are usual, small.",
    ],
    [
      'a time that is none',
      ['--timeout', 'soon'],
      2,
      "error: --timeout: 'soon' is not valid here\n  expected: a duration such as 90s, 5m or 1h\n",
    ],
    [
      'more workers than there are',
      ['--workers', '2'],
      2,
      "error: --workers: '2' workers are not possible yet",
    ],
    ['a file that does not exist', ['./absent.ts'], 2, 'absent.ts: there is no such file'],
    [
      'a configuration that does not exist',
      ['--config', 'absent.json'],
      2,
      'absent.json: this configuration cannot be read: there is no such file',
    ],
    [
      'a module as a configuration',
      ['--config', fileURLToPath(import.meta.url)],
      2,
      'check.test.ts: this is not JSON',
    ],
    ['a configuration that is not JSON', ['--config', license], 2, `error: ${license}: this is not JSON`],
    ['a device as a configuration', ['--config', '/dev/zero'], 2, 'it is a device without an end'],
    [
      'a folder as a configuration',
      ['--config', '.'],
      2,
      'this configuration cannot be read: it is a folder',
    ],
    ['a model that throws', ['--set', 'broken=true'], 4, 'the recipe is broken'],
  ])('%s', async (_, words, code, message) => {
    const finished = await fencepost(['check', ...words])
    expect(finished.stderr).toContain(message)
    expect(finished).toMatchObject({ code, stdout: '' })
  })
})
