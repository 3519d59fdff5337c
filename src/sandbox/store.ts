import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Rows of a kind, by key: all that a system of the sandbox remembers of one account. */
export type Seed = Record<string, Iterable<readonly [key: string, document: object]>>

export interface Store {
  /** Every document of a kind, in the order of its keys. */
  all<T>(kind: string): Map<string, T>
  /** Written through before it returns. */
  put(kind: string, key: string, document: object): void
  close(): void
}

/** Opens the account's file, and fills a new one from `seed` in one transaction: a start that is killed half-way leaves an empty file. */
export async function openStore(file: string, seed: () => Promise<Seed>): Promise<Store> {
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  if (!isSeeded(database)) fill(database, await seed())
  const select = database.prepare('SELECT key, body FROM documents WHERE kind = ? ORDER BY key')
  const upsert = database.prepare('INSERT OR REPLACE INTO documents (kind, key, body) VALUES (?, ?, ?)')
  return {
    all: <T>(kind: string) =>
      new Map(select.all(kind).map((row) => [String(row.key), JSON.parse(String(row.body)) as T])),
    put: (kind, key, document) => void upsert.run(kind, key, JSON.stringify(document)),
    close: () => database.close(),
  }
}

function isSeeded(database: DatabaseSync): boolean {
  return database.prepare('PRAGMA user_version').get()?.user_version === 1
}

function fill(database: DatabaseSync, seed: Seed): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    if (!isSeeded(database)) {
      database.exec(
        'CREATE TABLE documents (kind TEXT, key TEXT, body TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID',
      )
      const insert = database.prepare('INSERT INTO documents (kind, key, body) VALUES (?, ?, ?)')
      for (const [kind, documents] of Object.entries(seed)) {
        for (const [key, document] of documents) insert.run(kind, key, JSON.stringify(document))
      }
      database.exec('PRAGMA user_version = 1')
    }
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
