import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../../files/make-folder.ts'

/** The documents of one account in one system, by kind and key. */
export type DocumentSeed = Record<string, Iterable<readonly [key: string, document: object]>>

export interface DocumentStore {
  /** All documents of a kind, by key. */
  all<T>(kind: string): Map<string, T>
  /** Writes to disk before it returns. */
  put(kind: string, key: string, document: object): void
  /** Writes all rows in one transaction, before it returns. */
  putAll(rows: readonly DocumentRow[]): void
  close(): void
}

export type DocumentRow = readonly [kind: string, key: string, document: object]

/** Increased when the seed grows: older files get the new documents. */
const VERSION = 3

/** Kinds that only the seed wrote before version 2, and whose documents have more members since: replaced. */
const REPLACED_KINDS = new Set(['customers'])

/** Version 3 adds change times. Older documents get the time of their last payment or issue, else a time before any poll. */
const ADD_CHANGE_TIMES = `UPDATE documents
  SET body = json_set(body, '$.updated_at', coalesce(body ->> '$.payments[#-1].paid_at', body ->> '$.issued_at', '2026-01-01T00:00:00.000Z'))
  WHERE kind IN ('stock', 'prices', 'invoices') AND body ->> '$.updated_at' IS NULL`

/** Opens the account's file. Fills a new one from `seed` in one transaction, so that a killed start leaves an empty file. */
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
    // Another process may have seeded the file first.
    const version = versionOf(database)
    if (version >= VERSION) return
    database.exec(
      'CREATE TABLE IF NOT EXISTS documents (kind TEXT, key TEXT, body TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID',
    )
    const [insertMissing, replaceAll] = ['IGNORE', 'REPLACE'].map((how) =>
      database.prepare(`INSERT OR ${how} INTO documents (kind, key, body) VALUES (?, ?, ?)`),
    )
    for (const [kind, documents] of Object.entries(seed)) {
      const insert = version < 2 && REPLACED_KINDS.has(kind) ? replaceAll : insertMissing
      for (const [key, document] of documents) insert!.run(kind, key, JSON.stringify(document))
    }
    database.exec(ADD_CHANGE_TIMES)
    database.exec(`PRAGMA user_version = ${VERSION}`)
  })
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    // A full disk has ended it already.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
