import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { VehicleKeys } from './product-index.ts'

/** The columns of a product that change with it, in the order in which they are written. */
const COLUMNS = [
  'sequence',
  'active',
  'name_key',
  'slug',
  'brand',
  'categories',
  'tags',
  'list_price',
  'band',
  'popularity',
  'universal',
  'universal_details',
  'product',
  'price',
  'price_as_of',
  'tax',
  'availability',
  'stock_as_of',
  'numbers',
  'vehicles',
  'words_digest',
] as const

export type MirrorStatements = ReturnType<typeof prepareMirrorStatements>

/** Prepares the statements of a mirror's writer. */
export function prepareMirrorStatements(database: DatabaseSync) {
  // After a deletion from a contentless FTS5 table, the last row id does not fit into a number. Later statements return it too.
  const write = (sql: string): StatementSync => {
    const statement = database.prepare(sql)
    statement.setReadBigInts(true)
    return statement
  }
  return {
    find: database.prepare('SELECT id, sequence, words_digest, numbers, vehicles FROM products WHERE sku = ?'),
    insert: write(`INSERT INTO products (sku, ${COLUMNS.join(', ')}) VALUES (?${', ?'.repeat(COLUMNS.length)})`),
    update: write(`UPDATE products SET ${COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`),
    setPopularity: write(
      'UPDATE products SET popularity = ?1, popularity_sequence = ?2 WHERE sku = ?3 AND popularity <> ?1',
    ),
    index: write('INSERT INTO words (rowid, text) VALUES (?, ?)'),
    reindex: write('INSERT OR REPLACE INTO words (rowid, text) VALUES (?, ?)'),
    /** Words that are known to be in the table. */
    spellings: new Set<string>(),
    addSpelling: write('INSERT OR IGNORE INTO spellings (word) VALUES (?)'),
    unindex: write('DELETE FROM words WHERE rowid = ?'),
    addNumber: write(
      'INSERT OR IGNORE INTO numbers (number, id, kind, brand, customer_id, written) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    removeNumber: write('DELETE FROM numbers WHERE number = ? AND customer_id = ? AND id = ?'),
    putFit: write('INSERT OR REPLACE INTO fits (vehicle_id, id, details) VALUES (?, ?, ?)'),
    removeFit: write('DELETE FROM fits WHERE vehicle_id = ? AND id = ?'),
    /** The makes and models of vehicles that were read. */
    vehicleKeys: new Map<number, VehicleKeys>(),
    fitDetails: database.prepare('SELECT details FROM fit_details WHERE fitment = ?'),
    addFitDetails: write('INSERT INTO fit_details (fitment) VALUES (?)'),
    vehicle: database.prepare('SELECT make_key, model_key FROM vehicles WHERE vehicle_id = ?'),
    putVehicle: write(
      `INSERT OR REPLACE INTO vehicles (vehicle_id, year, make, model, make_key, model_key, submodel, engine, market)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    removeVehicle: write('DELETE FROM vehicles WHERE vehicle_id = ?'),
    clearCategories: write('DELETE FROM categories'),
    putCategory: write(
      'INSERT OR REPLACE INTO categories (category_id, name, slug, parent_id, position, product_count) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    clearTags: write('DELETE FROM tags'),
    putTag: write('INSERT OR REPLACE INTO tags (tag, name, count) VALUES (?, ?, ?)'),
    advance: write(
      `INSERT INTO state (name, value) VALUES (?, ?)
       ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`,
    ),
  }
}
