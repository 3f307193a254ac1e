/** The instances of a model's actions: one for each combination of argument values. */
import { ModelError } from './errors.ts'
import type { Action, Domains, Plain } from './model.ts'
import { demandOneLine } from './one-line.ts'
import { canonical, displayed, mutableCopy } from './plain.ts'

type Args = Readonly<Record<string, Plain>>

export interface Instance {
  /** Position in the order in which ties are broken: actions as declared, then their arguments. */
  readonly index: number
  /** Position of its action in the model. */
  readonly actionIndex: number
  readonly action: Action<unknown>
  readonly args: Args
  /** `RmPrepare(rm: 0)` */
  readonly label: string
  /** What to call the recipe with; a recipe that changes an argument changes a copy. */
  argumentsForRun(): Record<string, never>
}

/**
 * Expands actions in the order that breaks ties: actions as declared, arguments as declared, the last argument
 * varying fastest.
 * @throws ModelError 'invalid-model' for a name of several lines, two actions of one name, too many instances, or a domain that is not plain data
 */
export function instancesOf(actions: readonly Action<unknown>[]): Instance[] {
  const names = new Set<string>()
  const instances: Instance[] = []
  demandOneLine(
    'an action',
    actions.map(({ name }) => name),
  )
  actions.forEach((action, actionIndex) => {
    if (names.has(action.name)) throw twice(action.name)
    names.add(action.name)
    for (const args of combinations(action.name, action.parameters)) {
      instances.push(instanceOf(action, actionIndex, args, instances.length))
    }
  })
  return instances
}

/** `Crash(app: 0)`, for messages. */
export function labelOf(action: string, args: Args): string {
  const list = Object.entries(args).map(([name, value]) => {
    return `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`
  })
  return list.length === 0 ? action : `${action}(${list.join(', ')})`
}

/** More instances than a search could try in each of its states: the list alone would exhaust the memory. */
const instancesMax = 100_000

function combinations(action: string, domains: Domains): Args[] {
  const count = Object.values(domains).reduce((product, domain) => product * (domain?.length ?? 1), 1)
  if (count > instancesMax) throw tooMany(action, count)
  let rows: Args[] = [{}]
  for (const [name, domain] of Object.entries(domains)) {
    if (!Array.isArray(domain)) throw noDomain(action, name, domain)
    const values = domain.map((value) => canonical(value, `action ${action}, argument ${name}`))
    rows = rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value })))
  }
  return rows.map((row) => Object.freeze(row))
}

function instanceOf(action: Action<unknown>, actionIndex: number, args: Args, index: number): Instance {
  const simple = Object.values(args).every((value) => value === null || typeof value !== 'object')
  const shared = args as Record<string, never>
  return {
    index,
    actionIndex,
    action,
    args,
    label: labelOf(action.name, args),
    argumentsForRun: simple ? () => shared : () => mutableCopy(shared),
  }
}

const twice = (name: string) =>
  new ModelError({
    code: 'invalid-model',
    found: `there are two actions '${name}'`,
    expected: 'a name for each action',
    fix: 'make them one action with an argument, or rename one',
  })

const tooMany = (action: string, count: number) =>
  new ModelError({
    code: 'invalid-model',
    found: `its arguments have ${count} combinations of values`,
    where: `action ${action}`,
    expected: `at most ${instancesMax}`,
    fix: 'make the configuration smaller, or choose an argument inside the recipe with step.choose',
  })

const noDomain = (action: string, name: string, domain: unknown) =>
  new ModelError({
    code: 'invalid-model',
    found: `the domain of argument '${name}' is ${JSON.stringify(displayed(domain))}`,
    where: `action ${action}`,
    expected: 'an array of all values that the argument may have',
  })
