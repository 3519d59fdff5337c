import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { Type } from 'typebox'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { connectClerk, type Login } from '../../support/tryton/connect-tryton.ts'
import { createCallWithLongDeadline } from './long-deadline-call.ts'
import { trytonAccess, trytonHome } from './tryton-environment.ts'
import { waitUntil } from './wait-until.ts'
import { readWorkerPids } from './worker-pids.ts'

/** A separate database on the server of test/support/tryton/tryton.sh, for tests that leave many changes behind. */
export interface TemporaryDatabase {
  storefront: Login
  clerk: Login
  /** Direct access to the database. */
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
}

const PREFIX = 'live_'
const Count = responseSchema(Type.Integer())
const LEFT_BEHIND_MS = 3 * 3_600_000
const run = promisify(execFile)
let own: Promise<TemporaryDatabase & { drop(): Promise<void> }> | undefined

/** Creates a copy of the database of the demo merchant, once per run; it is dropped when the run ends. */
export const createTemporaryDatabase = (): Promise<TemporaryDatabase> => {
  own ??= copied()
  return own
}

// At the top level of a file that mocha loads, this hook runs once per run.
after(async function () {
  this.timeout(600_000)
  await (await own)?.drop()
})

async function copied() {
  const server = trytonAccess()
  const url = readFileSync(`${trytonHome()}/postgres/url`, 'utf8').trim()
  const name = `${PREFIX}${Date.now().toString(36)}`
  const at = (database: string) => url.replace(/\/postgres$/, `/${database}`)
  const root = new pg.Client(url)
  await root.connect()
  const { rows } = await root.query(`select datname from pg_database where datname like '${PREFIX}%'`)
  for (const { datname } of rows.filter(isLeftBehind)) await root.query(`drop database "${datname}" with (force)`)
  await root.query(`create database "${name}" template template0`)
  await root.query(`alter database "${name}" set jit = off`)
  const copy = `pg_dump --no-owner --exclude-table-data=ir_session "$0" | psql -q -v ON_ERROR_STOP=1 "$1"`
  await run('bash', ['-o', 'pipefail', '-c', copy, at(server.storefront.database), at(name)])
  const pool = new pg.Pool({ connectionString: at(name), max: 2 })
  pool.on('error', () => {})
  const logins = {
    storefront: { ...server.storefront, database: name },
    clerk: { ...server.clerk, database: name },
  }
  await loaded(logins.clerk, pool)
  return {
    ...logins,
    sql: async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows,
    async drop() {
      await pool.end()
      await root.query(`drop database if exists "${name}" with (force)`)
      await root.end()
      await rm(join(trytonHome(), 'database', 'files', name), { recursive: true, force: true })
    },
  }
}

/** Drops the databases of killed runs, but not of a run in progress. */
const isLeftBehind = ({ datname }: { datname: string }) =>
  Date.now() - Number.parseInt(datname.slice(PREFIX.length), 36) > LEFT_BEHIND_MS

/**
 * Waits until every process of the server has loaded all modules for this database, which each does on its first call.
 * Each process keeps connections to it from then on.
 */
async function loaded(login: Login, pool: pg.Pool): Promise<void> {
  const { pidFile, series } = trytonAccess()
  const processes = readWorkerPids(pidFile)
  const { rpc, close } = connectClerk(login, processes.length)
  // All responses of a round are awaited, also those of processes that are still loading.
  const asked = () =>
    Promise.all(processes.map(() => rpc(Count, 'party.party.search_count', [[]], createCallWithLongDeadline())))
  // From 7.8 on, maybe earlier, a login fails forever in a process that has not loaded the database. A picture is read without one.
  const picture = `${login.address}/avatar/${Buffer.from(login.database).toString('base64url')}/none`
  const loads = () => Promise.all(processes.map(() => fetch(picture)))
  try {
    await waitUntil('Tryton is ready', async () => {
      await (Number(series) < 7.8 ? asked() : loads())
      const { rows } = await pool.query('select client_port from pg_stat_activity where datname = $1', [login.database])
      const ports = new Set(rows.map(({ client_port }) => Number(client_port)))
      return processes.every((pid) => readLocalPorts(pid).some((port) => ports.has(port)))
    })
    await asked()
  } finally {
    await close()
  }
}

/** Returns the local ports of the TCP connections of a process. */
function readLocalPorts(pid: number): number[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
      } catch {
        // It was closed in the meantime.
        return []
      }
    }),
  )
  const rows = readFileSync(`/proc/${pid}/net/tcp`, 'utf8').trim().split('\n').slice(1)
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter((columns) => sockets.has(columns[9]!))
    .map((columns) => Number.parseInt(columns[1]!.split(':')[1]!, 16))
}
