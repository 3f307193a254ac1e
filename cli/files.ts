/** Reading and writing files, with one clear error for everything that can go wrong. */
import {
  accessSync,
  constants,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { UsageError } from '../checker/index.ts'

/** @throws UsageError (unreadable-input) */
export function readText(path: string, what: string, bytesMax: number): string {
  try {
    const stats = statSync(path)
    if (stats.isDirectory()) throw unreadable(path, what, 'it is a folder')
    if (stats.isCharacterDevice()) throw unreadable(path, what, 'it is a device without an end')
    if (stats.size > bytesMax)
      throw unreadable(path, what, `it has ${stats.size} bytes, more than ${bytesMax}`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw unreadable(path, what, reasonOf(error))
  }
}

/**
 * Fails before a long run and not after it, if nothing can be written to `path`, or if it is one of the files that
 * the command `reads`: a slip of the pen must not cost somebody a dump.
 *
 * @throws UsageError (cannot-write)
 */
export function assertWritable(path: string, option: string, reads: readonly string[] = []) {
  try {
    const existing = statOf(path)
    if (existing?.isFile() && reads.some((one) => isSameFile(existing, statOf(one))))
      throw cannotWrite(path, option, 'it is a file that is read', 'name another file')
    if (existing?.isDirectory()) throw cannotWrite(path, option, 'it is a folder', 'name a file in it')
    accessSync(existing === undefined ? dirname(path) : path, constants.W_OK)
    if (existing?.isFile()) accessSync(dirname(realpathSync(path)), constants.W_OK)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw cannotWrite(path, option, reasonOf(error))
  }
}

/**
 * Writes all of it or nothing: beside the file first, then renamed. What is not an ordinary file (a device, a pipe) is
 * written to directly, because renaming would replace it.
 *
 * @throws UsageError (cannot-write)
 */
export function writeAtomically(path: string, text: string, option: string) {
  try {
    const existing = statOf(path)
    if (existing !== undefined && !existing.isFile()) return writeFileSync(path, text)
    const target = existing === undefined ? path : realpathSync(path)
    const draft = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`)
    try {
      writeFileSync(draft, text, { flush: true })
      renameSync(draft, target)
    } finally {
      rmSync(draft, { force: true })
    }
  } catch (error) {
    throw cannotWrite(path, option, reasonOf(error))
  }
}

/** @throws UsageError (cannot-write) */
export function makeFolder(path: string, option: string) {
  try {
    mkdirSync(path, { recursive: true })
  } catch (error) {
    throw cannotWrite(path, option, reasonOf(error))
  }
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

const isSameFile = (one: Stats, other: Stats | undefined): boolean =>
  other !== undefined && one.ino === other.ino && one.dev === other.dev

const unreadable = (path: string, what: string, found: string) =>
  new UsageError({ code: 'unreadable-input', where: path, found: `this ${what} cannot be read: ${found}` })

const cannotWrite = (
  path: string,
  where: string,
  found: string,
  fix = 'name a file in a folder that exists',
) => new UsageError({ code: 'cannot-write', where, found: `cannot write ${path}: ${found}`, fix })

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a folder',
  EEXIST: 'there is something else of this name',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'the name is too long',
}

export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return reasons[code ?? ''] ?? message
}
