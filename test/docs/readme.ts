/** Makes the parts of the README that are results: the picture, the tables, and what its commands print. */
import { spawnSync } from 'node:child_process'
import type { Catalogue } from '../../cli/catalogue.ts'
import type { PlannedRun } from '../../cli/standard/plan.ts'
import { type CheckResult, type Lane, type Plain, type Trace, writeMermaid } from '../../index.ts'

export interface Ran {
  readonly run: PlannedRun
  readonly result: CheckResult
}

/** Replaces what stands between `<!-- begin NAME -->` and `<!-- end NAME -->`. */
export const withSections = (page: string, sections: Readonly<Record<string, string>>): string =>
  page.replaceAll(/(<!-- begin ([\w-]+) -->\n)[\s\S]*?(<!-- end \2 -->)/g, (_, begin, name, end) => {
    const section = sections[name]
    if (section === undefined) throw new Error(`the page has a section that nothing makes: ${name}`)
    return `${begin}${section}${end}`
  })

export const picture = (trace: Trace, lanes: readonly Lane[]): string =>
  `\`\`\`mermaid\n${writeMermaid(trace, { lanes })}\`\`\`\n`

/** The standard scenario in words, and all of its bounds. */
export function scenarioText({ scenarios, parameters }: Catalogue, [first]: readonly Ran[]): string {
  const scenario = scenarios.find(({ name }) => name === first?.run.scenario)
  const config = first?.result.config as { readonly [key: string]: Plain }
  const rows = parameters
    .filter(({ name }) => name !== 'preset' && isBound(config[name]))
    .map(({ name, summary }) => [name, String(config[name]), summary])
  return `\nThe standard scenario, \`${scenario?.name}\`. ${scenario?.summary}\n${table(['bound', '', 'meaning'], rows)}`
}

/** Not a budget that is empty, nor flags, which are rules and no bounds. */
const isBound = (value: Plain | undefined): boolean =>
  typeof value !== 'object' && value !== undefined && value !== 0

/** The same question asked of every version: what falls where, in how many steps. */
export function versionsTable(compared: readonly Ran[]): string {
  const broken = (result: CheckResult) => result.properties.filter(({ verdict }) => verdict === 'violated')
  const names = [...new Set(compared.flatMap(({ result }) => broken(result).map(({ name }) => name)))]
  const steps = (result: CheckResult, name: string) => {
    const found = result.properties.find((property) => property.name === name)
    if (found === undefined) return 'not promised'
    return found.verdict === 'violated' ? `${(found.depth ?? 1) - 1} steps` : found.verdict
  }
  const counts = compared.map(({ result }) => result.states.distinct.toLocaleString('en'))
  return table(
    ['', ...compared.map(({ run }) => run.preset)],
    [
      ...names.map((name) => [name, ...compared.map(({ result }) => steps(result, name))]),
      ['all other guarantees', ...compared.map(() => 'proved')],
      ['states', ...counts],
    ],
  )
}

/** Properties that promise something, and what was found under each preset; not every version promises all. */
export function propertiesTable({ model }: Catalogue, standard: readonly Ran[]): string {
  const body = model.build(standard[0]?.result.config, { defences: { has: () => true } })
  const rows = body.properties
    .filter(({ kind }) => kind !== 'reachable')
    .map(({ name, summary = '', sources = [] }) => [
      name,
      `${summary} (${sources.join('; ')})`,
      ...standard.map(
        ({ result }) => result.properties.find((found) => found.name === name)?.verdict ?? 'not promised',
      ),
    ])
  const titles = standard.map(({ run, result }) => {
    return `${run.preset}: ${result.states.distinct.toLocaleString('en')} states, depth ${result.depth}`
  })
  return table(['property', 'promise', ...titles], rows)
}

export function defencesTable({ defences }: Catalogue, removed: readonly Ran[]): string {
  const rows = removed.map(({ run, result }) => {
    const [name = '', ...others] = run.defencesOff
    const [found] = result.properties
    const together = others.length === 0 ? '' : `, together with ${others.join(' and ')}`
    return [
      `${name}${together}`,
      defences.find((defence) => defence.name === name)?.summary ?? '',
      found?.name ?? '',
      String((found?.depth ?? 0) - 1),
      `${run.scenario}, ${run.preset}`,
    ]
  })
  return table(['without', 'which is there so that', 'this falls', 'in steps', 'in'], rows)
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
  return `\n${line(titles)}|${' --- |'.repeat(titles.length)}\n${rows.map(line).join('')}\n`
}

/**
 * Runs the commands of the `console` blocks in a folder; `exits N` after the word names another exit code than 0. A line
 * `...` stands for any lines, and times for any times. A block that is right stays as it is, any other becomes what the
 * command really printed.
 */
export function withOutputs(page: string, folder: string, program: readonly string[]): string {
  return page.replaceAll(
    /^```console(?: exits (\d))?\n\$ (.*)\n([\s\S]*?)^```$/gm,
    (block, code, command, shown) => {
      const [file = '', ...before] = program
      const words = ['-c', `"$0" "$@" ${command.replace('npx fencepost', '')}`, file, ...before]
      const { status, stdout, stderr } = spawnSync('bash', words, { cwd: folder, encoding: 'utf8' })
      const about = status === 0 ? '' : ` exits ${status}`
      const same = status === Number(code ?? 0) && matches(shown, stdout)
      return same
        ? block
        : `\`\`\`console${about}\n$ ${command}\n${stdout}${status === 0 ? '' : stderr}\`\`\``
    },
  )
}

function matches(shown: string, printed: string): boolean {
  const pattern = timeless(shown)
    .split(/^\.\.\.\n/m)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('(?:.*\\n)*')
  return new RegExp(`^${pattern}$`).test(timeless(printed)) && shown.replaceAll('...', '').trim() !== ''
}

const timeless = (text: string) => text.replaceAll(/^( *took +).*$/gm, '$1')
