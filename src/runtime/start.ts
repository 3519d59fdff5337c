import { setTimeout as pause } from 'node:timers/promises'
import type { Config, SystemsConfig } from '../config/config.ts'
import type { ServerLimits } from '../http/server.ts'
import { createReadiness } from '../operations/readiness.ts'
import type { Adapter } from '../ports/adapter.ts'
import { type Database, openDatabase, SERVER_BUSY_TIMEOUT_MS } from '../storage/database.ts'
import { startPruning } from '../storage/prune-expired.ts'
import { acquireServerLock } from '../storage/sqlite-server-lock.ts'
import type { UpstreamRegistry } from '../upstream/upstream-registry.ts'
import { startApiRuntime } from './api.ts'
import { startListeners } from './listeners.ts'
import { startObservability } from './observability.ts'

export interface Forecourt extends AsyncDisposable {
  address: string
  metricsAddress: string | null
  /** Of the pages for those on call. */
  operationsAddress: string | null
  db: Database
  upstreams: UpstreamRegistry
  /** Says that it is not ready any more, and goes on for as long as `drain.delayMs` says: then it is to be disposed. */
  drain(): Promise<void>
}

export interface ForecourtParts {
  config: Config
  adapters: Readonly<Record<string, Adapter>>
  embedded(merchant: string): SystemsConfig
  /** When the embedded systems answer, where they start beside: nobody is asked for changes before. */
  embeddedStart?: Promise<unknown>
  /** Milliseconds since the epoch. */
  now?: () => number
  serverLimits?: Partial<ServerLimits>
  /** Before anything is listened to. */
  prepare?: (db: Database) => Promise<unknown>
  /** Asked each time whether to count, and keep, how a request or a call went: for measuring what that costs. */
  isWatched?: () => boolean
}

/** Starts the API: store, watching, answering, listening. Disposing drains it and lets go of everything in the opposite order. */
export async function startForecourt(parts: ForecourtParts): Promise<Forecourt> {
  const { config, adapters, embedded, embeddedStart, now = Date.now, serverLimits, isWatched = () => true } = parts
  const readiness = createReadiness()
  await using stack = new AsyncDisposableStack()
  stack.use(await acquireServerLock(config.store))
  const db = await openDatabase(config.store, SERVER_BUSY_TIMEOUT_MS)
  stack.defer(() => db.destroy())
  await parts.prepare?.(db)
  const watching = stack.use(await startObservability({ config, db, isWatched, now }))
  const { logger } = watching
  stack.use(startPruning(db, now, (err) => logger.warn({ err }, 'what has expired could not be pruned')))
  const systems = { adapters, embeddedSystemsFor: embedded, embeddedStart }
  const answering = stack.use(await startApiRuntime({ config, ...systems, db, watching, readiness, now }))
  const { api, publicUrl, metrics, operations } = stack.use(
    await startListeners({ config, db, watching, answering, readiness, serverLimits, now }),
  )
  readiness.markReady()
  logger.info({ address: api.address, public_url: publicUrl, operations: operations?.address ?? null }, 'listening')
  const running = stack.move()
  return {
    address: api.address,
    metricsAddress: metrics?.address ?? null,
    operationsAddress: operations?.address ?? null,
    db,
    upstreams: answering.upstreams,
    async drain() {
      logger.info('draining')
      readiness.markDraining()
      api.letGo()
      if (config.drain?.delayMs) await pause(config.drain.delayMs)
    },
    [Symbol.asyncDispose]() {
      logger.info('stopping')
      readiness.markDraining()
      return running.disposeAsync()
    },
  }
}
