import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../src/storage/database.ts'
import { issueApiKey } from '../../src/storage/keys/api-keys.ts'
import { addOperator } from '../../src/storage/operators/operator-accounts.ts'
import { insertPendingOrder } from '../../test/console/pages/pending-order.ts'
import { hashPassword, PASSWORD } from '../../test/console/test-console.ts'
import { startApiServer, writeConfig } from '../../test/crash/api-server-process.ts'
import { freePort } from '../../test/support/free-port.ts'
import { startSandboxSystems, stopSandboxSystems } from '../../test/support/sandbox-systems.ts'
import { stores, type TestStore } from '../../test/support/stores.ts'
import { cpuMs } from '../measure/process-usage.ts'
import { median, quantile, round } from '../measure/statistics.ts'
import type { ScenarioOptions, ScenarioResult } from '../scenario.ts'
import { hasTaskset } from '../systems/core-placement.ts'
import { fillSupportHistory, type HistoryCounts } from '../systems/fill-support-history.ts'
import { listOperationsPages } from './operations-page-list.ts'

/** What issue 19 allows, in milliseconds. */
const LIMITS = { page: 300, search: 200 } as const
/** The server also works in the background at times: of several batches of requests, most have none of that. */
const BATCH = 5
/** A server without requests uses less CPU time in a second. */
const IDLE_CPU_MS = 100
const IDLE_SECONDS = 3

interface PageFigures {
  path: string
  status: number
  kib: number
  medianMs: number
  slowestMs: number
  serverCpuMs: number
  postgresCpuMs: number
  isOver: boolean
}

/**
 * PAGES: each operations page of a server whose store has a month of request records and incidents, requested one after another. CPU time does not
 * depend on other work on the machine, and elapsed time does. With FORECOURT_TEST_POSTGRES, on PostgreSQL too.
 */
export async function measureOperationsPages({ short }: ScenarioOptions): Promise<ScenarioResult> {
  const results = []
  for (const store of stores()) results.push(await measureStore(store, short ? 3 : 7))
  return { name: 'pages', tables: results.map(({ table }) => table), figures: results.map(({ figures }) => figures) }
}

async function measureStore(store: TestStore, batches: number) {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-bench-'))
  stack.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }))
  const systems = await startSandboxSystems(directory)
  stack.defer(() => stopSandboxSystems(systems))
  const db = await store.open()
  stack.defer(() => store.close())
  const { counts, orderId } = await fillStore(db)
  const port = await freePort()
  const server = await startApiServer(
    await writeConfig(directory, store.url(), systems, toSettings(port, systems)),
    directory,
  )
  stack.defer(() => server.stop())
  if (hasTaskset) spawnSync('taskset', ['-a', '-cp', '0', String(server.pid)])
  const console = `http://127.0.0.1:${port}`
  const cookie = await signIn(console)
  await waitUntilIdle(server.pid)
  const pages = await listOperationsPages(db, orderId)
  const figures: PageFigures[] = []
  for (const path of pages)
    figures.push(await measurePage({ db, store, pid: server.pid, console, cookie, path, batches }))
  const table = {
    title: `PAGES on ${store.name}: ${counts.records} request records, ${counts.incidents} incidents`,
    note: `${batches * BATCH} requests of each, one after another; CPU is the median of batches of ${BATCH}; ! is over ${LIMITS.page} ms, or ${LIMITS.search} ms for a search`,
    columns: ['page', 'status', 'KiB', 'median ms', 'slowest ms', 'server CPU ms', 'PostgreSQL CPU ms', ''],
    rows: figures.map(({ isOver, ...row }) => [...Object.values(row), isOver ? '!' : '']),
  }
  return { table, figures: { store: store.name, ...counts, pages: figures } }
}

/** Five tenants with as many records as each keeps. */
async function fillStore(db: Database): Promise<{ counts: HistoryCounts; orderId: string }> {
  const tenants = []
  for (const [merchant, mode] of [
    ...(['live', 'sandbox'] as const).flatMap((mode) => [['acme', mode] as const, ['zenith', mode] as const]),
    ['third', 'live'] as const,
  ]) {
    const { record } = await issueApiKey(db, { merchant, mode, kind: 'secret' })
    tenants.push({ merchant, mode, keyId: record.key_id })
  }
  const now = Date.now()
  await addOperator(db, { name: 'sam', role: 'operator', passwordHash: hashPassword(PASSWORD) }, now)
  const orderId = await insertPendingOrder(
    db,
    { merchant: 'acme', mode: 'live', customer_id: 'C-1001' },
    new Date(now).toISOString(),
  )
  return { counts: await fillSupportHistory(db, tenants, now), orderId }
}

function toSettings(port: number, systems: Record<'inventory' | 'pricing' | 'accounting', { address: string }>) {
  const account = (name: string) =>
    Object.fromEntries(
      Object.entries(systems).map(([system, { address }]) => [
        system,
        { adapter: 'rest', address: `${address}/${name}`, token: 'sandbox' },
      ]),
    )
  const merchant = (name: string, account1: string, account2: string) => ({
    ...{ name, currency: 'JMD', time_zone: 'America/Jamaica' },
    ...{ live: account(account1), sandbox: account(account2) },
  })
  return {
    operations: { port },
    deadline_ms: 5_000,
    webhooks: { key: Buffer.alloc(32, 7).toString('base64') },
    merchants: {
      acme: merchant('Acme Parts', 'acme-live', 'acme'),
      zenith: merchant('Zenith', 'zenith-live', 'zenith'),
      third: merchant('Third', 'acme-live', 'acme'),
    },
  }
}

async function signIn(console: string): Promise<string> {
  const response = await fetch(`${console}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: console },
    body: new URLSearchParams({ name: 'sam', password: PASSWORD }),
  })
  const cookie = response.headers.getSetCookie().find((one) => one.startsWith('forecourt_operations='))
  if (!cookie) throw new Error(`sign-in responded ${response.status}`)
  return cookie.split(';')[0]!
}

/** Waits until the server has filled its mirrors. */
async function waitUntilIdle(pid: number): Promise<void> {
  for (let idleFor = 0; idleFor < IDLE_SECONDS; ) {
    const before = cpuMs(pid)
    await pause(1_000)
    idleFor = cpuMs(pid) - before < IDLE_CPU_MS ? idleFor + 1 : 0
  }
}

interface PageRequest {
  db: Database
  store: TestStore
  pid: number
  console: string
  cookie: string
  path: string
  batches: number
}

async function measurePage({ db, store, pid, console, cookie, path, batches }: PageRequest): Promise<PageFigures> {
  async function load() {
    const startedAt = performance.now()
    const response = await fetch(console + path, { headers: { cookie }, redirect: 'manual' })
    const bytes = (await response.arrayBuffer()).byteLength
    return { ms: performance.now() - startedAt, bytes, status: response.status }
  }
  const { status, bytes } = await load()
  const times: number[] = []
  const cpu = { server: [] as number[], postgres: [] as number[] }
  for (let batch = 0; batch < batches; batch += 1) {
    const backends = store.name === 'PostgreSQL' ? await listBackends(db) : []
    const before = { server: cpuMs(pid), postgres: backends.map(readCpuMs) }
    for (let request = 0; request < BATCH; request += 1) times.push((await load()).ms)
    cpu.server.push((cpuMs(pid) - before.server) / BATCH)
    const postgresMs = backends.map((backend, index) => Math.max(0, readCpuMs(backend) - before.postgres[index]!))
    cpu.postgres.push(postgresMs.reduce((sum, ms) => sum + ms, 0) / BATCH)
  }
  const figures = {
    medianMs: round(median(times)),
    slowestMs: round(quantile(times, 1)),
    serverCpuMs: round(median(cpu.server)),
    postgresCpuMs: round(median(cpu.postgres)),
  }
  return {
    path: path.replace(/(inc|ord)_\w+/, '$1_…').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/i, '<id>'),
    ...{ status, kib: round(bytes / 1_024, 0), ...figures },
    isOver: figures.serverCpuMs + figures.postgresCpuMs > (path.startsWith('/find') ? LIMITS.search : LIMITS.page),
  }
}

/** Returns the CPU time of a process; 0: it has ended, as that of an idle connection does. */
function readCpuMs(pid: number): number {
  try {
    return cpuMs(pid)
  } catch {
    return 0
  }
}

/** Returns the processes of PostgreSQL that serve the server's connections. It runs on this machine. */
async function listBackends(db: Database): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
  return rows.map(({ pid }) => pid)
}
