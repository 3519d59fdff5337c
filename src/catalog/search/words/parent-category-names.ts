import type { DatabaseSync } from 'node:sqlite'
import { isFiller, toCategoryWord, toSearchWords } from './tokenizer.ts'

/** Categories of one name that have subcategories. A product has the names of its own categories alone as words. */
export interface ParentCategories {
  ids: readonly string[]
  /** The index words that stand for the name. */
  words: readonly string[]
  /** Those words and the fillers of the name: "and" in "Tyres and Tools". */
  ownWords: ReadonlySet<string>
}

export interface ParentCategoryNames {
  /** Returns the categories whose whole name is among some index words, in any order. A longer name hides the names that it includes. */
  findWhole(words: readonly string[]): readonly ParentCategories[]
  /** Returns the ids of the categories that have a word in their name. */
  withWord(word: string): readonly string[]
  /** The words of all names, without fillers. */
  readonly words: readonly string[]
}

const SELECT = `SELECT category_id, name FROM categories
  WHERE category_id IN (SELECT parent_id FROM categories) ORDER BY category_id`
/** Bounds the work of a search. */
const MAX_FOUND = 4
const NONE: readonly ParentCategories[] = []
const NO_IDS: readonly string[] = []

export function readParentCategoryNames(database: DatabaseSync): ParentCategoryNames {
  const rows = database.prepare(SELECT).all() as { category_id: string; name: string }[]
  const named = rows.map(({ category_id, name }) => ({ category_id, words: [...new Set(toSearchWords(name))] }))
  const parents = [...Map.groupBy(named, ({ words }) => toCategoryWord(words))].flatMap(([key, same]) =>
    toParents(
      key,
      same[0]!.words,
      same.map(({ category_id }) => category_id),
    ),
  )
  const byWord = new Map<string, ParentCategories[]>()
  for (const one of parents) for (const word of one.words) byWord.getOrInsertComputed(word, () => []).push(one)
  const idsByWord = new Map([...byWord].map(([word, named]) => [word, named.flatMap(({ ids }) => ids)]))
  const count = (word: string) => byWord.get(word)!.length
  // Each name is looked up by its rarest word, so that a word of many names costs nothing.
  const byRarest = Map.groupBy(parents, ({ words }) => words.toSorted((a, b) => count(a) - count(b))[0]!)

  return {
    findWhole(words) {
      let found: ParentCategories[] | undefined
      for (const word of words)
        for (const one of byRarest.get(word) ?? NONE)
          if (one.words.every((other) => words.includes(other))) found = [...(found ?? NONE), one]
      if (!found) return NONE
      const all = found
      const isPart = (one: ParentCategories) =>
        all.some((other) => other.words.length > one.words.length && one.words.every((w) => other.words.includes(w)))
      return all.filter((one) => !isPart(one)).slice(0, MAX_FOUND)
    },
    withWord: (word) => idsByWord.get(word) ?? NO_IDS,
    words: [...byWord.keys()].filter((word) => !word.includes(':')),
  }
}

/** A name is found by its words, and as a whole by the index word of its category. */
function toParents(key: string, name: readonly string[], ids: readonly string[]): ParentCategories[] {
  const words = name.filter((word) => !isFiller(word))
  if (words.length === 0) return []
  return [
    { ids, words, ownWords: new Set(name) },
    { ids, words: [key], ownWords: new Set([key]) },
  ]
}
