import { describe, expect, it } from 'vitest'
import { fencepost } from './harness.ts'

describe('fencepost list', () => {
  it('names everything there is, with defaults', async () => {
    const { code, stdout } = await fencepost(['list'])
    expect(stdout).toMatchInlineSnapshot(`
      "scenarios
        read-process-write  Two writers, one lost reply each. (default)
        quiet               Two writers, nothing is lost.

      properties
        epochs never fall  What an old writer writes is refused.
        epochs are unique
        written once
        somebody is done

      defences
        epoch check      The log refuses an old epoch.
        epoch bump       Every writer gets an epoch of its own.
        duplicate check  The log knows what it has.

      presets
        kafka-4.4  As kafka-4.4 does it. (default)
        kafka-3.9  As kafka-3.9 does it.

      parameters
        writers  How many write. (default: 2)
        repeats  How many replies each loses. (default: 1)

      repeat: npx fencepost list
      "
    `)
    expect(code).toBe(0)
  })

  it('names one kind of things', async () => {
    const { stdout } = await fencepost(['list', 'presets'])
    expect(stdout).toMatchInlineSnapshot(`
      "presets
        kafka-4.4  As kafka-4.4 does it. (default)
        kafka-3.9  As kafka-3.9 does it.

      repeat: npx fencepost list presets
      "
    `)
  })

  it('refuses a kind that does not exist', async () => {
    const { code, stderr } = await fencepost(['list', 'preset'])
    expect(stderr).toContain(
      "'preset' is invalid for argument 'kind'. Allowed choices are scenarios, properties,",
    )
    expect(code).toBe(2)
  })
})
