import { DatabaseSync } from 'node:sqlite'

/** A file of another version is deleted and filled again. */
const SCHEMA_VERSION = 3

/**
 * Ids have no gaps and are never reused, because search results are sets of ids. `words` indexes the words of each product, the joined
 * neighbours in its name, and the makes and models of its vehicles; it stores no copy of the text. `spellings` has each word that was ever
 * indexed.
 */
const SCHEMA = `
CREATE TABLE state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  sku TEXT NOT NULL UNIQUE,
  sequence INTEGER NOT NULL,
  active INTEGER NOT NULL,
  name_key TEXT NOT NULL,
  slug TEXT NOT NULL,
  brand TEXT,
  categories TEXT NOT NULL,
  tags TEXT NOT NULL,
  list_price REAL,
  band TEXT,
  popularity INTEGER NOT NULL,
  universal INTEGER NOT NULL,
  product TEXT NOT NULL,
  price TEXT,
  price_as_of TEXT,
  tax TEXT,
  availability TEXT,
  stock_as_of TEXT,
  numbers TEXT NOT NULL,
  vehicles TEXT NOT NULL,
  words_digest TEXT NOT NULL
);
CREATE INDEX products_sequence ON products (sequence);
CREATE INDEX products_slug ON products (slug);
CREATE INDEX products_name ON products (name_key, id) WHERE active = 1;
CREATE TABLE numbers (
  number TEXT NOT NULL, id INTEGER NOT NULL, kind TEXT NOT NULL, brand TEXT NOT NULL, customer_id TEXT NOT NULL, written TEXT NOT NULL,
  PRIMARY KEY (number, id, kind, brand, customer_id)
) WITHOUT ROWID;
CREATE TABLE categories (
  category_id TEXT PRIMARY KEY, name TEXT NOT NULL, slug TEXT NOT NULL, parent_id TEXT, position INTEGER NOT NULL,
  product_count INTEGER
) WITHOUT ROWID;
CREATE TABLE tags (tag TEXT PRIMARY KEY, name TEXT NOT NULL, count INTEGER) WITHOUT ROWID;
CREATE TABLE vehicles (
  vehicle_id INTEGER PRIMARY KEY, year INTEGER NOT NULL, make TEXT NOT NULL, model TEXT NOT NULL,
  make_key TEXT NOT NULL, model_key TEXT NOT NULL, vehicle TEXT NOT NULL
);
CREATE INDEX vehicles_make ON vehicles (make_key, model_key, year);
CREATE INDEX vehicles_model ON vehicles (model_key, year);
CREATE TABLE fits (vehicle_id INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (vehicle_id, id)) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5 (
  text, content='', contentless_delete=1, detail=none, prefix='2 3', tokenize="unicode61 remove_diacritics 0 tokenchars ':'"
);
CREATE TABLE spellings (word TEXT PRIMARY KEY) WITHOUT ROWID;
PRAGMA user_version = ${SCHEMA_VERSION};
`

/** Opens a mirror for its only writer, and creates missing tables. A mirror can always be filled again, so a lost write loses no data. */
export function openMirrorForWriting(path: string): DatabaseSync {
  const database = new DatabaseSync(path)
  try {
    database.exec(
      'PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768; PRAGMA busy_timeout = 5000',
    )
    if (readVersion(database) === 0) database.exec(`BEGIN IMMEDIATE;${SCHEMA}COMMIT`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Opens an existing mirror. Returns `null` when its writer has not created its tables yet. */
export function openMirrorForReading(path: string): DatabaseSync | null {
  // Not mapped into memory: when a mapped file is truncated, a read of it kills the process.
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    database.exec('PRAGMA cache_size = -16384; PRAGMA mmap_size = 0; PRAGMA busy_timeout = 1000')
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
    throw new Error('the mirror file has another schema version')
  return user_version
}
