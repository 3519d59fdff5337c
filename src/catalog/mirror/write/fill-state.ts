import type { DatabaseSync } from 'node:sqlite'
import { MIN_CORRECTABLE } from '../../search/words/tokenizer.ts'
import { DEFERRED_INDEXES } from '../file/mirror-file.ts'
import { fillIndex } from '../index/fill-index.ts'

export const hasProducts = (database: DatabaseSync): boolean =>
  database.prepare('SELECT 1 FROM products LIMIT 1').get() !== undefined

/** Returns true for a file that is being filled, also by a process that died. */
export const isFilling = (database: DatabaseSync): boolean =>
  database.prepare(`SELECT 1 FROM state WHERE name = 'filling'`).get() !== undefined

/**
 * Begins to fill a file, and returns true if it has no products yet. Its words, numbers and most indexes are derived from the products at the
 * end: written in order, they cost a fraction. Nothing is lost when the process dies in between.
 */
export function beginFill(database: DatabaseSync): boolean {
  if (hasProducts(database)) return false
  for (const name of Object.keys(DEFERRED_INDEXES)) database.exec(`DROP INDEX ${name}`)
  database.exec(`INSERT INTO state (name, value) VALUES ('filling', 1)`)
  return true
}

export function finishFill(database: DatabaseSync): void {
  fillIndex(database)
  database.exec(`
    INSERT OR IGNORE INTO spellings (word)
      SELECT word FROM word_ids WHERE length(word) >= ${MIN_CORRECTABLE} AND word NOT GLOB '*[0-9:]*' GROUP BY word;
    INSERT OR REPLACE INTO state (name, value) SELECT 'words', coalesce(max(sequence), 0) FROM products;
    DELETE FROM state WHERE name = 'filling'`)
  for (const sql of Object.values(DEFERRED_INDEXES)) database.exec(sql)
}
