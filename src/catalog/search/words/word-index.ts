import type { DatabaseSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import { normalizeNumber } from '../../../ports/normalize-number.ts'
import { intersect, sortUnique, unite } from '../id-set.ts'
import type { Reuse } from '../reuse-tracker.ts'
import { type IdBlock, readBlocks } from './id-blocks.ts'
import { mayBeNumber } from './tokenizer.ts'

/** Finds products by their words. */
export interface WordIndex {
  /**
   * Returns the ids of the products that have all words, in ascending order. Callers must not change the array. `within`: a set that has
   * all of them, which makes the search faster.
   */
  findAll(words: readonly string[], within?: Uint32Array): Uint32Array
}

export interface WordIndexOptions {
  cacheBytes: number
  /** Allows outdated products of a word, for a while after words have changed. */
  reuse: Reuse
}

const NONE = new Uint32Array()

/** Searches the words of a mirror. The products of words are kept in memory, because each search needs several of them. */
export function createWordIndex(database: DatabaseSync, { cacheBytes, reuse }: WordIndexOptions): WordIndex {
  const readWord = database.prepare('SELECT block, count, ids FROM word_ids WHERE word = ? ORDER BY block')
  const readNumber = database.prepare(`SELECT id FROM numbers WHERE number = ? AND customer_id = ''`)
  const readVersion = database.prepare(`SELECT value FROM state WHERE name = 'words'`)
  // Twice the list, because it may also have a bitmap of the same size.
  const lists = new LRUCache<string, { ids: Uint32Array; version: number; at: number }>({
    maxSize: cacheBytes,
    sizeCalculation: ({ ids }, word) => 2 * ids.byteLength + word.length * 2 + 200,
  })

  function read(word: string): Uint32Array {
    const ids = readBlocks(readWord.all(word) as unknown as IdBlock[])
    if (!mayBeNumber(word)) return ids
    const numbered = readNumber.all(normalizeNumber(word)) as { id: number }[]
    if (numbered.length === 0) return ids
    return unite([ids, sortUnique(Uint32Array.from(numbered, ({ id }) => id))])
  }

  function listOf(word: string, version: number): Uint32Array {
    const known = lists.get(word)
    if (known && (known.version === version || reuse.tryReuse(known.at))) return known.ids
    const ids = read(word)
    lists.set(word, { ids, version, at: reuse.now() })
    return ids
  }

  return {
    findAll(words, within) {
      const version = (readVersion.get() as { value: number } | undefined)?.value ?? 0
      const found: Uint32Array[] = []
      for (const word of words) {
        const ids = listOf(word, version)
        if (ids.length === 0) return NONE
        found.push(ids)
      }
      return intersect(within && found.length > 1 ? [within, ...found] : found)
    },
  }
}
