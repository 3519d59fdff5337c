import type { DatabaseSync } from 'node:sqlite'
import { BLOCK_SIZE, toBlockBytes } from '../search/id-blocks.ts'
import { createSharedValueReader } from '../search/shared-values.ts'
import { INDEXED_COLUMNS } from './mirror-statements.ts'
import { createProductIndexer, type IndexedColumns, type ProductIndex } from './product-index.ts'
import type { WordList } from './word-lists.ts'

/** Writes the words and numbers of all products of a file. Words are collected for a block of products at a time, and sorted on the disk. */
export function fillWords(database: DatabaseSync): void {
  database.exec(`
    CREATE TEMP TABLE filled_words (word TEXT, block INTEGER, count INTEGER, ids BLOB);
    CREATE TEMP TABLE filled_numbers (number TEXT, customer_id TEXT, kind INTEGER, id INTEGER)`)
  const addNumber = database.prepare('INSERT INTO temp.filled_numbers VALUES (?, ?, ?, ?)')
  const addWord = database.prepare('INSERT INTO temp.filled_words VALUES (?, ?, ?, ?)')
  const readProducts = database.prepare(`SELECT id, ${INDEXED_COLUMNS} FROM products WHERE id >= ? AND id < ?`)
  const { last } = database.prepare('SELECT coalesce(max(id), 0) AS last FROM products').get() as { last: number }
  const indexProduct = createProductIndexer(createSharedValueReader(database))

  for (let block = 0; block * BLOCK_SIZE <= last; block++) {
    const first = block * BLOCK_SIZE
    const offsets = collectOffsets()
    for (const row of readProducts.iterate(first, first + BLOCK_SIZE)) {
      const { id, ...columns } = row as unknown as IndexedColumns & { id: number }
      const index = indexProduct(columns)
      for (const number of index.numbers) addNumber.run(...number, id)
      offsets.add(index, id - first)
    }
    for (const [word, list] of offsets.byWord()) addWord.run(word, block, list.length, toBlockBytes(list))
  }
  database.exec(`
    INSERT INTO word_ids (word, block, count, ids) SELECT word, block, count, ids FROM temp.filled_words ORDER BY 1, 2;
    DROP TABLE temp.filled_words;
    INSERT OR IGNORE INTO numbers (number, customer_id, kind, id)
      SELECT number, customer_id, kind, id FROM temp.filled_numbers ORDER BY 1, 2, 3, 4;
    DROP TABLE temp.filled_numbers`)
}

/** Collects the products of each word. Most words are in one product: its offset alone takes a fraction of the memory of a list. */
function collectOffsets() {
  const own = new Map<string, number | number[]>()
  const lists: WordList[] = []

  return {
    add({ shared, words }: ProductIndex, offset: number): void {
      for (const list of shared) if (list.offsets.push(offset) === 1) lists.push(list)
      for (const word of words) {
        const found = own.get(word)
        if (found === undefined) own.set(word, offset)
        else if (typeof found === 'number') own.set(word, [found, offset])
        else found.push(offset)
      }
    },
    *byWord(): Generator<[string, ArrayLike<number>]> {
      for (const [word, parts] of takeParts(lists)) {
        const found = own.get(word)
        if (found !== undefined) parts.push([found].flat())
        own.delete(word)
        yield [word, parts.length === 1 ? parts[0]! : sortOnce(parts.flat())]
      }
      for (const [word, found] of own) yield [word, sortOnce([found].flat())]
    },
  }
}

/** Takes the offsets out of lists. Returns those of each word, ascending in each part. */
function takeParts(lists: readonly WordList[]): Map<string, number[][]> {
  const parts = new Map<string, number[][]>()
  for (const list of lists) {
    const offsets = sortOnce(list.offsets)
    for (const word of list.words) parts.getOrInsertComputed(word, () => []).push(offsets)
    list.offsets = []
  }
  return parts
}

/** Returns sorted numbers, each once. */
function sortOnce(numbers: number[]): number[] {
  let [last, isSorted] = [-1, true]
  for (const number of numbers) {
    isSorted &&= number > last
    last = number
  }
  if (isSorted) return numbers
  const sorted = Uint16Array.from(numbers).sort()
  return [...sorted.filter((number, index) => index === 0 || number !== sorted[index - 1])]
}
