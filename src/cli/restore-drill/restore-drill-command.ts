import { copyFileSync, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adapters } from '../../adapters.ts'
import type { Config } from '../../config/config.ts'
import { readServerConfig } from '../../config/read-config.ts'
import { redactStoreAddress } from '../../config/store-address.ts'
import { startForecourt } from '../../runtime/start.ts'
import type { Database } from '../../storage/database.ts'
import { DEFAULT_CONFIG_FILE } from '../default-config-file.ts'
import { print, printJson } from '../print.ts'
import { UsageError } from '../usage-error.ts'
import { restoreBackup } from './restore-backup.ts'

export interface RestoreDrillOptions {
  config?: string
  database?: string
  json?: boolean
}

interface RestoredRows {
  keys: number
  shoppers: number
  orders: number
  /** When the newest order was created. */
  newestOrder: string | null
}

/**
 * Restores a backup beside the running shop, starts a server of the configuration on it, and reports what it has and how long it took. The
 * server listens on this machine only, polls no change feed and sends nothing.
 */
export async function runRestoreDrill(backup: string, options: RestoreDrillOptions): Promise<void> {
  const file = options.config ?? DEFAULT_CONFIG_FILE
  if (!existsSync(backup)) throw new UsageError(`There is no backup at ${backup}`)
  const { config } = readServerConfig(file, adapters)
  if (options.database === config.store)
    throw new UsageError('--database names the store of the shop. Name an empty database instead')
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-drill-'))
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 100) / 10
  const store = await restoreBackup(backup, { folder, ...(options.database && { database: options.database }) })
  const restoredSeconds = seconds()
  copyWebhookKey(config, folder)
  const forecourt = stack.use(
    await startForecourt({
      config: toDrillConfig(config, { folder, store }),
      adapters,
      embeddedSystemsFor: () => null,
    }),
  )
  const rows = await countRows(forecourt.db)
  const response = await fetch(`${forecourt.address}/health`)
  const { status, version } = (await response.json()) as { status: string; version: string }
  const result = {
    store: redactStoreAddress(store),
    restoredSeconds,
    readySeconds: seconds(),
    health: status,
    version,
    ...rows,
  }
  if (status === 'down') process.exitCode = 1
  if (options.json) return printJson(result)
  print(
    `Restored in ${restoredSeconds} s; a server of release ${version} was ready after ${result.readySeconds} s, with health "${status}".`,
  )
  print(
    `It has ${rows.keys} keys, ${rows.shoppers} shoppers and ${rows.orders} orders${rows.newestOrder ? `; the newest order was placed at ${rows.newestOrder}` : ''}.`,
  )
  if (options.database)
    print(`The restored copy stays in ${result.store}: drop that database when you no longer need it.`)
}

/** Returns the configuration of the drill's server: it tells nobody about outages that were going on at the time of the backup, and sends no emails. */
export const toDrillConfig = (
  { mail, notifications, tracing, ...config }: Config,
  { folder, store }: { folder: string; store: string },
): Config => ({
  ...config,
  store,
  dataDirectory: folder,
  listen: { host: '127.0.0.1', port: 0 },
  metrics: null,
  operations: null,
  log: { file: join(folder, 'log'), level: config.log.level },
  feedIntervalMs: null,
  embeddedSandbox: false,
})

/** A server with webhook subscriptions needs the key of their secrets. */
function copyWebhookKey({ dataDirectory, webhooks }: Config, folder: string): void {
  const key = join(dataDirectory, 'webhooks.key')
  if (webhooks.keys === null && existsSync(key)) copyFileSync(key, join(folder, 'webhooks.key'))
}

async function countRows(db: Database): Promise<RestoredRows> {
  const count = async (table: 'api_keys' | 'shoppers' | 'orders') => {
    const { rows } = await db
      .selectFrom(table)
      .select(db.fn.countAll<number | string>().as('rows'))
      .executeTakeFirstOrThrow()
    return Number(rows)
  }
  const newest = await db
    .selectFrom('orders')
    .select('created_at')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    keys: await count('api_keys'),
    shoppers: await count('shoppers'),
    orders: await count('orders'),
    newestOrder: newest?.created_at ?? null,
  }
}
