/** `npm run verdicts [-- SCENARIO ...]`: runs standard scenarios under every preset and writes docs/verdicts.md anew. */
import { writeFileSync } from 'node:fs'
import { scenarios } from '../../spec/index.ts'
import { pinnedRow, presetsOf, readVerdicts, rowOf, runUnder, sectionOf, verdictsFile } from './verdicts.ts'

const only = process.argv.slice(2)
const old = readVerdicts()
const [intro] = old.split(/^## /m)

const sections: string[] = []
for (const scenario of scenarios) {
  const rows: string[] = []
  for (const preset of presetsOf(scenario)) {
    const pinned = pinnedRow(old, scenario.name, preset)
    const kept = only.length > 0 && !only.includes(scenario.name) ? pinned : undefined
    const row = kept ?? rowOf(preset, await runUnder(scenario, preset))
    if (row !== pinned) process.stdout.write(`${scenario.name}: ${row}\n`)
    rows.push(row)
  }
  sections.push(sectionOf(scenario, rows))
}
writeFileSync(verdictsFile, `${intro?.trimEnd()}\n\n${sections.join('\n')}`)
