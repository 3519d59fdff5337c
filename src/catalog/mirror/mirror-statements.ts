import type { DatabaseSync, StatementSync } from 'node:sqlite'

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
    index: write('INSERT OR REPLACE INTO words (rowid, text) VALUES (?, ?)'),
    /** Words that are known to be in the table. */
    spellings: new Set<string>(),
    addSpelling: write('INSERT OR IGNORE INTO spellings (word) VALUES (?)'),
    unindex: write('DELETE FROM words WHERE rowid = ?'),
    addNumber: write(
      'INSERT OR IGNORE INTO numbers (number, id, kind, brand, customer_id, written) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    removeNumber: write('DELETE FROM numbers WHERE number = ? AND id = ?'),
    addFit: write('INSERT OR IGNORE INTO fits (vehicle_id, id) VALUES (?, ?)'),
    removeFit: write('DELETE FROM fits WHERE vehicle_id = ? AND id = ?'),
    vehicle: database.prepare('SELECT make_key, model_key FROM vehicles WHERE vehicle_id = ?'),
    putVehicle: write(
      'INSERT OR REPLACE INTO vehicles (vehicle_id, year, make, model, make_key, model_key, vehicle) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
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
