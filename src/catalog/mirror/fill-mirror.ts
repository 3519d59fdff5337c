import type { DatabaseSync } from 'node:sqlite'
import { MIN_CORRECTABLE } from '../search/words.ts'
import { DEFERRED_INDEXES } from './mirror-file.ts'

/** Returns true for a file that is being filled, also by a process that died. */
export const isFilling = (database: DatabaseSync): boolean =>
  database.prepare(`SELECT 1 FROM state WHERE name = 'filling'`).get() !== undefined

/**
 * Begins to fill a file, and returns true if it has no products yet. Its numbers, fits, spellings and most indexes are derived from the products
 * at the end: written in order, they cost a fraction. Nothing is lost when the process dies in between.
 */
export function beginFill(database: DatabaseSync): boolean {
  if (database.prepare('SELECT 1 FROM products LIMIT 1').get()) return false
  for (const name of Object.keys(DEFERRED_INDEXES)) database.exec(`DROP INDEX ${name}`)
  setWordMerging(database, { automerge: 0, crisismerge: 1_999 })
  database.exec(`INSERT INTO state (name, value) VALUES ('filling', 1)`)
  return true
}

export function finishFill(database: DatabaseSync): void {
  database.exec(`
    INSERT OR IGNORE INTO numbers (number, id, kind, brand, customer_id, written)
      SELECT value ->> 0, products.id, value ->> 1, value ->> 2, value ->> 3, value ->> 4
      FROM products, json_each(products.numbers) ORDER BY 1, 5, 2, 3, 4;
    INSERT OR REPLACE INTO state (name, value) SELECT 'numbers', coalesce(max(sequence), 0) FROM products;
    INSERT OR IGNORE INTO fits (vehicle_id, id, details)
      SELECT vehicle.value, products.id, run.value ->> 0
      FROM products, json_each(products.vehicles) AS run, json_each(run.value) AS vehicle WHERE vehicle.key > 0 ORDER BY 1, 2;
    INSERT INTO words (words) VALUES ('optimize');
    CREATE VIRTUAL TABLE IF NOT EXISTS temp.filled_words USING fts5vocab (main, words, row);
    INSERT OR IGNORE INTO spellings (word)
      SELECT term FROM temp.filled_words WHERE length(term) >= ${MIN_CORRECTABLE} AND term NOT GLOB '*[0-9:]*';
    DELETE FROM state WHERE name = 'filling'`)
  for (const sql of Object.values(DEFERRED_INDEXES)) database.exec(sql)
  setWordMerging(database, { automerge: 4, crisismerge: 16 })
}

/** `automerge: 0` merges no segments of the index until there are `crisismerge`. */
function setWordMerging(database: DatabaseSync, settings: { automerge: number; crisismerge: number }): void {
  for (const [name, value] of Object.entries(settings))
    database.exec(`INSERT INTO words (words, rank) VALUES ('${name}', ${value})`)
}
