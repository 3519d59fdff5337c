import type { DatabaseSync } from 'node:sqlite'
import { BLOCK_SIZE, toBlockBytes } from '../search/id-blocks.ts'
import { createProductIndexer, type IndexedColumns } from './product-index.ts'
import { INDEXED_COLUMNS } from './mirror-statements.ts'
import { createSharedValueReader } from './shared-values.ts'

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
    const offsets = new Map<string, number[]>()
    for (const row of readProducts.iterate(first, first + BLOCK_SIZE)) {
      const { id, ...columns } = row as unknown as IndexedColumns & { id: number }
      const { numbers, words } = indexProduct(columns)
      for (const number of numbers) addNumber.run(...number, id)
      for (const word of words) addOffset(offsets, word, id - first)
    }
    for (const [word, list] of offsets) addWord.run(word, block, list.length, toBlockBytes(list))
  }
  database.exec(`
    INSERT INTO word_ids (word, block, count, ids) SELECT word, block, count, ids FROM temp.filled_words ORDER BY 1, 2;
    DROP TABLE temp.filled_words;
    INSERT OR IGNORE INTO numbers (number, customer_id, kind, id)
      SELECT number, customer_id, kind, id FROM temp.filled_numbers ORDER BY 1, 2, 3, 4;
    DROP TABLE temp.filled_numbers`)
}

/** Products come in the order of their ids, so a word that a product has twice is the last one of the list. */
function addOffset(offsets: Map<string, number[]>, word: string, offset: number): void {
  const list = offsets.get(word)
  if (!list) offsets.set(word, [offset])
  else if (list.at(-1) !== offset) list.push(offset)
}
