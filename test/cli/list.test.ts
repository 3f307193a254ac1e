import { describe, expect, it } from 'vitest'
import { fencepost } from './harness.ts'

describe('fencepost list', () => {
  it('names everything there is, with defaults', async () => {
    const { code, stdout } = await fencepost(['list'])
    expect(stdout).toMatchInlineSnapshot(`
      "scenarios
        read-process-write  Two writers, one lost reply each. (default)
                            settings: the defaults
                            expected under kafka-3.9: written once (violated)
                            sources: KIP-98
        quiet               Two writers, nothing is lost.
                            settings: repeats=0
                            sources: KIP-98

      properties
        epochs never fall  What an old writer writes is refused.
                           kind: always
                           sources: KIP-98
        epochs are unique
                           kind: always
        written once
                           kind: always
        somebody is done
                           kind: reachable

      defences
        epoch check      The log refuses an old epoch.
                         presets: all
                         without it: read-process-write under kafka-4.4 violates "epochs never fall"
                         sources: KIP-98
        epoch bump       Every writer gets an epoch of its own.
                         presets: all
                         without it: quiet under kafka-3.9 violates "epochs are unique"
                         sources: KIP-98
        duplicate check  The log knows what it has.
                         presets: kafka-4.4
                         without it and "epoch check": read-process-write under kafka-4.4 violates "written once"
                         sources: KIP-98

      presets
        kafka-4.4  As kafka-4.4 does it. (default)
                   sources: KIP-98
        kafka-3.9  As kafka-3.9 does it.
                   sources: KIP-98

      flags of the presets
        flag                value  kafka-4.4  kafka-3.9
        keepsDuplicatesOut         x
        remembers           5      x
                            1                 x

      profiles
        patient  Repeats often.
                 settings: repeats=3 idle=true
                 sources: KIP-98

      parameters
        preset   Which version.
                 default: kafka-4.4; one of: kafka-4.4, kafka-3.9
                 sources: KIP-584; KIP-1022
        writers  How many write.
                 default: 2; 1 to 3
                 sources: KIP-98
        repeats  How many replies each loses.
                 default: 1; from 0
        options  What else.
                 default: none; keys: a, b
        label    What it is called.
                 default: x

      claims
        claim-W1  a writer that repeats its write writes once
                  holds within limits
                  cases: the log knows what it has; it does not
                  sources: KIP-98
        claim-W2  epochs are unique
                  refuted
                  cases: nothing raises them
                  sources: KIP-98

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
                   sources: KIP-98
        kafka-3.9  As kafka-3.9 does it.
                   sources: KIP-98

      flags of the presets
        flag                value  kafka-4.4  kafka-3.9
        keepsDuplicatesOut         x
        remembers           5      x
                            1                 x

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
