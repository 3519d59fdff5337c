import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMirrorForReading, openMirrorForWriting } from '../../src/catalog/mirror/file/mirror-file.ts'
import type { MirrorRow } from '../../src/catalog/mirror/file/mirror-row.ts'
import {
  createMirrorWriter,
  type MirrorChanges,
  type MirrorWriter,
} from '../../src/catalog/mirror/write/mirror-writer.ts'
import {
  createSearchEngine,
  type SearchEngineOptions,
  type SuggestionResult,
} from '../../src/catalog/search/search-engine.ts'
import type { SearchRequest } from '../../src/catalog/search/search-request.ts'
import type { SearchResult } from '../../src/catalog/search/search-result.ts'
import type { SuggestRequest } from '../../src/catalog/search/suggest/suggestion-types.ts'

/** A mirror in a file of its own, and a search engine over it. */
export interface TestMirror extends Disposable {
  path: string
  writer: MirrorWriter
  /** `at`: the sequence number of the changes, when no row has one. */
  write(rows: readonly MirrorRow[], changes?: Omit<MirrorChanges, 'sequence' | 'rows'> & { at?: number }): void
  /** Searches, and returns SKUs. */
  find(request: Partial<SearchRequest>): Omit<SearchResult, 'ids'> & { skus: string[] }
  suggest(request: SuggestRequest): SuggestionResult
  nameOf(sku: string): string
  /** Writes all changes to the file itself. */
  checkpoint(): void
}

export function openTestMirror(options: SearchEngineOptions = { reuseMs: 0, suggestReuseMs: 0 }): TestMirror {
  const directory = mkdtempSync(join(tmpdir(), 'forecourt-mirror-'))
  const path = join(directory, 'mirror.db')
  const writing = openMirrorForWriting(path)
  const writer = createMirrorWriter(writing)
  const reading = openMirrorForReading(path)!
  const engine = createSearchEngine(reading, options)
  const readSku = reading.prepare('SELECT sku FROM products WHERE id = ?')
  const readName = reading.prepare('SELECT name FROM products WHERE sku = ?')
  return {
    path,
    writer,
    write(rows, { at = 1, ...changes } = {}) {
      writer.apply({ sequence: Math.max(at, ...rows.map(({ sequence }) => sequence)), rows, ...changes })
    },
    find(request) {
      const { ids, ...found } = engine.search({ limit: 50, offset: 0, ...request })
      return { ...found, skus: ids.map((id) => (readSku.get(id) as { sku: string }).sku) }
    },
    suggest: engine.suggest,
    nameOf: (sku) => (readName.get(sku) as { name: string }).name,
    checkpoint: () => writing.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
    [Symbol.dispose]() {
      reading.close()
      writing.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
