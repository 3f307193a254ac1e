/** Telling kinds of plain values apart. */
import type { Plain } from '../checker/model.ts'

export type PlainRecord = { [key: string]: Plain }

export const isRecord = (value: Plain): value is PlainRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
