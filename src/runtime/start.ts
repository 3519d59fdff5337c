import { setTimeout as pause } from 'node:timers/promises'
import type Router from '@koa/router'
import type { PasswordCost } from '../commands/password-hasher.ts'
import type { Config } from '../config/config.ts'
import type { SystemsConfig } from '../config/system-config.ts'
import type { ServerLimits } from '../http/server/server.ts'
import type { MetricReport } from '../operations/metric-report.ts'
import { createReadiness } from '../operations/readiness.ts'
import { version } from '../operations/version.ts'
import type { Adapter } from '../ports/adapter.ts'
import { type Database, SERVER_BUSY_TIMEOUT_MS, WORKER_BUSY_TIMEOUT_MS } from '../storage/database.ts'
import { explainDiskFailure } from '../storage/explain-disk-failure.ts'
import { startPruning } from '../storage/retention/prune-expired.ts'
import { startStoreClock } from '../storage/store-clock.ts'
import type { UpstreamRegistry } from '../upstream/upstream-registry.ts'
import { startApi } from './api.ts'
import { startBackgroundJobs } from './background-jobs.ts'
import { setUpClientAddresses } from './client-address-setup.ts'
import { startListeners } from './listeners.ts'
import { logJobErrors } from './log-job-errors.ts'
import { logStoreOutages } from './log-store-outages.ts'
import { type ObservabilityParts, startObservability } from './observability.ts'
import { openServerStore } from './open-server-store.ts'
import { recordProcessRun } from './record-process-run.ts'
import type { ServerAddresses } from './server-addresses.ts'
import type { WorkerContext } from './workers/worker-context.ts'

export interface ForecourtParts {
  config: Config
  /** SHA-256 of the text of the configuration file. Absent: there is none. */
  configDigest?: string
  adapters: Readonly<Record<string, Adapter>>
  /** The systems of a merchant's sandbox keys, where its configuration names none. `null`: its sandbox keys are refused. */
  embeddedSystemsFor(merchant: string): SystemsConfig | null
  /** Resolves when the embedded systems respond, if they start at the same time: the change feed waits for it. */
  embeddedStart?: Promise<unknown>
  /** Milliseconds since the epoch. By default the clock of the store, which all machines share. */
  now?: () => number
  serverLimits?: Partial<ServerLimits>
  /** Called with the open store, before any request is accepted. */
  prepare?: (db: Database) => Promise<unknown>
  /** Called when the store becomes unavailable, with the reason, and with `null` when it is available again. */
  onStoreChange?: ((reason: string | null) => void) | undefined
  /** This process is a worker of a primary process, which has prepared the store and holds its lock. */
  worker?: WorkerContext
  /** Registers further routes that need no key: the demo's shop. */
  registerRoutes?: ((router: Router) => void) | undefined
  /** How long the start waits for the catalog mirrors, in milliseconds. By default 2,000, and 10,000 for a worker. */
  mirrorWaitMs?: number | undefined
  /** `false`: the caller sets the catalog mirrors of `upstreams`. By default this server starts them. */
  startsMirrors?: boolean
  /** The cost of hashing the passwords of shoppers and operators. By default the one of production. */
  passwordCost?: PasswordCost | undefined
  /** Called for each request and call: `false` leaves it out of metrics and diagnostics. For measuring their cost. */
  isObserved?: ObservabilityParts['isObserved']
}

/** A running server. Disposing it finishes requests in progress and closes everything in reverse order. */
export interface Forecourt extends ServerAddresses, AsyncDisposable {
  db: Database
  upstreams: UpstreamRegistry
  /** Logs the reason, reports that it is not ready, and resolves after `drain.delayMs`, during which it still accepts requests. Dispose it then. */
  drain(reason: string): Promise<void>
  /** Accepts no more connections, because other workers do. Resolves when no connection is left, or after `drain.finish_seconds`. Dispose it then. */
  handOver(reason: string): Promise<void>
  /** Reads the files of the TLS certificate again. */
  reloadCertificate(): void
  /** Opens the file of the log again, after it was moved. */
  reopenLog(): void
  /** Returns the metrics of this process. */
  reportMetrics(): Promise<MetricReport>
}

const DEFAULT_HANDOVER_MS = 10_000
/** How long a new worker waits for its mirrors before it listens. Another worker may serve meanwhile, from mirrors that are open. */
const WORKER_MIRROR_WAIT_MS = 10_000
/** How long a server waits: files of an earlier run are open by then, so that the first search finds what the last one found. */
const SERVER_MIRROR_WAIT_MS = 2_000

/** Starts the server. An error of the store's disk names the store and a remedy. */
export async function startForecourt(parts: ForecourtParts): Promise<Forecourt> {
  try {
    return await start(parts)
  } catch (error) {
    throw explainDiskFailure(error, parts.config.store)
  }
}

/** Starts store, observability, API, background jobs and listeners. */
async function start(parts: ForecourtParts): Promise<Forecourt> {
  const { config, worker, isObserved = () => true, startsMirrors = true } = parts
  const readiness = createReadiness()
  await using stack = new AsyncDisposableStack()
  const { db, store, busyTimeout } = await openServerStore(config, {
    now: parts.now ?? Date.now,
    stack,
    isWorker: worker !== undefined,
  })
  const now = parts.now ?? stack.use(await startStoreClock({ db, now: Date.now })).now
  await parts.prepare?.(db)

  const observability = stack.use(await startObservability({ config, db, store, worker, isObserved, now }))
  const { logger } = observability
  logStoreOutages({ db, store, logger, now, onChange: parts.onStoreChange })
  const onPruneError = logJobErrors(logger, 'expired rows could not be pruned', now)
  stack.use(startPruning({ db, now, onError: onPruneError, ...config.orders }))
  const { adapters, embeddedSystemsFor, embeddedStart, serverLimits, registerRoutes, passwordCost } = parts
  const clients = setUpClientAddresses({ config, db, logger, now })
  const api = stack.use(
    await startApi({
      config,
      clients,
      adapters,
      embeddedSystemsFor,
      db,
      store,
      observability,
      readiness,
      registerRoutes,
      passwordCost,
      now,
    }),
  )
  const backgroundJobs = stack.use(await startBackgroundJobs({ config, db, observability, api, now, startsMirrors }))
  const { holdsAndPurges, mirrors } = backgroundJobs
  await mirrors.compare(parts.mirrorWaitMs ?? (worker ? WORKER_MIRROR_WAIT_MS : SERVER_MIRROR_WAIT_MS))
  const listeners = stack.use(
    await startListeners({
      config,
      clients,
      db,
      store,
      observability,
      api,
      holdsAndPurges,
      mirrors,
      readiness,
      serverLimits,
      passwordCost,
      now,
    }),
  )
  busyTimeout.ms = worker ? WORKER_BUSY_TIMEOUT_MS : SERVER_BUSY_TIMEOUT_MS
  backgroundJobs.startChangeFeed(embeddedStart)

  readiness.markReady()
  stack.use(recordProcessRun({ db, observability, configDigest: parts.configDigest, now }))
  const addresses = {
    address: listeners.api.address,
    metricsAddress: listeners.metrics?.address ?? null,
    operationsAddress: listeners.operations?.address ?? null,
  }
  logger.info(
    { version, address: addresses.address, public_url: listeners.publicUrl, operations: addresses.operationsAddress },
    'listening',
  )
  const running = stack.move()
  return {
    ...addresses,
    db,
    upstreams: api.upstreams,
    reloadCertificate: listeners.reloadCertificate,
    reopenLog: observability.reopenLog,
    reportMetrics: observability.metrics.report,
    handOver(reason) {
      logger.info({ reason }, 'handing over')
      return listeners.handOver(config.drain?.finishMs ?? DEFAULT_HANDOVER_MS)
    },
    async drain(reason) {
      logger.info({ reason }, 'draining')
      readiness.markDraining()
      listeners.api.stopKeepAlive()
      if (config.drain?.delayMs) await pause(config.drain.delayMs)
    },
    [Symbol.asyncDispose]() {
      logger.info('stopping')
      readiness.markDraining()
      return running.disposeAsync()
    },
  }
}
