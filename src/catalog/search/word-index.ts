import type { DatabaseSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import { intersect, parseIds } from './id-set.ts'

/** Finds products by their words. */
export interface WordIndex {
  /** Returns the ids of the products that have all words, in ascending order. Callers must not change the array. */
  findAll(words: readonly string[]): Uint32Array
}

export interface WordIndexOptions {
  cacheBytes: number
  /** For how long the products of a word may be reused after words have changed. */
  reuseMs: number
  now: () => number
}

const NONE = new Uint32Array()

/**
 * Searches the words of a mirror. The products of each word are kept in memory: intersecting them here takes a twentieth of the time that
 * FTS5 takes to read them again for each search.
 */
export function createWordIndex(database: DatabaseSync, { cacheBytes, reuseMs, now }: WordIndexOptions): WordIndex {
  const match = database.prepare('SELECT count(*) AS count, group_concat(rowid) AS ids FROM words WHERE words MATCH ?')
  const readVersion = database.prepare(`SELECT value FROM state WHERE name = 'words'`)
  const lists = new LRUCache<string, { ids: Uint32Array; version: number; at: number }>({
    maxSize: cacheBytes,
    sizeCalculation: ({ ids }, word) => ids.byteLength + word.length * 2 + 200,
  })

  function query(text: string): Uint32Array {
    const { count, ids } = match.get(text) as { count: number; ids: string | null }
    return parseIds(ids, count)
  }

  function listOf(word: string, version: number): Uint32Array {
    const known = lists.get(word)
    if (known && (known.version === version || now() - known.at < reuseMs)) return known.ids
    const ids = query(`"${word}"`)
    lists.set(word, { ids, version, at: now() })
    return ids
  }

  return {
    findAll(words) {
      const version = (readVersion.get() as { value: number } | undefined)?.value ?? 0
      const found: Uint32Array[] = []
      for (const word of words) {
        const ids = listOf(word, version)
        if (ids.length === 0) return NONE
        found.push(ids)
      }
      return intersect(found)
    },
  }
}
