import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { migrateStore } from '../../src/storage/migrate-store.ts'
import { templateDatabaseName } from './drop-test-databases.ts'
import { writeMigratedSqlite } from './sqlite-template.ts'

/** A kind of store to run a suite over: `for (const store of stores()) describe(store.name, …)`. */
export interface TestStore {
  name: 'SQLite' | 'PostgreSQL'
  /** How many servers a test may start on it. SQLite allows one. */
  maxServers: 1 | 2
  /** Creates an empty, migrated store and opens it. Closed by close(). */
  open(): Promise<Database>
  /** Creates an empty, migrated store and returns its URL. */
  createMigrated(): Promise<string>
  /** Creates a store without tables and returns its URL, for tests of openDatabase and migrateStore. */
  createBare(): Promise<string>
  /** Returns the URL of the last created store. */
  url(): string
  /** Closes every opened database and removes every created store. */
  close(): Promise<void>
}

const server = process.env.FORECOURT_TEST_POSTGRES
const missing =
  'No PostgreSQL server is configured. Start one with `bash test/support/postgres.sh start`, then `export "$(bash test/support/postgres.sh env)"`'
let hasWarned = false

/** SQLite, and PostgreSQL when FORECOURT_TEST_POSTGRES names a server. In CI it must. */
export function stores(): TestStore[] {
  const sqlite = createTestStore('SQLite', createSqlite)
  if (server) return [sqlite, createTestStore('PostgreSQL', (as) => createPostgres(server, as))]
  if (process.env.CI === 'true')
    return [sqlite, createTestStore('PostgreSQL', () => Promise.reject(new Error(missing)))]
  if (!hasWarned) process.stderr.write(`Skipping tests over PostgreSQL. ${missing}.\n`)
  hasWarned = true
  return [sqlite]
}

interface CreatedStore {
  url: string
  remove(): Promise<void>
}

function createTestStore(
  name: TestStore['name'],
  create: (as: 'bare' | 'migrated') => Promise<CreatedStore>,
): TestStore {
  const opened: Database[] = []
  const created: CreatedStore[] = []

  async function createBare(): Promise<string> {
    created.push(await create('bare'))
    return created.at(-1)!.url
  }

  async function createMigrated(): Promise<string> {
    created.push(await create('migrated'))
    return created.at(-1)!.url
  }

  async function open(): Promise<Database> {
    opened.push(await openDatabase(await createMigrated()))
    return opened.at(-1)!
  }

  async function close(): Promise<void> {
    for (const db of opened.splice(0)) await db.destroy()
    for (const { remove } of created.splice(0)) await remove()
  }

  const maxServers = name === 'SQLite' ? 1 : 2
  return { name, maxServers, createBare, createMigrated, open, url: () => created.at(-1)!.url, close }
}

async function createSqlite(as: 'bare' | 'migrated'): Promise<CreatedStore> {
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-store-'))
  const path = join(directory, 'deep', 'forecourt.db')
  if (as === 'migrated') await writeMigratedSqlite(path)
  return {
    url: `sqlite:${path}`,
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

async function createPostgres(at: string, as: 'bare' | 'migrated'): Promise<CreatedStore> {
  const drop = (name: string) => runPostgresStatement(at, `drop database ${name} with (force)`)
  if (as === 'migrated') {
    const name = (await reuseDatabase(at)) ?? (await copyTemplate(at))
    return { url: urlOf(at, name), remove: async () => void spare.push(name) }
  }
  const name = freshName()
  await runPostgresStatement(at, `create database ${name}`)
  return { url: urlOf(at, name), remove: async () => void (await drop(name)) }
}

/** Unused databases. Emptying one takes a tenth of the time of creating one. All are dropped after the run. */
const spare: string[] = []
let tables: string[] = []

/** Empties an unused database and renames it, so that work that an earlier test left running does not find it. */
async function reuseDatabase(at: string): Promise<string | undefined> {
  const unused = spare.pop()
  if (unused === undefined) return undefined
  const name = freshName()
  const isEmpty = await withSharedClient(at, async (client) => {
    await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [unused])
    await client.query(`alter database ${unused} rename to ${name}`)
    return await withPostgresClient(urlOf(at, name), emptyTables)
  }).catch(() => false)
  return isEmpty ? name : reuseDatabase(at)
}

/** Deletes all rows. Returns `false` when the tables differ from the template's. */
async function emptyTables(client: pg.Client): Promise<boolean> {
  const found = await tablesOf(client)
  if (String(found.map(({ name }) => name)) !== String(tables)) return false
  // A delete from a table without a file takes as long as one from a table with rows.
  const written = found.filter(({ size }) => size > 0).map(({ name }) => `delete from "${name}";`)
  await client.query(`begin; ${written.join(' ')} commit`)
  return true
}

async function tablesOf(client: pg.Client): Promise<{ name: string; size: number }[]> {
  const { rows } = await client.query<{ name: string; size: number }>(
    `select relname as name, pg_relation_size(oid)::integer as size from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely%' order by 1`,
  )
  return rows
}

async function copyTemplate(at: string): Promise<string> {
  template ??= createTemplate(at)
  await template
  const name = freshName()
  await withSharedClient(at, (client) => client.query(`create database ${name} template ${templateDatabaseName()}`))
  return name
}

const freshName = () => `${templateDatabaseName()}_${randomBytes(8).toString('hex')}`

let template: Promise<void> | undefined

/** Copying a migrated database takes a third of the time of migrating a new one. All processes of a run copy the same template. */
async function createTemplate(at: string): Promise<void> {
  const url = urlOf(at, templateDatabaseName())
  await withPostgresClient(at, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('${templateDatabaseName()}'))`)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [templateDatabaseName()])
    if (rowCount) return
    await client.query(`create database ${templateDatabaseName()}`)
    await migrateStore(url)
  })
  tables = (await withPostgresClient(url, tablesOf)).map(({ name }) => name)
}

/** Runs `work` with a connection of its own. */
export async function withPostgresClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

let sharedPool: pg.Pool | undefined

/** Runs `work` with the connection of this process that creates databases: opening one takes longer than what it is used for. */
async function withSharedClient<T>(at: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  sharedPool ??= new pg.Pool({ connectionString: at, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true }).on(
    'error',
    () => {},
  )
  const client = await sharedPool.connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}

function urlOf(at: string, name: string): string {
  const url = new URL(at)
  url.pathname = `/${name}`
  // Long timeouts for a busy machine. Tests of these limits set their own.
  url.searchParams.set('connect_timeout', '60')
  url.searchParams.set('statement_timeout', '60000')
  return url.href
}

/** Runs one statement. */
export const runPostgresStatement = (at: string, statement: string): Promise<unknown> =>
  withPostgresClient(at, (client) => client.query(statement))
