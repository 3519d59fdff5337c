import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { isPostgres } from '../../config/store-address.ts'
import { runExclusive } from '../../lifecycle/keyed-mutex.ts'
import { createLog } from '../../operations/log.ts'
import { createPrimaryMetrics } from '../../operations/primary-metrics.ts'
import { type Database, openDatabase } from '../../storage/database.ts'
import { readOrCreateEncryptionKey } from '../../storage/keys/encryption-key.ts'
import { releaseDeadHolders } from '../../storage/release-dead-holders.ts'
import { acquireServerLock } from '../../storage/sqlite/sqlite-server-lock.ts'
import type { ServerAddresses } from '../server-addresses.ts'
import { collectMetrics } from './collect-metrics.ts'
import { openControlSocket, type ReloadReply, toControlPath } from './control-socket.ts'
import { forkWorker, type WorkerSettings } from './forked-worker.ts'
import { createWorkerPool, type WorkerGeneration } from './worker-pool.ts'

/** A configuration for workers: they get the text that was validated, and the environment that it was validated with. */
export interface LoadedConfig extends WorkerSettings {
  config: Config
}

export interface PrimaryParts {
  loaded: LoadedConfig
  /** Reads the configuration and the environment again. Throws when they are not valid. */
  load(): LoadedConfig
  /** Called with the open store, before workers start. */
  prepare(db: Database, config: Config): Promise<unknown>
}

/** The primary process of a server with workers. It serves no requests itself. Disposing it ends the workers at once. */
export interface Primary extends AsyncDisposable {
  readonly addresses: ServerAddresses
  /** Replaces all workers by ones with the configuration as it is now. When that is not possible, the workers go on as they are. */
  reload(): Promise<ReloadReply>
  /** Opens the file of the log again in all processes, after it was moved. */
  reopenLog(): void
  /** Lets the workers finish their requests, and resolves when they have ended. */
  drain(reason: string): Promise<void>
}

/** What a worker may need to end, beyond its drain settings. */
const DRAIN_RESERVE_MS = 10_000
const DEFAULT_FINISH_MS = 10_000

/** Locks and prepares the store, starts the workers, and restarts those that end. */
export async function startPrimary({ loaded, load, prepare }: PrimaryParts): Promise<Primary> {
  const { config } = loaded
  await using stack = new AsyncDisposableStack()
  const log = stack.use(createLog(config.log))
  const { logger } = log
  stack.use(await acquireServerLock(config.store))
  await withStore(config, async (db) => {
    if (!isPostgres(config.store)) await releaseDeadHolders(db, new Date().toISOString())
    await prepare(db, config)
  })
  // Workers that start at once would race for it.
  if (!config.webhooks.keys) readOrCreateEncryptionKey(config.dataDirectory)
  const pool = startPool(logger, stack)
  const addresses = await pool.replaceAll(toGeneration(loaded))
  logger.info({ workers: config.workers }, 'all workers are ready')
  const reload = () => runExclusive('reload', () => replaceWorkers({ pool, logger, config, load, prepare }))
  const path = toControlPath(config.dataDirectory, config.listen.port)
  const control = await openControlSocket(path, reload)
  if (control) stack.use(control)
  else logger.warn({ path }, 'there is no control socket: reload with SIGHUP')
  const running = stack.move()
  return {
    addresses,
    reload,
    reopenLog() {
      log.reopen()
      for (const worker of pool.list()) worker.reopenLog()
    },
    drain(reason) {
      logger.info({ reason }, 'draining')
      return pool.drain(reason)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function startPool(logger: Logger, stack: AsyncDisposableStack) {
  const pool = createWorkerPool({
    fork: (worker, settings) =>
      forkWorker({ worker, settings, collectMetrics: () => collectMetrics(pool.list(), metrics) }),
    logger,
    onRestart: () => metrics.countRestart(),
    onEnded: ({ lastReport }) => void (lastReport && metrics.retire(lastReport)),
  })
  const metrics = createPrimaryMetrics(pool.counts)
  stack.defer(pool.kill)
  return pool
}

const toGeneration = ({ config, ...settings }: LoadedConfig): WorkerGeneration => ({
  ...settings,
  count: config.workers!,
  drainTimeoutMs: (config.drain?.delayMs ?? 0) + 2 * (config.drain?.finishMs ?? DEFAULT_FINISH_MS) + DRAIN_RESERVE_MS,
})

interface ReloadParts extends Pick<PrimaryParts, 'load' | 'prepare'> {
  pool: ReturnType<typeof createWorkerPool>
  logger: Logger
  /** The configuration that the server was started with. */
  config: Config
}

async function replaceWorkers({ pool, logger, config, load, prepare }: ReloadParts): Promise<ReloadReply> {
  try {
    const loaded = load()
    requireSameServer(config, loaded.config)
    await withStore(loaded.config, (db) => prepare(db, loaded.config))
    await pool.replaceAll(toGeneration(loaded))
    const { workers } = loaded.config
    logger.info({ workers }, 'the configuration was loaded again')
    return { ok: true, message: `The configuration was loaded again; workers: ${workers}.` }
  } catch (error) {
    const { message } = error as Error
    logger.error({ reason: message }, 'the new configuration is refused; the workers go on with the earlier one')
    return { ok: false, message }
  }
}

/** The lock, the feeds and the mirrors belong to one store, and the control socket to one port. */
function requireSameServer(config: Config, next: Config): void {
  if (next.workers === undefined) throw new Error('A server without workers cannot be reloaded: restart it.')
  if (next.store !== config.store || next.dataDirectory !== config.dataDirectory)
    throw new Error('A change of the store or the data folder needs a restart.')
  if (next.listen.port !== config.listen.port) throw new Error('A change of listen.port needs a restart.')
}

async function withStore(config: Config, work: (db: Database) => Promise<unknown>): Promise<void> {
  const db = await openDatabase(config.store)
  try {
    await work(db)
  } finally {
    await db.destroy()
  }
}
