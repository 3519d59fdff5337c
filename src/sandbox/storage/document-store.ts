import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../../lifecycle/make-folder.ts'

/** Rows of a kind, by key: all that a system of the sandbox remembers of one account. */
export type DocumentSeed = Record<string, Iterable<readonly [key: string, document: object]>>

export interface DocumentStore {
  /** Every document of a kind, in the order of its keys. */
  all<T>(kind: string): Map<string, T>
  /** Written through before it returns. */
  put(kind: string, key: string, document: object): void
  /** All of them in one transaction, written through before it returns. */
  putAll(rows: readonly DocumentRow[]): void
  close(): void
}

export type DocumentRow = readonly [kind: string, key: string, document: object]

/** Rises when the seed gets more than it had: a file of an older version is given what is new. */
const VERSION = 3

/** Documents that nobody but the seed wrote before version 2, and that have more members since. */
const RENEWED = new Set(['customers'])

/** Since version 3 these say when they changed. What was kept before did so when it was last paid or issued, or at a time that nobody asks about. */
const DATED = `UPDATE documents
  SET body = json_set(body, '$.updated_at', coalesce(body ->> '$.payments[#-1].paid_at', body ->> '$.issued_at', '2026-01-01T00:00:00.000Z'))
  WHERE kind IN ('stock', 'prices', 'invoices') AND body ->> '$.updated_at' IS NULL`

/** Opens the account's file, and fills a new one from `seed` in one transaction: a start that is killed half-way leaves an empty file. */
export async function openDocumentStore(file: string, seed: () => Promise<DocumentSeed>): Promise<DocumentStore> {
  makeFolder(dirname(file))
  const database = new DatabaseSync(file)
  database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  if (versionOf(database) < VERSION) fill(database, await seed())
  const select = database.prepare('SELECT key, body FROM documents WHERE kind = ? ORDER BY key')
  const upsert = database.prepare('INSERT OR REPLACE INTO documents (kind, key, body) VALUES (?, ?, ?)')
  const put = (kind: string, key: string, document: object) => void upsert.run(kind, key, JSON.stringify(document))
  return {
    all: <T>(kind: string) =>
      new Map(select.all(kind).map((row) => [String(row.key), JSON.parse(String(row.body)) as T])),
    put,
    putAll: (rows) =>
      inTransaction(database, () => {
        for (const row of rows) put(...row)
      }),
    close: () => database.close(),
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version)
}

function fill(database: DatabaseSync, seed: DocumentSeed): void {
  inTransaction(database, () => {
    // Another process may have been faster.
    const before = versionOf(database)
    if (before >= VERSION) return
    database.exec(
      'CREATE TABLE IF NOT EXISTS documents (kind TEXT, key TEXT, body TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID',
    )
    const [missing, renewed] = ['IGNORE', 'REPLACE'].map((how) =>
      database.prepare(`INSERT OR ${how} INTO documents (kind, key, body) VALUES (?, ?, ?)`),
    )
    for (const [kind, documents] of Object.entries(seed)) {
      const insert = before < 2 && RENEWED.has(kind) ? renewed : missing
      for (const [key, document] of documents) insert!.run(kind, key, JSON.stringify(document))
    }
    database.exec(DATED)
    database.exec(`PRAGMA user_version = ${VERSION}`)
  })
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
