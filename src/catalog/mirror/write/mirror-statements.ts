import type { DatabaseSync } from 'node:sqlite'
import { PACKED_COLUMN_NAMES } from '../file/packed-product.ts'
import { INDEX_INPUTS } from '../index/product-index-keys.ts'

/** The columns of a product that change with it, as statements take them. */
export const WRITTEN_COLUMNS = [
  ...PACKED_COLUMN_NAMES,
  'numbers',
  'vehicles',
  'vehicle_names',
  'sequence',
  'name_key',
  'list_price',
  'band',
  'popularity',
  'universal',
  'universal_details',
] as const

export type MirrorStatements = ReturnType<typeof prepareMirrorStatements>

/** Prepares the statements of a mirror's writer. */
export function prepareMirrorStatements(database: DatabaseSync) {
  const write = (sql: string) => database.prepare(sql)
  return {
    find: database.prepare(`SELECT id, sequence, ${INDEX_INPUTS.join()} FROM products WHERE sku = ?`),
    insert: write(
      `INSERT INTO products (id, ${WRITTEN_COLUMNS.join()}) VALUES (?, ${WRITTEN_COLUMNS.map(() => '?').join()})`,
    ),
    update: write(
      `UPDATE products SET ${WRITTEN_COLUMNS.map((name, at) => `${name} = ?${at + 1}`).join()} WHERE sku = ?${WRITTEN_COLUMNS.indexOf('sku') + 1}`,
    ),
    setUnlisted: write(
      `UPDATE products SET popularity = ?1, price_as_of = ?2, stock_as_of = ?3, popularity_sequence = ?4
       WHERE sku = ?5 AND (popularity, price_as_of, stock_as_of) IS NOT (?1, ?2, ?3)`,
    ),
    addNumber: write('INSERT OR IGNORE INTO numbers (number, customer_id, kind, id) VALUES (?, ?, ?, ?)'),
    removeNumber: write('DELETE FROM numbers WHERE number = ? AND customer_id = ? AND kind = ? AND id = ?'),
    vehicle: database.prepare('SELECT make_key, model_key, year FROM vehicles WHERE vehicle_id = ?'),
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
    addRows: write(
      `INSERT INTO state (name, value) VALUES ('rows', ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value`,
    ),
    advance: write(
      `INSERT INTO state (name, value) VALUES (?, ?)
       ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`,
    ),
  }
}
