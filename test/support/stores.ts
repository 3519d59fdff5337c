import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Database, migrateStore, openDatabase } from '../../src/storage/database.ts'
import { templateDatabaseName } from './postgres-template.ts'

/** A kind of store to run a suite over: `for (const store of stores()) describe(store.name, …)`. */
export interface TestStore {
  name: 'SQLite' | 'PostgreSQL'
  /** How many servers a test may put on it: SQLite has one. */
  servers: 1 | 2
  /** A store that is up to date and empty; ended by close(). */
  open(): Promise<Database>
  /** The address of such a store, for whole servers. */
  ready(): Promise<string>
  /** The address of a store without any tables, for openDatabase and migrateStore; ended by close(). */
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

  async function make(): Promise<string> {
    made.push(await makeOne('bare'))
    return made.at(-1)!.url
  }

  async function ready(): Promise<string> {
    made.push(await makeOne('migrated'))
    return made.at(-1)!.url
  }

  async function open(): Promise<Database> {
    opened.push(await openDatabase(await ready()))
    return opened.at(-1)!
  }

  async function close(): Promise<void> {
    for (const db of opened.splice(0)) await db.destroy()
    for (const { remove } of made.splice(0)) await remove()
  }

  const servers = name === 'SQLite' ? 1 : 2
  return { name, servers, make, ready, open, url: () => made.at(-1)!.url, close }
}

/** Brought up to date by whoever opens it. */
async function makeSqlite(): Promise<Made> {
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-store-'))
  return {
    url: `sqlite:${join(directory, 'deep', 'forecourt.db')}`,
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

async function makePostgres(at: string, as: 'bare' | 'migrated'): Promise<Made> {
  const drop = (name: string) => runPostgresStatement(at, `drop database ${name} with (force)`)
  if (as === 'migrated') {
    const name = (await reused(at)) ?? (await copied(at))
    return { url: placed(at, name), remove: async () => void spare.push(name) }
  }
  const name = freshName()
  await runPostgresStatement(at, `create database ${name}`)
  return { url: placed(at, name), remove: async () => void (await drop(name)) }
}

/** Databases that nobody uses now. Emptying one takes a tenth of the time of making one; all go with the run. */
const spare: string[] = []
let tables: string[] = []

/** Under a name of its own: what a test has left at work finds nothing at the old one. */
async function reused(at: string): Promise<string | undefined> {
  const old = spare.pop()
  if (old === undefined) return undefined
  const name = freshName()
  const isEmpty = await withPostgresClient(at, async (client) => {
    await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [old])
    await client.query(`alter database ${old} rename to ${name}`)
    return await withPostgresClient(placed(at, name), emptied)
  }).catch(() => false)
  return isEmpty ? name : reused(at)
}

/** Whether it has all its tables still; nothing is in them now. */
async function emptied(client: pg.Client): Promise<boolean> {
  if (String(await tablesOf(client)) !== String(tables)) return false
  await client.query(`begin; ${tables.map((table) => `delete from "${table}";`).join(' ')} commit`)
  return true
}

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%' order by 1",
  )
  return rows.map(({ name }) => name)
}

async function copied(at: string): Promise<string> {
  migrated ??= makeTemplate(at)
  await migrated
  const name = freshName()
  await runPostgresStatement(at, `create database ${name} template ${templateDatabaseName()}`)
  return name
}

const freshName = () => `${templateDatabaseName()}_${randomBytes(8).toString('hex')}`

let migrated: Promise<void> | undefined

/** Copying a store that is up to date takes a third of the time of bringing a new one there. All processes of a run copy the same one. */
async function makeTemplate(at: string): Promise<void> {
  const url = placed(at, templateDatabaseName())
  await withPostgresClient(at, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('${templateDatabaseName()}'))`)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [templateDatabaseName()])
    if (rowCount) return
    await client.query(`create database ${templateDatabaseName()}`)
    await migrateStore(url)
  })
  tables = await withPostgresClient(url, tablesOf)
}

/** A connection of its own for that work. */
export async function withPostgresClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function placed(at: string, name: string): string {
  const url = new URL(at)
  url.pathname = `/${name}`
  // A busy machine may need it; a test of these limits has its own.
  url.searchParams.set('connect_timeout', '60')
  url.searchParams.set('statement_timeout', '60000')
  return url.href
}

/** One statement, by the user of that URL. */
export const runPostgresStatement = (at: string, statement: string): Promise<unknown> =>
  withPostgresClient(at, (client) => client.query(statement))
