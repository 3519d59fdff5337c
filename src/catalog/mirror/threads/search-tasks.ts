import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { SearchSettings } from '../../../config/mirror-config.ts'
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
import { openMirrorForReading } from '../file/mirror-file.ts'
import { createSnapshotReads } from '../file/snapshot-reads.ts'

export type SearchCall = { name: 'search'; request: SearchRequest } | { name: 'suggest'; request: SuggestRequest }
export type SearchTask = SearchCall & { path: string }

/** `mustWait`: a part of what the search needs is in memory now. The task must be sent again for the next part. */
export type SearchTaskOutcome = { value: SearchResult | SuggestionResult } | { error: unknown } | { mustWait: true }

export interface SearchTaskOptions extends Pick<SearchEngineOptions, 'cacheBytes'> {
  /** The settings of each tenant, by the folder of its mirror. */
  settings?: Readonly<Record<string, SearchSettings>>
  now?: () => number
}

/** The tasks of the thread that searches. It keeps the files that it has searched open, and their columns in memory. */
export interface SearchTasks {
  /**
   * Runs searches one after another, and returns their outcomes. If they take long, it runs only the first of them. An error of one search does
   * not affect the others, and searches of other files do not wait until a file is read.
   */
  searchAll(tasks: readonly SearchTask[]): SearchTaskOutcome[]
  /** Reads a part of what searches of a file keep in memory. Returns whether everything has been read. */
  prepare(path: string): boolean
  /** Reads a part of the changes of a file whose columns are in memory. Returns whether all changes have been read. */
  readChanges(path: string): boolean
  close(path: string): void
}

interface Reader {
  database: DatabaseSync
  engine: SearchEngine
  inSnapshot: ReturnType<typeof createSnapshotReads>
  hasSuggestions: boolean
}

/** A task that takes longer than this returns what it has, so that other tasks can run before it continues. */
const MAX_RUN_MS = 5
const mustWait: SearchTaskOutcome = { mustWait: true }

export function createSearchTasks(options: SearchTaskOptions): SearchTasks {
  const { settings = {}, now = () => performance.now(), ...engineOptions } = options
  const readers = new Map<string, Reader>()

  function openReader(path: string): Reader {
    const known = readers.get(path)
    if (known) return known
    const database = openMirrorForReading(path)
    if (!database) throw new Error(`the mirror ${path} has no tables yet`)
    const reader: Reader = {
      database,
      inSnapshot: createSnapshotReads(database),
      engine: createSearchEngine(database, { ...engineOptions, ...settings[dirname(path)] }),
      hasSuggestions: false,
    }
    readers.set(path, reader)
    return reader
  }

  const startRun = () => {
    const end = now() + MAX_RUN_MS
    return () => now() >= end
  }

  const runTask = reportingDamage(({ path, ...task }: SearchTask, isOver: () => boolean): SearchTaskOutcome => {
    const reader = openReader(path)
    const { engine, inSnapshot } = reader
    return inSnapshot(() => {
      if (!engine.refresh(isOver)) return mustWait
      if (!reader.hasSuggestions) setImmediate(loadSuggestions, path)
      return { value: task.name === 'search' ? engine.search(task.request) : engine.suggest(task.request) }
    })
  })

  function attempt(task: SearchTask, isOver: () => boolean): SearchTaskOutcome {
    try {
      return runTask(task, isOver)
    } catch (error) {
      return { error }
    }
  }

  /** Loads the data of suggestions before the first one is requested. An error is reported by the first suggestion. */
  function loadSuggestions(path: string): void {
    const reader = readers.get(path)
    if (!reader || reader.hasSuggestions) return
    reader.hasSuggestions = true
    try {
      reader.engine.suggest({ text: 'a', limit: 1 })
    } catch {}
  }

  const refresh = ({ engine, inSnapshot }: Reader) => inSnapshot(() => engine.refresh(startRun()))

  return {
    searchAll(tasks) {
      let isOver = startRun()
      const unread = new Set<string>()
      const outcomes: SearchTaskOutcome[] = []
      for (const task of tasks) {
        const outcome = unread.has(task.path) ? mustWait : attempt(task, isOver)
        outcomes.push(outcome)
        if (outcome === mustWait) {
          // The searches of other files have a time of their own.
          if (unread.size === 0) isOver = startRun()
          unread.add(task.path)
        } else if (isOver()) break
      }
      return outcomes
    },
    prepare(path) {
      const reader = openReader(path)
      reader.hasSuggestions = false
      if (!refresh(reader)) return false
      reader.engine.forgetOlderValues()
      loadSuggestions(path)
      return true
    },
    readChanges(path) {
      const reader = readers.get(path)
      return !reader || refresh(reader)
    },
    close(path) {
      readers.get(path)?.database.close()
      readers.delete(path)
    },
  }
}
