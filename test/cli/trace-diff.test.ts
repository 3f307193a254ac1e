import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Trace, writeItf } from '../../index.ts'
import { fencepost, temporaryFolder } from './harness.ts'

let folder: string

beforeEach(async () => {
  folder = temporaryFolder()
  const check = (...words: string[]) => fencepost(['check', 'quiet', ...words], { folder })
  await check('--without', 'epoch check', '--trace', 'zombie.itf.json')
  await check('--without', 'epoch bump', '--trace', 'twins.itf.json')
  const foreign: Trace = { model: 'other', config: {}, defencesOff: [], states: [{ n: 0 }], steps: [] }
  writeFileSync(join(folder, 'other.itf.json'), writeItf(foreign, { version: '1.0.0' }))
  writeFileSync(join(folder, 'cut.itf.json'), '{ "#meta": ')
})

const diff = (...words: string[]) => fencepost(['trace', 'diff', ...words], { folder })

describe('fencepost trace diff', () => {
  it('says where two traces part and how they end', async () => {
    const { code, stdout, stderr } = await diff('zombie.itf.json', 'twins.itf.json')
    expect(stdout).toMatchInlineSnapshot(`
      "first:  zombie.itf.json (writers, 4 steps)
      second: twins.itf.json (writers, 2 steps)

      defence switched off only in the first: epoch check
      defence switched off only in the second: epoch bump
      property: epochs never fall | epochs are unique

      step 1 is the same, but leads to different states
      the states there differ, first | second:
          log.epoch: 1 | 0
          writer[0].epoch: 1 | 0

        1 1  writer-0  started  [Start writer=0]
        2 2  writer-1  started  [Start writer=1]
      - 3    writer-1 -> log  Write epoch=2  [Write writer=1; reply=received]
      - 4    writer-0 -> log  Write epoch=1  [Write writer=0; reply=received]

      the last states differ, first | second:
          log.epoch: 2 | 0
          log.records: {epoch: 2, writer: 1} |
          log.records: {epoch: 1, writer: 0} |
          writer[0].epoch: 1 | 0
          writer[0].status: done | active
          writer[1].epoch: 2 | 0
          writer[1].status: done | active

      repeat: npx fencepost trace diff zombie.itf.json twins.itf.json
      "
    `)
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  })

  it('says that nothing differs', async () => {
    const { code, stdout } = await diff('zombie.itf.json', 'zombie.itf.json')
    expect(stdout).toMatchInlineSnapshot(`
      "first:  zombie.itf.json (writers, 4 steps)
      second: zombie.itf.json (writers, 4 steps)

      the traces are equal

      repeat: npx fencepost trace diff zombie.itf.json zombie.itf.json
      "
    `)
    expect(code).toBe(0)
  })

  it.each([
    [['zombie.itf.json', 'other.itf.json'], "other.itf.json: it is a trace of the model 'other'"],
    [['zombie.itf.json', 'cut.itf.json'], 'the file ends in the middle of a value'],
    [['missing.itf.json', 'zombie.itf.json'], 'there is no such file or folder'],
    [['zombie.itf.json'], "missing required argument 'second'"],
  ])('refuses %s', async (words, message) => {
    const { code, stdout, stderr } = await diff(...words)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })
})
