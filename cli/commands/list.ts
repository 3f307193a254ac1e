/** `fencepost list`: what there is, by name. */
import { resolve } from 'node:path'
import type { Environment } from '../environment.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { writeAtomically } from '../files.ts'
import { type ListKind, listingOf, listKinds } from '../list/listing.ts'
import { sectionLines } from '../list/text.ts'
import { commandLine } from '../repeat.ts'
import { coloursFor } from '../report/colours.ts'

export interface ListFlags {
  readonly json?: string
}

export async function listCommand(
  kind: ListKind | undefined,
  flags: ListFlags,
  environment: Environment,
): Promise<ExitCode> {
  const listing = listingOf(await environment.catalogue())
  const json = `${JSON.stringify(listing, null, 2)}\n`
  const repeat = commandLine(['list', ...(kind === undefined ? [] : [kind])], { '--json': flags.json })
  if (flags.json === '-') {
    environment.stdout.write(json)
    return exitCodes.holds
  }
  if (flags.json !== undefined) writeAtomically(resolve(environment.folder, flags.json), json, '--json')
  const colours = coloursFor(environment.colours)
  const sections = listKinds
    .filter((each) => kind === undefined || each === kind)
    .map((each) => sectionLines(each, listing, colours).join('\n'))
  environment.stdout.write(`${sections.join('\n\n')}\n\nrepeat: ${repeat}\n`)
  return exitCodes.holds
}
