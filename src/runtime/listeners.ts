import { hostname } from 'node:os'
import type { PasswordCost } from '../commands/password-hasher.ts'
import type { Config, OperationsConfig } from '../config/config.ts'
import { isWildcardHost } from '../config/special-hosts.ts'
import { createConsolePages } from '../console/all-console-pages.ts'
import type { ClientAddresses } from '../http/access/client-addresses.ts'
import { type HttpServer, type ServerLimits, startHttpServer } from '../http/server/server.ts'
import { loadTlsCertificate } from '../http/server/tls-certificate.ts'
import type { HoldAndPurgeFollower } from '../operations/hold-and-purge-follower.ts'
import type { Readiness } from '../operations/readiness.ts'
import type { Database } from '../storage/database.ts'
import type { StoreMonitor } from '../storage/store-monitor.ts'
import type { Api } from './api.ts'
import { startConsole } from './console-listener.ts'
import { startMetricsListener } from './metrics-listener.ts'
import type { Mirrors } from './mirror-setup.ts'
import type { Observability } from './observability.ts'

export interface ListenersParts {
  config: Config
  clients: ClientAddresses
  db: Database
  store: Pick<StoreMonitor, 'outage'>
  observability: Observability
  api: Api
  holdsAndPurges: HoldAndPurgeFollower
  mirrors: Mirrors
  readiness: Readiness
  serverLimits: Partial<ServerLimits> | undefined
  passwordCost: PasswordCost | undefined
  now: () => number
}

/** All listeners of a process. Disposing closes the API first, after its requests in progress. */
export interface Listeners extends AsyncDisposable {
  api: HttpServer
  /** The API's URL for browsers. */
  publicUrl: string
  metrics: { address: string } | null
  operations: { address: string } | null
  /** Accepts no more connections on any of them, because other processes do. Resolves when no connection of the API is left, or after `idleMs`. */
  handOver(idleMs: number): Promise<void>
  /** Reads the files of the TLS certificate again. */
  reloadCertificate(): void
}

/** The idle timeout of a connection is longer than any request takes. Node closes a connection with an unread response after two timeouts. */
const MIN_IDLE_MS = 15_000
const IDLE_BEYOND_DEADLINE_MS = 5_000
const METRICS_SETTINGS = { portSetting: 'metrics.port', hostSetting: 'metrics.host' }

export async function startListeners(parts: ListenersParts): Promise<Listeners> {
  const { config, clients, observability } = parts
  const { logger, metrics } = observability
  await using stack = new AsyncDisposableStack()
  const metricsParts = { readMetrics: metrics.text, readiness: parts.readiness, store: parts.store }
  const metricsListener = config.metrics
    ? stack.use(await startMetricsListener({ ...config.metrics, ...METRICS_SETTINGS, logger }, metricsParts))
    : null
  const tls = config.listen.tls && stack.use(loadTlsCertificate({ files: config.listen.tls, logger }))
  // Closed after the API: its probes report until the end that this process is not ready.
  const consoleStack = stack.use(new AsyncDisposableStack())
  const api = stack.use(
    await startHttpServer(
      parts.api.handler,
      { ...config.listen, tls, logger, onConnection: clients.remember, mode: config.keylessMode },
      {
        idleTimeoutMs: Math.max(MIN_IDLE_MS, config.deadlineMs + IDLE_BEYOND_DEADLINE_MS),
        drainTimeoutMs: config.drain?.finishMs,
        ...parts.serverLimits,
      },
    ),
  )
  const publicUrl = parts.api.setAddress(api.address)
  if (!config.publicUrl && isWildcardHost(config.listen.host))
    logger.warn('public_url is not set: picture URLs work only on this machine')
  const operations = config.operations ? consoleStack.use(await openConsole(config.operations, publicUrl, parts)) : null
  const running = stack.move()
  return {
    api,
    publicUrl,
    metrics: metricsListener,
    operations,
    reloadCertificate: () => void tls?.reload(),
    handOver(idleMs) {
      for (const listener of [metricsListener, operations]) void listener?.handOver(idleMs)
      return api.handOver(idleMs)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function openConsole(operations: OperationsConfig, apiUrl: string, parts: ListenersParts) {
  const { db, store, config, clients, observability, api, holdsAndPurges, mirrors, readiness, passwordCost, now } =
    parts
  const { logger, metrics, diagnostics } = observability
  const { throttle, endpointRules } = api.commerce
  const pages = createConsolePages({
    db,
    store,
    upstreams: api.upstreams,
    merchants: config.merchants,
    throttle,
    endpointRules,
    contact: operations.contact,
    diagnostics,
    holdsAndPurges,
    mirrors: mirrors.all,
    machine: hostname(),
    logger,
    now,
  })
  const { merchants } = config
  return startConsole({
    config: operations,
    apiUrl,
    clients,
    db,
    store,
    merchants,
    pages,
    metrics,
    readiness,
    logger,
    passwordCost,
    now,
  })
}
