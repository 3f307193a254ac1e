/**
 * Runs the guide: writes its files, applies its changes, runs its commands, and renders the page again with what they
 * really printed. A block's info string says what it is: `ts FILE`, `json FILE` or `text FILE` a whole file, `diff FILE` a
 * change of it, `console` commands with their output, `console exits N` the same with another exit code than 0.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

export const repository = fileURLToPath(new URL('../..', import.meta.url))

/** @returns the page, with the output of its commands replaced by what they print in `folder` */
export function render(page: string, folder: string): string {
  return page.replace(/^```(\S+) ?(.*)\n([\s\S]*?)^```$/gm, (block, language, about, body: string) => {
    switch (language) {
      case 'ts':
      case 'json':
      case 'text':
        writeFileSync(join(folder, about), body)
        return block
      case 'diff':
        writeFileSync(join(folder, about), changed(readFileSync(join(folder, about), 'utf8'), body))
        return block
      case 'console': {
        const exitCode = Number(/^exits (\d)$/.exec(about)?.[1] ?? 0)
        const fence = about === '' ? '```console' : `\`\`\`console ${about}`
        return `${fence}\n${ran(body, exitCode, folder)}\`\`\``
      }
      default:
        throw new Error(`the guide has a block that nobody checks: ${language}`)
    }
  })
}

/** Replaces the lines that a diff keeps or takes out, which must be in the file exactly once. */
function changed(file: string, diff: string): string {
  const lines = diff.trimEnd().split('\n')
  const side = (dropped: string) =>
    lines.flatMap((line) => (line.startsWith(dropped) ? [] : [`${line.slice(1)}\n`])).join('')
  const [before, after] = [side('+'), side('-')]
  expect(file.split(before), `exactly one place in the file for\n${diff}`).toHaveLength(2)
  return file.replace(before, () => after)
}

/**
 * The commands of a block, each followed by its output. A block that is right stays as the page has it: times and memory may
 * be any, and a line `...` stands for any lines.
 */
function ran(body: string, exitCode: number, folder: string): string {
  const [, ...commands] = body.split(/^\$ /m)
  return commands
    .map((text) => {
      const [command = '', ...shown] = text.trimEnd().split('\n')
      const output = run(command, exitCode, folder)
      const same = shows(shown.join('\n'), output)
      return `$ ${command}\n${same ? shown.join('\n') : output}\n`
    })
    .join('\n')
}

function shows(shown: string, printed: string): boolean {
  const parts = timeless(shown).split(/^\.\.\.$/m)
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return (
    new RegExp(`^${escaped.join('[^]*')}$`).test(timeless(printed)) &&
    parts.some((part) => part.trim() !== '')
  )
}

/** Times of runs stand after `took`, or in the last column of a table. */
const timeless = (text: string) => text.replace(/^( *took +).*$/gm, '$1...').replace(/ +\d+\.\d$/gm, ' ...')

function run(command: string, exitCode: number, folder: string): string {
  const [npx, program, ...args] = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  )
  expect(npx).toBe('npx')
  const programs: Record<string, string[]> = {
    fencepost: [join(repository, 'cli/main.ts')],
    tsx: [],
  }
  const prefix = programs[program ?? '']
  if (prefix === undefined) throw new Error(`the guide runs a program that nobody checks: ${command}`)
  const tsx = join(repository, 'node_modules/tsx/dist/cli.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsx, ...prefix, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  expect({ command, status, stderr: status === exitCode ? '' : stderr }).toEqual({
    command,
    status: exitCode,
    stderr: '',
  })
  // What is wrong with a model or a question is only a message.
  return (exitCode === 4 || exitCode === 2 ? stdout + stderr : stdout).trimEnd()
}
