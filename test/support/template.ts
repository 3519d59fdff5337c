import { randomBytes } from 'node:crypto'

const VARIABLE = 'FORECOURT_TEST_TEMPLATE'

/** The database that a whole run copies, named by its first process and made by the first that needs it. The others' names begin with it. */
export function templateName(): string {
  process.env[VARIABLE] ??= `forecourt_test_${randomBytes(8).toString('hex')}`
  return process.env[VARIABLE]
}

/** Ends all databases of the run. */
export async function dropDatabases(): Promise<void> {
  const server = process.env.FORECOURT_TEST_POSTGRES
  if (!server) return
  const { asked, connected } = await import('./stores.ts')
  const { rows } = await connected(server, (client) =>
    client.query<{ name: string }>('select datname as name from pg_database where starts_with(datname, $1)', [
      templateName(),
    ]),
  )
  for (const { name } of rows) await asked(server, `drop database if exists ${name} with (force)`)
}
