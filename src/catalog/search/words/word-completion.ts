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
/** The index words of names, brands and categories begin with this. */
const NAME = toNameWord('')
/** The character after ":". */
const AFTER_NAME = NAME.replace(':', ';')

/** Reads the words of names, with the number of products of each. */
export function readWordCompletion(database: DatabaseSync): WordCompletion {
  const read = database.prepare(
    'SELECT word AS term, sum(count) AS doc FROM word_ids WHERE word >= ? AND word < ? GROUP BY word',
  )
  const rows = read.all(NAME, AFTER_NAME) as { term: string; doc: number }[]
  const terms = rows.map(({ term }) => term)
  const others = database.prepare(
    `SELECT word FROM spellings WHERE word >= ? AND word < ? || char(0x10ffff) LIMIT ${MAX_COMPLETIONS}`,
  )

  function completeName(beginning: string) {
    const word = toNameWord(beginning)
    const found: { term: string; doc: number }[] = []
    for (let at = findFirst(terms, word); at < terms.length && terms[at]!.startsWith(word); at++) found.push(rows[at]!)
    return found
  }

  const cached = new LRUCache<string, string[]>({ max: MAX_CACHED })

  function complete(beginnings: readonly string[]): string[] {
    const names = beginnings.flatMap(completeName).sort((one, other) => other.doc - one.doc)
    if (names.length > 0) return [...new Set(names.map(({ term }) => term))].slice(0, MAX_COMPLETIONS)
    const words = beginnings.flatMap((word) => others.all(word, word) as { word: string }[])
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

/** Returns the index of the first of the sorted words that is not lower than `word`. */
function findFirst(words: readonly string[], word: string): number {
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (words[middle]! < word) low = middle + 1
    else high = middle
  }
  return low
}
