import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { workerData } from 'piscina'
import type { BoostConfig } from '../../../config/config.ts'
import {
  createSearchEngine,
  type SearchEngine,
  type SearchEngineOptions,
  type SuggestionResult,
} from '../../search/search-engine.ts'
import type { FacetCounts, SearchRequest } from '../../search/search-request.ts'
import type { SuggestRequest } from '../../search/suggest/suggest-request.ts'
import { openMirrorForReading, openMirrorForWriting } from '../file/mirror-file.ts'
import { createSnapshotReads } from '../file/read-snapshot.ts'
import { isFilling } from '../write/fill-mirror.ts'
import { createMirrorWriter, type MirrorWriter } from '../write/mirror-writer.ts'
import { type StoreChanges, toMirrorChanges } from '../write/store-rows.ts'

/** The tasks of the mirror's threads. Each thread keeps the files that it has used open. */

/** The SKUs found, in order. */
export interface SkuSearchPage {
  skus: string[]
  total: number
  facets: FacetCounts
  corrected: string | null
  /** See SearchResult. */
  expiresInMs: number
}

export interface SearchThreadOptions extends Pick<SearchEngineOptions, 'cacheBytes'> {
  /** The boosts of each tenant, by the folder of its mirror. */
  boosts?: Readonly<Record<string, readonly BoostConfig[]>>
}

/** A file after changes were applied. */
export interface AppliedChanges {
  /** Its new sequence number. */
  sequence: number
  /** These were the last of several changes that filled an empty file. */
  hasFilled: boolean
}

interface Reader {
  database: DatabaseSync
  engine: SearchEngine
  inSnapshot: ReturnType<typeof createSnapshotReads>
  readSku(id: number): string
}

const readers = new Map<string, Reader>()
const writers = new Map<string, { database: DatabaseSync; writer: MirrorWriter }>()

export function search({ path, request }: { path: string; request: SearchRequest }): SkuSearchPage {
  const { engine, inSnapshot, readSku } = readers.get(path) ?? openReader(path)
  return inSnapshot(() => {
    const { ids, ...found } = engine.search(request)
    return { ...found, skus: ids.map(readSku) }
  })
}

export function suggest({ path, request }: { path: string; request: SuggestRequest }): SuggestionResult {
  const { engine, inSnapshot } = readers.get(path) ?? openReader(path)
  return inSnapshot(() => engine.suggest(request))
}

/** Applies changes of the store to a file. */
export function apply({ path, changes }: { path: string; changes: StoreChanges }): AppliedChanges {
  const { database, writer } = writers.get(path) ?? openWriter(path)
  const wasFilling = isFilling(database)
  writer.apply(toMirrorChanges(changes))
  return { sequence: readSequence(database), hasFilled: wasFilling && !isFilling(database) }
}

/** Returns the sequence number of a file, which is created when it does not exist. */
export function readState({ path }: { path: string }): number {
  return readSequence((writers.get(path) ?? openWriter(path)).database)
}

/** Closes a file that was replaced. */
export function close({ path }: { path: string }): void {
  readers.get(path)?.database.close()
  writers.get(path)?.database.close()
  readers.delete(path)
  writers.delete(path)
}

function openReader(path: string): Reader {
  const database = openMirrorForReading(path)
  if (!database) throw new Error(`the mirror ${path} has no tables yet`)
  const { boosts = {}, ...options } = workerData as SearchThreadOptions
  const statement = database.prepare('SELECT sku FROM products WHERE id = ?')
  const reader: Reader = {
    database,
    inSnapshot: createSnapshotReads(database),
    engine: createSearchEngine(database, { ...options, boosts: boosts[dirname(path)] ?? [] }),
    readSku: (id) => (statement.get(id) as { sku: string }).sku,
  }
  readers.set(path, reader)
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
  const opened = { database, writer: createMirrorWriter(database) }
  writers.set(path, opened)
  return opened
}

function readSequence(database: DatabaseSync): number {
  const row = database.prepare(`SELECT value FROM state WHERE name = 'sequence'`).get() as { value: number } | undefined
  return row?.value ?? 0
}
