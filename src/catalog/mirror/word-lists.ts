/** Words that some products have together, such as those of a category. Each of these products refers to the same list. */
export interface WordList {
  readonly words: readonly string[]
  /** The products that have the words, while a file is filled: a product is added to one list instead of to each word. */
  offsets: number[]
}

const MAX_LISTS = 50_000

/** Returns a function that returns the same list of words for the same key. */
export function cacheWordLists<K>(toWords: (key: K) => string[]): (key: K) => WordList {
  const lists = new Map<K, WordList>()
  return (key) => {
    const known = lists.get(key)
    if (known) return known
    const list = { words: [...new Set(toWords(key))], offsets: [] }
    if (lists.size >= MAX_LISTS) lists.clear()
    lists.set(key, list)
    return list
  }
}
