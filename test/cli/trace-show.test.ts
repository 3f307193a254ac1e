import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { fencepost, temporaryFolder } from './harness.ts'

let folder: string

beforeEach(async () => {
  folder = temporaryFolder()
  await fencepost(['check', 'quiet', '--without', 'epoch check', '--trace', 'zombie.itf.json'], { folder })
})

const show = (...words: string[]) => fencepost(['trace', 'show', ...words], { folder })

describe('fencepost trace show', () => {
  it('prints the steps, what failed, and the defence that is off', async () => {
    const { code, stdout, stderr } = await show('zombie.itf.json')
    expect(stdout).toMatchInlineSnapshot(`
      "writers, 4 steps, preset kafka-4.4
      configuration: broken=false idle=false preset=kafka-4.4 writers=2 (0: repeats)

      1  writer-0  started  [Start writer=0]
             log.epoch: 0 -> 1
             writer[0]
               epoch: -1 -> 1
               status: new -> active
      2  writer-1  started  [Start writer=1]
             log.epoch: 1 -> 2
             writer[1]
               epoch: -1 -> 2
               status: new -> active
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

      repeat: npx fencepost trace show zombie.itf.json
      "
    `)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('prints a part of the steps', async () => {
    const { stdout } = await show('zombie.itf.json', '--from', '2', '--to', '3', '--only', 'log')
    expect(stdout.split('\n').slice(3, -5).join('\n')).toMatchInlineSnapshot(`
      "   (2 steps not shown)
      3  writer-1 -> log  Write epoch=2  [Write writer=1; reply=received]
         log -> writer-1  Ack (arrives)
             log.records: + {epoch: 2, writer: 1}
             writer[1].status: active -> done
         (1 step not shown)

      violated: epochs never fall: not "in order""
    `)
    expect(stdout).toContain('repeat: npx fencepost trace show zombie.itf.json --only log --from 2 --to 3')
  })

  it('leaves out what changed on request', async () => {
    const { stdout } = await show('zombie.itf.json', '--brief')
    expect(stdout.split('\n').slice(3, 9)).toEqual([
      '1  writer-0  started  [Start writer=0]',
      '2  writer-1  started  [Start writer=1]',
      '3  writer-1 -> log  Write epoch=2  [Write writer=1; reply=received]',
      '   log -> writer-1  Ack (arrives)',
      '4  writer-0 -> log  Write epoch=1  [Write writer=0; reply=received]',
      '   log -> writer-0  Ack (arrives)',
    ])
    expect(stdout).toContain('repeat: npx fencepost trace show zombie.itf.json --brief\n')
  })

  it('prints a whole state', async () => {
    const { stdout } = await show('zombie.itf.json', '--state', '4')
    expect(stdout.split('\n').slice(3, -3).join('\n')).toMatchInlineSnapshot(`
      "state 4:
        log: {epoch: 2, records: [{epoch: 2, writer: 1}, {epoch: 1, writer: 0}]}
        writer: [{epoch: 1, repeats: 0, status: done}, {epoch: 2, repeats: 0, status: done}]"
    `)
    expect((await show('zombie.itf.json', '--state', '0')).stdout).toContain('state 0:\n')
  })

  it.each<[string, string[], string]>([
    [
      'a file that does not exist',
      ['absent'],
      'absent: this trace cannot be read: there is no such file or folder',
    ],
    ['a folder', ['.'], 'this trace cannot be read: it is a folder'],
    ['a device', ['/dev/null'], 'this trace cannot be read: it is a device without an end'],
    ['a broken file', ['broken'], 'error: broken: the file ends in the middle of a value'],
    ['a mistyped participant', ['zombie.itf.json', '--only', 'logs'], "there is no participant 'logs'"],
    [
      'a state beyond the end',
      ['zombie.itf.json', '--state', '5'],
      'error: --state: 5 is not part of this trace',
    ],
    ['a step beyond the end', ['zombie.itf.json', '--to', '5'], 'error: --to: 5 is not part of this trace'],
    [
      'a range that ends before it begins',
      ['zombie.itf.json', '--from', '3', '--to', '2'],
      'error: --from: 3 is not',
    ],
    ...['--from 1', '--to 2', '--only log', '--brief', '--all'].map((other): [string, string[], string] => [
      `a whole state together with ${other}`,
      ['zombie.itf.json', '--state', '4', ...other.split(' ')],
      `option '--state <n>' cannot be used with option '${other.split(' ')[0]}`,
    ]),
    [
      'a number that is none',
      ['zombie.itf.json', '--state', 'last'],
      "error: --state: 'last' is not valid here",
    ],
  ])('refuses %s', async (_, words, message) => {
    writeFileSync(join(folder, 'broken'), '{"vars": [')
    const finished = await show(...words)
    expect(finished.stderr).toContain(message)
    expect(finished).toMatchObject({ code: 2, stdout: '' })
  })
})
