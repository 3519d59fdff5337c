import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { isPostgres } from '../src/config/store-address.ts'
import type { Database } from '../src/storage/database.ts'
import { issueApiKey } from '../src/storage/keys/api-keys.ts'
import { startApiServer, writeConfig } from '../test/crash/api-server-process.ts'
import { createShopperSession, runCheckoutVisit, type Shop } from '../test/crash/checkout-visit.ts'
import { createSeededRandom } from '../test/crash/seeded-random.ts'
import { startSandboxSystems, stopSandboxSystems } from '../test/support/sandbox-systems.ts'
import { stores, type TestStore } from '../test/support/stores.ts'

/**
 * Measures how much the store and the log grow with orders: carts of one to three lines, bought by four shoppers at once.
 * `node src/bin/pinned-node.js bench/disk-growth.ts --orders 1000`. With FORECOURT_TEST_POSTGRES, on PostgreSQL too.
 */
const { values } = parseArgs({ options: { orders: { type: 'string', default: '1000' } } })
const ORDERS = Number(values.orders)
const STILL_ROUNDS = 10
const STILL_INTERVAL_MS = 1_000
const CUSTOMERS = ['C-1001', 'C-1008', 'C-1009', 'C-1012']

async function storeBytes(db: Database, url: string): Promise<number> {
  if (isPostgres(url)) {
    const { rows } = await sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(db)
    return Number(rows[0]!.bytes)
  }
  const { rows } = await sql<{
    bytes: number
  }>`select (page_count - freelist_count) * page_size as bytes from pragma_page_count, pragma_freelist_count, pragma_page_size`.execute(
    db,
  )
  return rows[0]!.bytes
}

async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name)).then(({ size }) => size)))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Waits until the catalog is copied: neither the store nor the mirrors grow any more. */
async function waitUntilStill(read: () => Promise<{ store: number; mirrors: number }>): Promise<void> {
  let last = await read()
  for (let stillFor = 0; stillFor < STILL_ROUNDS; ) {
    await pause(STILL_INTERVAL_MS)
    const next = await read()
    stillFor = next.store === last.store && next.mirrors === last.mirrors ? stillFor + 1 : 0
    last = next
  }
}

async function measure(store: TestStore): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-growth-'))
  const systems = await startSandboxSystems(directory)
  const db = await store.open()
  const { key } = await issueApiKey(db, { merchant: 'acme', kind: 'secret', mode: 'sandbox', rate: 1_000_000 })
  const shoppers = await Promise.all(CUSTOMERS.map((customerId) => createShopperSession(db, customerId)))
  const server = await startApiServer(await writeConfig(directory, store.url(), systems), directory)
  const count = async () =>
    Number((await db.selectFrom('orders').select(db.fn.countAll().as('n')).executeTakeFirstOrThrow()).n)
  let requests = 0
  const shop: Shop = {
    address: () => server.address,
    key,
    random: createSeededRandom(1),
    onAttempt: () => {
      requests += 1
    },
  }
  const read = async () => ({
    orders: await count(),
    store: await storeBytes(db, store.url()),
    log: (await stat(server.log)).size,
    mirrors: await folderBytes(join(directory, 'mirrors')),
  })
  const buyUntil = (orders: number) =>
    Promise.all(
      shoppers.map(async (shopper) => {
        while ((await count()) < orders) await runCheckoutVisit(shop, shopper)
      }),
    )
  await buyUntil(Math.ceil(ORDERS / 10))
  await waitUntilStill(read)
  const before = await read()
  requests = 0
  await buyUntil(before.orders + ORDERS)
  const after = await read()
  const per1000 = (name: 'store' | 'log' | 'mirrors') =>
    `${name} ${((((after[name] - before[name]) / (after.orders - before.orders)) * 1_000) / 1e6).toFixed(2)} MB`
  process.stdout.write(
    `${store.name}: per 1,000 orders: ${per1000('store')}, ${per1000('log')}, ${per1000('mirrors')} (${after.orders - before.orders} orders, ${requests} requests, ${((after.log - before.log) / requests).toFixed(0)} bytes of log a request)\n`,
  )
  await server.stop()
  await store.close()
  await stopSandboxSystems(systems)
  await rm(directory, { recursive: true, force: true, maxRetries: 10 })
}

for (const store of stores()) await measure(store)
