/** The command line that repeats a run. */

/** Quotes for a POSIX shell, only where they are needed. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** Options that are undefined, false or empty lists are left out; lists repeat their option. */
export function commandLine(
  command: readonly string[],
  options: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>,
): string {
  const words = Object.entries(options).flatMap(([option, value]) => {
    if (value === undefined || value === false) return []
    if (value === true) return [option]
    return [value].flat().flatMap((one) => [option, String(one)])
  })
  return ['npx', 'fencepost', ...command, ...words].map(quoted).join(' ')
}
