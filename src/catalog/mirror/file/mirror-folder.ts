import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { tryLockFile, tryShareFile } from '../../../files/file-lock.ts'
import type { Tenant } from '../../../tenant.ts'
import { SCHEMA_VERSION } from './mirror-file.ts'

/** The name of the file that names the current mirror. */
const POINTER = 'current'
const FILE_NAME = /^(\d+)\.db$/
const toFileName = (generation: number) => `${generation}.db`

const FORMAT_FOLDER = /^format-\d+$/

/** Returns the folder of a tenant's mirrors in this release's format. Releases with other formats may run on the same machine. */
export const toMirrorFolder = (dataDirectory: string, { merchant, mode }: Tenant): string =>
  join(dataDirectory, 'mirrors', `${merchant}-${mode}`, `format-${SCHEMA_VERSION}`)

/** Returns the folder of a tenant's mirrors, which is created when it does not exist. */
export function prepareMirrorFolder(dataDirectory: string, tenant: Tenant): string {
  const folder = toMirrorFolder(dataDirectory, tenant)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Returns the path of the current mirror. The file may not exist yet. */
export function readCurrentMirror(folder: string): string {
  const name = readPointer(folder)
  return join(folder, name !== null && FILE_NAME.test(name) ? name : toFileName(1))
}

/** Returns the path of a mirror that is built beside the current one. */
export function nextMirror(folder: string): string {
  return join(folder, toFileName(Math.max(0, ...generationsIn(folder)) + 1))
}

/** Makes a mirror the current one, in one step. Processes notice it at their next look. */
export function setCurrentMirror(folder: string, path: string): void {
  const temporary = join(folder, `${POINTER}.${process.pid}`)
  try {
    writeFileSync(temporary, path.slice(folder.length + 1), { mode: 0o600 })
    renameSync(temporary, join(folder, POINTER))
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Returns when a mirror became the current one, in milliseconds since the epoch; `null`: it is the first one. */
export const readMirrorSwitch = (folder: string): number | null =>
  statSync(join(folder, POINTER), { throwIfNoEntry: false })?.mtimeMs ?? null

/** Deletes a mirror with the files beside it, or the directory that somebody has put in its place. */
export function deleteMirror(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '.lock', '.use']) rmSync(path + suffix, { force: true, recursive: true })
}

/** Returns the bytes of a mirror on the disk, with the latest changes beside it; 0: there is none. */
export const measureMirror = (path: string): number =>
  [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)

/** Marks a mirror as used by this process, so that no process of this machine deletes it. `null`: it is being deleted. */
export const useMirror = (path: string): Disposable | null => tryShareFile(`${path}.use`)

/** Deletes the mirrors that were replaced, or whose building was interrupted, and that no process of this machine uses. */
export function deleteUnusedMirrors(folder: string): void {
  const current = readCurrentMirror(folder)
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (!FILE_NAME.test(name) || path === current) continue
    using unused = tryLockFile(`${path}.use`)
    if (unused) deleteMirror(path)
  }
}

/** How long the files of other formats are kept. A release that is started again within this time adds only the new changes to its file. */
const KEPT_MS = 86_400_000

/**
 * Deletes the mirrors of a tenant in other formats that no process of this machine has used for a day. `now`: milliseconds since the epoch.
 * Older releases, which had no folder for each format, have their files beside these folders.
 */
export function deleteOtherFormats(folder: string, now: number): void {
  const [parent, own] = [dirname(folder), basename(folder)]
  const others = readdirSync(parent).filter((name) => FORMAT_FOLDER.test(name) && name !== own)
  for (const name of others) if (isUnusedSince(join(parent, name), now - KEPT_MS)) remove(join(parent, name))
  if (!isUnusedSince(parent, now - KEPT_MS)) return
  for (const name of readdirSync(parent)) if (!FORMAT_FOLDER.test(name)) remove(join(parent, name))
}

const remove = (path: string) => rmSync(path, { recursive: true, force: true })

/** Returns whether no file directly in a folder is in use or was written since a time. Marks a mirror in use as used until now. */
function isUnusedSince(folder: string, since: number): boolean {
  let isUnused = true
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found?.isFile()) continue
    if (found.mtimeMs > since) isUnused = false
    if (!name.endsWith('.use')) continue
    using unused = tryLockFile(path)
    if (unused) continue
    isUnused = false
    utimesSync(path, new Date(), new Date())
  }
  return isUnused
}

/** Makes a new, empty mirror the current one, unless another process has replaced the damaged one already. */
export function replaceMirror(folder: string, damaged: string): void {
  using lock = tryLockFile(join(folder, 'replacing'))
  if (lock && readCurrentMirror(folder) === damaged) setCurrentMirror(folder, nextMirror(folder))
}

function generationsIn(folder: string): number[] {
  const numbers = readdirSync(folder).map((name) => Number(FILE_NAME.exec(name)?.[1]))
  const current = Number(FILE_NAME.exec(readPointer(folder) ?? toFileName(1))?.[1])
  return [...numbers, current].filter((number) => number > 0)
}

function readPointer(folder: string): string | null {
  try {
    return readFileSync(join(folder, POINTER), 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
