import type { DatabaseSync } from 'node:sqlite'
import { workerData } from 'piscina'
import { reportingDamage } from '../file/mirror-damage.ts'
import { openMirrorForWriting } from '../file/mirror-file.ts'
import { hasProducts, isFilling } from '../write/fill-state.ts'
import { createMirrorWriter, type MirrorWriter } from '../write/mirror-writer.ts'
import { type StoreChanges, toMirrorChanges } from '../write/to-mirror-changes.ts'
import { createSearchTasks, type SearchTask, type SearchTaskOptions, type SearchTaskOutcome } from './search-tasks.ts'
import { lowerThreadPriority } from './thread-priority.ts'
import { createThreadYield } from './thread-yield.ts'

/** The tasks of the mirror's threads. Each thread keeps the files that it has used open. */

export interface SearchThreadOptions extends Omit<SearchTaskOptions, 'now'> {
  /** Requests do not wait for the thread's tasks. */
  isBackground?: boolean
}

export interface FileState {
  /** The sequence number of the file. */
  sequence: number
  /** The file has products, and everything that is needed to find them. */
  isFilled: boolean
}

const { isBackground, ...options } = workerData as SearchThreadOptions
if (isBackground) lowerThreadPriority()
const pause = createThreadYield()

const searches = createSearchTasks(options)
const writers = new Map<string, { database: DatabaseSync; writer: MirrorWriter }>()

export const searchAll = ({ tasks }: { tasks: readonly SearchTask[] }): SearchTaskOutcome[] => searches.searchAll(tasks)

export const prepare = reportingDamage(({ path }: { path: string }): boolean => searches.prepare(path))

export const readChanges = reportingDamage(({ path }: { path: string }): boolean => searches.readChanges(path))

/** Applies changes of the store to a file. */
export const apply = reportingDamage(({ path, changes }: { path: string; changes: StoreChanges }): FileState => {
  const { database, writer } = writers.get(path) ?? openWriter(path)
  writer.apply(toMirrorChanges(changes, pause))
  return readFileState(database)
})

/** Returns the state of a file, which is created when it does not exist. */
export const readState = reportingDamage(({ path }: { path: string }): FileState => {
  return readFileState((writers.get(path) ?? openWriter(path)).database)
})

/** Closes a file that was replaced. */
export const close = reportingDamage(({ path }: { path: string }): void => {
  searches.close(path)
  writers.get(path)?.database.close()
  writers.delete(path)
})

function openWriter(path: string) {
  const database = openMirrorForWriting(path)
  const opened = { database, writer: createMirrorWriter(database, pause) }
  writers.set(path, opened)
  return opened
}

function readFileState(database: DatabaseSync): FileState {
  const row = database.prepare(`SELECT value FROM state WHERE name = 'sequence'`).get() as { value: number } | undefined
  return { sequence: row?.value ?? 0, isFilled: hasProducts(database) && !isFilling(database) }
}
