/** Says how far a search is: one line that updates on a terminal, a plain line now and then elsewhere. */
import { mostIfShrinking, type Progress } from '../checker/index.ts'
import type { Output } from './environment.ts'
import { grouped, mebibytes, seconds } from './report/numbers.ts'

/** Runs shorter than this need no progress. */
const quietMs = { terminal: 500, elsewhere: 10_000 }
const everyMs = { terminal: 100, elsewhere: 10_000 }

export interface ProgressLine {
  readonly update: (progress: Progress) => void
  /** Removes the line from the terminal, so that results start on an empty one. */
  readonly end: () => void
}

/** `label` says what is being searched, where several things are in turn. */
export function progressLine(output: Output, label = ''): ProgressLine {
  const mode = output.isTerminal ? 'terminal' : 'elsewhere'
  let nextMs: number = quietMs[mode]
  let shown = false
  return {
    update(progress) {
      if (progress.elapsedMs < nextMs) return
      nextMs = progress.elapsedMs + everyMs[mode]
      const text = `${label}${progressText(progress)}`
      output.write(
        output.isTerminal ? `\r\u001b[2K${text.slice(0, Math.max(output.columns - 1, 20))}` : `${text}\n`,
      )
      shown = true
    },
    end() {
      if (shown && output.isTerminal) output.write('\r\u001b[2K')
      shown = false
    },
  }
}

function progressText(progress: Progress): string {
  const { distinct, generated, depth, frontier, walks, elapsedMs } = progress
  const perSecond = (count: number) => grouped(elapsedMs > 0 ? Math.round((count / elapsedMs) * 1000) : 0)
  if (walks !== undefined) {
    return (
      `walk ${grouped(walks)}, depth ${depth}, ${grouped(distinct)} states, ` +
      `${perSecond(generated)} transitions/s, ${seconds(elapsedMs)}`
    )
  }
  return (
    `depth ${depth}, ${grouped(distinct)} states, ${grouped(frontier)} waiting, ` +
    `${perSecond(distinct)}/s, ${seconds(elapsedMs)}; ${forecastText(progress)}${memoryText(progress)}`
  )
}

function memoryText({ memory }: Progress): string {
  if (memory === undefined) return ''
  return `; ${mebibytes(memory.used)}${memory.most === undefined ? '' : ` of ${mebibytes(memory.most)}`}`
}

/** Time is told at the average speed so far. */
function forecastText({ levels = [], distinct, elapsedMs }: Progress): string {
  const most = mostIfShrinking(levels)
  if (most === undefined) return 'total cannot be told yet'
  const restMs = (elapsedMs / distinct) * Math.max(most - distinct, 0)
  return `at most ${grouped(most)} if levels go on shrinking, ${seconds(restMs)} more`
}
