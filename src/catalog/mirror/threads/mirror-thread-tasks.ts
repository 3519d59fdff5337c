import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { workerData } from 'piscina'
import type { SearchSettings } from '../../../config/config.ts'
import {
  createSearchEngine,
  type SearchEngine,
  type SearchEngineOptions,
  type SuggestionResult,
} from '../../search/search-engine.ts'
import type { SearchRequest } from '../../search/search-request.ts'
import type { SearchResult } from '../../search/search-result.ts'
import type { SuggestRequest } from '../../search/suggest/suggestion-types.ts'
import { reportingDamage } from '../file/mirror-damage.ts'
import { openMirrorForReading, openMirrorForWriting } from '../file/mirror-file.ts'
import { createSnapshotReads } from '../file/snapshot-reads.ts'
import { hasProducts, isFilling } from '../write/fill-state.ts'
import { createMirrorWriter, type MirrorWriter } from '../write/mirror-writer.ts'
import { type StoreChanges, toMirrorChanges } from '../write/to-mirror-changes.ts'
import { lowerThreadPriority } from './thread-priority.ts'
import { createThreadYield } from './thread-yield.ts'

/** The tasks of the mirror's threads. Each thread keeps the files that it has used open. */

export interface SearchThreadOptions extends Pick<SearchEngineOptions, 'cacheBytes'> {
  /** The settings of each tenant, by the folder of its mirror. */
  settings?: Readonly<Record<string, SearchSettings>>
  /** Requests do not wait for the thread's tasks. */
  isBackground?: boolean
}

export interface FileState {
  /** The sequence number of the file. */
  sequence: number
  /** The file has products, and everything that is needed to find them. */
  isFilled: boolean
}

export type SearchCall = { name: 'search'; request: SearchRequest } | { name: 'suggest'; request: SuggestRequest }
export type SearchTask = SearchCall & { path: string }

export type SearchTaskOutcome = { value: SearchResult | SuggestionResult } | { error: unknown }

interface Reader {
  database: DatabaseSync
  engine: SearchEngine
  inSnapshot: ReturnType<typeof createSnapshotReads>
}

const { isBackground, settings = {}, ...engineOptions } = workerData as SearchThreadOptions
if (isBackground) lowerThreadPriority()
const pause = createThreadYield()

const readers = new Map<string, Reader>()
const writers = new Map<string, { database: DatabaseSync; writer: MirrorWriter }>()

/** After this time, the results of finished searches do not wait for the other searches of the same message. */
const MAX_MESSAGE_MS = 5

/** Runs searches one after another, and returns their outcomes. If they take long, it runs only the first of them. An error of one search does not affect the others. */
export function searchAll({ tasks }: { tasks: readonly SearchTask[] }): SearchTaskOutcome[] {
  const end = performance.now() + MAX_MESSAGE_MS
  const outcomes: SearchTaskOutcome[] = []
  for (const task of tasks) {
    outcomes.push(attempt(task))
    if (performance.now() > end) break
  }
  return outcomes
}

function attempt(task: SearchTask): SearchTaskOutcome {
  try {
    return { value: runSearch(task) }
  } catch (error) {
    return { error }
  }
}

const runSearch = reportingDamage(({ path, ...task }: SearchTask): SearchResult | SuggestionResult => {
  const { engine, inSnapshot } = readers.get(path) ?? openReaderForSearch(path)
  return inSnapshot(() => (task.name === 'search' ? engine.search(task.request) : engine.suggest(task.request)))
})

/** Searches of other files run between the parts. */
const PREPARE_MS = 5

/** Reads ahead a part of what searches of a file keep in memory. Returns whether all of it is read. */
export const prepare = reportingDamage(({ path }: { path: string }): boolean => {
  const reader = readers.get(path) ?? openReader(path)
  const end = performance.now() + PREPARE_MS
  const isRead = reader.inSnapshot(() => reader.engine.prepare(() => performance.now() >= end))
  if (isRead) prepareSuggestions(path, reader)
  return isRead
})

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
  readers.get(path)?.database.close()
  writers.get(path)?.database.close()
  readers.delete(path)
  writers.delete(path)
})

function openReader(path: string): Reader {
  const database = openMirrorForReading(path)
  if (!database) throw new Error(`the mirror ${path} has no tables yet`)
  const reader: Reader = {
    database,
    inSnapshot: createSnapshotReads(database),
    engine: createSearchEngine(database, { ...engineOptions, ...settings[dirname(path)] }),
  }
  readers.set(path, reader)
  return reader
}

function openReaderForSearch(path: string): Reader {
  const reader = openReader(path)
  setImmediate(() => prepareSuggestions(path, reader))
  return reader
}

/** Loads the data of suggestions before the first one is requested. An error is reported by the first suggestion. */
function prepareSuggestions(path: string, { engine }: Reader): void {
  try {
    if (readers.has(path)) engine.suggest({ text: 'a', limit: 1 })
  } catch {}
}

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
