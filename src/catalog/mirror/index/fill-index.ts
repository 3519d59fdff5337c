import type { DatabaseSync } from 'node:sqlite'
import { createSharedValueReader } from '../../search/columns/shared-values.ts'
import { BLOCK_SIZE, toBlockBytes } from '../../search/words/id-blocks.ts'
import { createPostingLists } from './posting-lists.ts'
import { createProductIndexer, INDEX_INPUTS, type IndexInputs } from './product-index-keys.ts'
import { createRowInserter } from './row-inserter.ts'
import { createWordDictionary } from './word-dictionary.ts'

/** Writes the words and numbers of all products of a file. Words are collected for a block of products at a time, and sorted on the disk. */
export function fillIndex(database: DatabaseSync): void {
  database.exec(`
    CREATE TEMP TABLE filled_words (word TEXT, block INTEGER, count INTEGER, ids BLOB);
    CREATE TEMP TABLE filled_numbers (number TEXT, customer_id TEXT, kind INTEGER, id INTEGER)`)
  const words = createRowInserter(database, 'temp.filled_words', 4)
  const numbers = createRowInserter(database, 'temp.filled_numbers', 4)
  const readProducts = database.prepare(
    `SELECT id, ${INDEX_INPUTS.join()} FROM products WHERE id >= ? AND id < ? ORDER BY id`,
  )
  const { last } = database.prepare('SELECT coalesce(max(id), 0) AS last FROM products').get() as { last: number }
  const shared = createSharedValueReader(database)
  const postings = createPostingLists()

  for (let block = 0; block * BLOCK_SIZE <= last; block++) {
    const first = block * BLOCK_SIZE
    const dictionary = createWordDictionary()
    const indexProduct = createProductIndexer(shared, (word) => dictionary.codeOf(word))
    for (const found of readProducts.iterate(first, first + BLOCK_SIZE)) {
      const row = found as unknown as IndexInputs & { id: number }
      const index = indexProduct(row)
      for (const number of index.numbers) numbers.add(...number, row.id)
      postings.add(row.id - first, index.words)
    }
    for (const [word, ids] of postings.take()) words.add(dictionary.words[word]!, block, ids.length, toBlockBytes(ids))
  }
  words.flush()
  numbers.flush()
  database.exec(`
    INSERT INTO word_ids (word, block, count, ids) SELECT word, block, count, ids FROM temp.filled_words ORDER BY 1, 2;
    DROP TABLE temp.filled_words;
    INSERT OR IGNORE INTO numbers (number, customer_id, kind, id)
      SELECT number, customer_id, kind, id FROM temp.filled_numbers ORDER BY 1, 2, 3, 4;
    DROP TABLE temp.filled_numbers`)
}
