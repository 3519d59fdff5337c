import type { DatabaseSync } from 'node:sqlite'
import leven from 'leven'
import { isCorrectable, toSearchWords } from './words.ts'

/** Corrects words that do not occur in a catalog. */
export interface Spelling {
  /** Returns the text with each unknown word replaced by the most similar known one; `null` when there is nothing to correct. */
  correct(text: string): string | null
}

/** Words of at least this length may have two mistakes. */
const LONG_WORD = 8
/** The number of similar words of which the most frequent one is chosen. */
const MAX_CANDIDATES = 20

/** `names`: words beside those of products, for example makes of vehicles. */
export function readSpelling(database: DatabaseSync, names: readonly string[]): Spelling {
  const countProducts = prepareWordCount(database)
  const rows = database.prepare('SELECT word FROM spellings').all() as { word: string }[]
  const words = new Set([...rows.map(({ word }) => word), ...names.filter(isCorrectable)])
  const byLength = Map.groupBy(words, (word) => word.length)

  function findSimilar(word: string): string | undefined {
    const maxDistance = word.length >= LONG_WORD ? 2 : 1
    const near: string[][] = [[], [], []]
    for (let length = word.length - maxDistance; length <= word.length + maxDistance; length++)
      for (const candidate of byLength.get(length) ?? [])
        near[leven(word, candidate, { maxDistance: maxDistance + 1 })]?.push(candidate)
    const nearest = near.slice(0, maxDistance + 1).find((candidates) => candidates.length > 0) ?? []
    const counted = nearest
      .slice(0, MAX_CANDIDATES)
      .map((candidate) => ({ candidate, count: countProducts(candidate) }))
    return counted.sort((one, other) => other.count - one.count)[0]?.candidate
  }

  return {
    correct(text) {
      const typed = toSearchWords(text)
      const isUnknown = (word: string) => isCorrectable(word) && !words.has(word)
      const corrected = typed.map((word) => (isUnknown(word) ? (findSimilar(word) ?? word) : word))
      return corrected.some((word, index) => word !== typed[index]) ? corrected.join(' ') : null
    },
  }
}

/** Returns the number of products that have a word. */
function prepareWordCount(database: DatabaseSync) {
  const statement = database.prepare('SELECT count(*) AS count FROM words WHERE words MATCH ?')
  return (word: string): number => (statement.get(`"${word}"`) as { count: number }).count
}
