import { DatabaseSync } from 'node:sqlite'
import { NAME_KEY } from '../../search/order/order-by-name.ts'
import { MirrorDamageError } from './mirror-damage.ts'

/** The format of a file. Each release follows files of its own format, in a folder of that number. */
export const SCHEMA_VERSION = 11

/** Indexes that are created after the first fill of a file. */
export const DEFERRED_INDEXES = {
  products_slug: 'CREATE INDEX products_slug ON products (slug)',
  products_name: `CREATE INDEX products_name ON products (${NAME_KEY}, id) WHERE active = 1`,
} as const

const SCHEMA = `
-- Versions of parts, the newest sequence number, the number of rows, and whether the file is being filled.
CREATE TABLE state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
-- Ids are the store's ordinals: the same in each file, higher for products that were added later, never reused, and without gaps once the
-- file is filled, because search results are sets of ids.
-- brand, categories, tags, tax, availability (a band with its date) and universal_details (0: none) are ids of shared_values.
CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  sku TEXT NOT NULL UNIQUE,
  sequence INTEGER NOT NULL,
  active INTEGER NOT NULL,
  name TEXT NOT NULL,
  name_key TEXT,
  slug TEXT NOT NULL,
  brand INTEGER NOT NULL,
  categories INTEGER NOT NULL,
  tags INTEGER NOT NULL,
  list_price REAL,
  band INTEGER NOT NULL,
  popularity INTEGER NOT NULL,
  -- The last change of popularity, price_as_of or stock_as_of alone.
  popularity_sequence INTEGER,
  universal INTEGER NOT NULL,
  universal_details INTEGER NOT NULL,
  product TEXT NOT NULL,
  price TEXT,
  price_as_of TEXT,
  tax INTEGER,
  availability INTEGER,
  stock_as_of TEXT,
  checksum INTEGER NOT NULL,
  numbers TEXT NOT NULL,
  -- Runs: the id of their details in shared_values (0: none), then the ids of vehicles in the order of their source.
  vehicles TEXT NOT NULL,
  -- The ids in shared_values of the words of their makes, models and years, as they were indexed.
  vehicle_names TEXT NOT NULL
);
${Object.values(DEFERRED_INDEXES).join(';')};
-- Also while the file is filled: each process reads what has changed.
CREATE INDEX products_sequence ON products (sequence);
CREATE INDEX products_popularity ON products (popularity_sequence) WHERE popularity_sequence IS NOT NULL;
-- The numbers by which products are found, normalized. customer_id is empty for everybody's numbers.
CREATE TABLE numbers (
  number TEXT NOT NULL, customer_id TEXT NOT NULL, kind INTEGER NOT NULL, id INTEGER NOT NULL,
  PRIMARY KEY (number, customer_id, kind, id)
) WITHOUT ROWID;
-- Values that many rows share, as JSON. number is the id of a value.
CREATE TABLE shared_values (number INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);
CREATE TABLE categories (
  category_id TEXT PRIMARY KEY, name TEXT NOT NULL, slug TEXT NOT NULL, parent_id TEXT, position INTEGER NOT NULL,
  product_count INTEGER
) WITHOUT ROWID;
CREATE TABLE tags (tag TEXT PRIMARY KEY, name TEXT NOT NULL, count INTEGER) WITHOUT ROWID;
CREATE TABLE vehicles (
  vehicle_id INTEGER PRIMARY KEY, year INTEGER NOT NULL, make TEXT NOT NULL, model TEXT NOT NULL,
  make_key TEXT NOT NULL, model_key TEXT NOT NULL, submodel TEXT, engine TEXT, market TEXT NOT NULL
);
CREATE INDEX vehicles_year ON vehicles (year, make_key, make, market);
CREATE INDEX vehicles_make ON vehicles (make_key, model_key, year);
CREATE INDEX vehicles_model ON vehicles (model_key, year);
-- The ids of the products of each word, in blocks (see search/words/id-blocks.ts). Words are those of products, the joined neighbours in names,
-- the makes, models and years of vehicles, and vehicle:<id>. A word with digits that is a number of the product is in numbers alone.
CREATE TABLE word_ids (
  word TEXT NOT NULL, block INTEGER NOT NULL, count INTEGER NOT NULL, ids BLOB NOT NULL, PRIMARY KEY (word, block)
) WITHOUT ROWID;
-- Each word that was ever indexed and may be corrected.
CREATE TABLE spellings (word TEXT PRIMARY KEY) WITHOUT ROWID;
PRAGMA user_version = ${SCHEMA_VERSION};
`

/** Opens a mirror for its only writer, and creates missing tables. A mirror can always be filled again, so a lost write loses no data. */
export function openMirrorForWriting(path: string): DatabaseSync {
  // From the first statement on: another process may be creating the file.
  const database = new DatabaseSync(path, { timeout: 5_000 })
  try {
    database.exec(
      'PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 8192',
    )
    if (readVersion(database) === 0) createTables(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Processes may open a file at the same time: the first one creates the tables. */
function createTables(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    if (readVersion(database) === 0) database.exec(SCHEMA)
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Opens an existing mirror. Returns `null` when its writer has not created its tables yet. */
export function openMirrorForReading(path: string): DatabaseSync | null {
  // Not mapped into memory: when a mapped file is truncated, a read of it kills the process.
  const database = new DatabaseSync(path, { readOnly: true, timeout: 1_000 })
  try {
    database.exec('PRAGMA cache_size = -16384; PRAGMA mmap_size = 0')
    if (readVersion(database) === SCHEMA_VERSION) return database
  } catch (error) {
    database.close()
    throw error
  }
  database.close()
  return null
}

/** Returns 0 for a file without tables. Throws for another version. */
function readVersion(database: DatabaseSync): number {
  const { user_version } = database.prepare('PRAGMA user_version').get() as { user_version: number }
  if (user_version !== 0 && user_version !== SCHEMA_VERSION)
    throw new MirrorDamageError('the mirror file has another schema version')
  return user_version
}
