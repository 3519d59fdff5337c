import type { DatabaseSync } from 'node:sqlite'
import { createSearchEngine, type SearchEngine } from '../search/search-engine.ts'
import type { FacetCounts, SearchRequest } from '../search/search-request.ts'
import type { Suggestions, SuggestRequest } from '../search/suggest-request.ts'
import { openMirrorForReading, openMirrorForWriting } from './mirror-file.ts'
import { prepareProductJson } from './mirror-product-json.ts'
import { createMirrorWriter, type MirrorChanges, type MirrorWriter } from './mirror-writer.ts'

/** The tasks of the mirror's threads. Each thread keeps the files that it has used open. */

/** A page of products, as a thread sends it. One JSON text costs a third of sending objects. */
export interface SearchPage {
  /** JSON of `MirrorProduct[]`. */
  products: string
  total: number
  facets: FacetCounts
  corrected: string | null
}

interface Reader {
  database: DatabaseSync
  engine: SearchEngine
  /** Returns JSON of a `MirrorProduct`. */
  readProduct(id: number): string
}

const readers = new Map<string, Reader>()
const writers = new Map<string, { database: DatabaseSync; writer: MirrorWriter }>()

export function search({ path, request }: { path: string; request: SearchRequest }): SearchPage {
  const { engine, readProduct } = readers.get(path) ?? openReader(path)
  const { ids, ...found } = engine.search(request)
  return { ...found, products: `[${ids.map(readProduct).join(',')}]` }
}

export function suggest({ path, request }: { path: string; request: SuggestRequest }): Suggestions {
  return (readers.get(path) ?? openReader(path)).engine.suggest(request)
}

/** Applies changes, and returns the new sequence number of the file. */
export function apply({ path, changes }: { path: string; changes: MirrorChanges }): number {
  const { database, writer } = writers.get(path) ?? openWriter(path)
  writer.apply(changes)
  return readSequence(database)
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
  if (!database) throw new Error(`the mirror ${path} has another schema version`)
  const readProduct = prepareProductJson(database)
  const reader = { database, engine: createSearchEngine(database), readProduct }
  readers.set(path, reader)
  return reader
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
