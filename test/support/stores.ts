import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { type Database, migrateStore, openDatabase } from '../../src/storage/database.ts'
import { templateName } from './template.ts'

/** A kind of store to run a suite over: `for (const store of stores()) describe(store.name, …)`. */
export interface TestStore {
  name: 'SQLite' | 'PostgreSQL'
  /** A fresh store, up to date; ended by close(). */
  open(): Promise<Database>
  /** The same for all tests of a suite, with nothing in it; ended by close() after the last of them. Making one takes PostgreSQL most of a second. */
  emptied(): Promise<Database>
  /** The address of a fresh and empty store, for openDatabase, migrateStore or a whole server; ended by close(). */
  make(): Promise<string>
  /** Of the last one that was made. */
  url(): string
  /** Ends what was opened, and removes every store that was made. */
  close(): Promise<void>
}

const server = process.env.FORECOURT_TEST_POSTGRES
const missing =
  'There is no PostgreSQL to test with. Start one with `bash test/support/postgres.sh start`, then `export "$(bash test/support/postgres.sh env)"`'
let told = false

/** SQLite, and PostgreSQL when FORECOURT_TEST_POSTGRES names a server. In CI it must. */
export function stores(): TestStore[] {
  const sqlite = storeOf('SQLite', makeSqlite)
  if (server) return [sqlite, storeOf('PostgreSQL', (as) => makePostgres(server, as))]
  if (process.env.CI === 'true') return [sqlite, storeOf('PostgreSQL', () => Promise.reject(new Error(missing)))]
  if (!told) process.stderr.write(`Left out: tests over PostgreSQL. ${missing}.\n`)
  told = true
  return [sqlite]
}

interface Made {
  url: string
  remove(): Promise<void>
}

function storeOf(name: TestStore['name'], makeOne: (as: 'bare' | 'migrated') => Promise<Made>): TestStore {
  const opened: Database[] = []
  const made: Made[] = []
  /** Of the one that is emptied. */
  let tables: string[] = []

  async function make(): Promise<string> {
    made.push(await makeOne('bare'))
    return made.at(-1)!.url
  }

  async function open(): Promise<Database> {
    made.push(await makeOne('migrated'))
    const { url } = made.at(-1)!
    if (name === 'SQLite') await migrateStore(url)
    opened.push(await openDatabase(url))
    return opened.at(-1)!
  }

  async function close(): Promise<void> {
    for (const db of opened.splice(0)) await db.destroy()
    for (const { remove } of made.splice(0)) await remove()
  }

  async function emptied(): Promise<Database> {
    const [shared] = opened
    // A test may have left it without a table: the next one is not to fail for that.
    const isEmpty = shared && (await empty(shared, tables).catch(() => false))
    if (isEmpty) return shared
    await close()
    const fresh = await open()
    tables = (await fresh.introspection.getTables()).map(({ name }) => name)
    return fresh
  }

  return { name, make, open, emptied, url: () => made.at(-1)!.url, close }
}

async function empty(db: Database, tables: readonly string[]): Promise<true> {
  await db.transaction().execute(async (transaction) => {
    for (const name of tables) await sql`delete from ${sql.table(name)}`.execute(transaction)
  })
  return true
}

async function makeSqlite(): Promise<Made> {
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-store-'))
  return {
    url: `sqlite:${join(directory, 'deep', 'forecourt.db')}`,
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

async function makePostgres(at: string, as: 'bare' | 'migrated'): Promise<Made> {
  const name = `forecourt_test_${randomBytes(8).toString('hex')}`
  if (as === 'migrated') {
    migrated ??= makeTemplate(at)
    await migrated
    await asked(at, `create database ${name} template ${templateName()}`)
  } else await asked(at, `create database ${name}`)
  return { url: placed(at, name), remove: () => asked(at, `drop database ${name} with (force)`) }
}

let migrated: Promise<void> | undefined

/** Copying a store that is up to date takes a third of the time of bringing a new one there. All processes of a run copy the same one. */
async function makeTemplate(at: string): Promise<void> {
  const client = new pg.Client({ connectionString: at })
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(hashtext('${templateName()}'))`)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [templateName()])
    if (rowCount) return
    await client.query(`create database ${templateName()}`)
    await migrateStore(placed(at, templateName()))
  } finally {
    await client.end()
  }
}

function placed(at: string, name: string): string {
  const url = new URL(at)
  url.pathname = `/${name}`
  return url.href
}

/** One statement, by the user of that URL. */
export async function asked(at: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: at })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
