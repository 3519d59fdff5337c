import type { DatabaseSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import { toNameWord } from './tokenizer.ts'

/** Completes words of a catalog. */
export interface WordCompletion {
  /** Returns index words, the most frequent first: of names, brands and categories; if there is none, of anything. */
  complete(beginnings: readonly string[]): string[]
}

const MAX_COMPLETIONS = 16
const MAX_CACHED = 10_000

/**
 * Completes words as they are in the file when each beginning is completed first. Only words with this beginning are read: those of a letter
 * in some milliseconds, and all words of a million products would take a second.
 */
export function createWordCompletion(database: DatabaseSync): WordCompletion {
  const names = database.prepare(
    `SELECT word, sum(count) AS count FROM word_ids WHERE word >= ? AND word < ? || char(0x10ffff)
      GROUP BY word ORDER BY count DESC, word LIMIT ${MAX_COMPLETIONS}`,
  )
  const others = database.prepare(
    `SELECT word FROM spellings WHERE word >= ? AND word < ? || char(0x10ffff) LIMIT ${MAX_COMPLETIONS}`,
  )
  const cached = new LRUCache<string, string[]>({ max: MAX_CACHED })

  const completeName = (beginning: string) => {
    const word = toNameWord(beginning)
    return names.all(word, word) as { word: string; count: number }[]
  }
  const completeOther = (beginning: string) => others.all(beginning, beginning) as { word: string }[]

  function complete(beginnings: readonly string[]): string[] {
    const found = beginnings.flatMap(completeName).sort((one, other) => other.count - one.count)
    const words: { word: string }[] = found.length > 0 ? found : beginnings.flatMap(completeOther)
    return [...new Set(words.map(({ word }) => word))].slice(0, MAX_COMPLETIONS)
  }

  return {
    complete(beginnings) {
      const key = beginnings.join(' ')
      const found = cached.get(key) ?? complete(beginnings)
      cached.set(key, found)
      return found
    },
  }
}
