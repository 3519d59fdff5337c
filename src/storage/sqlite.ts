import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { SqliteDialect, type SqliteStatement } from 'kysely'

/** Kysely's own SQLite dialect over Node's built-in driver: no native module to install. */
export function sqliteDialect(path: string): SqliteDialect {
  const database = opened(path)
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on; pragma busy_timeout = 5000',
  )
  return new SqliteDialect({
    database: {
      prepare(sql): SqliteStatement {
        const statement = database.prepare(sql)
        return {
          reader: statement.columns().length > 0,
          all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
          run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
          iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])) as IterableIterator<unknown>,
        }
      },
      close: () => database.close(),
    },
  })
}

/** Readable by this account alone, like all that stands beside it. */
function opened(path: string): DatabaseSync {
  try {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const database = new DatabaseSync(path)
    database.exec('select count(*) from sqlite_schema')
    return database
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause)
    const remedy = 'Set FORECOURT_DATA to a folder that this account may write, or put a backup of the store there'
    throw new Error(`The store ${path} cannot be opened (${said}). ${remedy}.`, { cause })
  }
}
