import { randomBytes } from 'node:crypto'

const VARIABLE = 'FORECOURT_TEST_TEMPLATE'
const PREFIX = 'forecourt_test_'
const DAY_MS = 86_400_000

/** Returns the name of the database that the tests of a run copy. The run's first process sets it. All other names start with it. */
export function templateDatabaseName(): string {
  process.env[VARIABLE] ??= `${PREFIX}${Date.now().toString(36)}_${randomBytes(4).toString('hex')}`
  return process.env[VARIABLE]
}

/** Drops all databases of the run, and old ones that earlier, killed runs left behind. */
export async function dropTestDatabases(): Promise<void> {
  const server = process.env.FORECOURT_TEST_POSTGRES
  if (!server) return
  const { runPostgresStatement, withPostgresClient } = await import('./stores.ts')
  const { rows } = await withPostgresClient(server, (client) =>
    client.query<{ name: string }>('select datname as name from pg_database where starts_with(datname, $1)', [PREFIX]),
  )
  for (const { name } of rows)
    if (name.startsWith(templateDatabaseName()) || isOld(name))
      await runPostgresStatement(server, `drop database if exists ${name} with (force)`)
}

const isOld = (name: string) => Number.parseInt(name.slice(PREFIX.length).split('_')[0]!, 36) < Date.now() - DAY_MS
