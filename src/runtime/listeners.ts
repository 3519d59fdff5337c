import type { Config, OperationsConfig } from '../config/config.ts'
import { createConsolePages } from '../console/page-list.ts'
import { type HttpServer, type ListenAddress, type ServerLimits, startHttpServer } from '../http/server.ts'
import type { Readiness } from '../operations/readiness.ts'
import type { Database } from '../storage/database.ts'
import type { ApiRuntime } from './api.ts'
import { startConsole } from './console-setup.ts'
import type { Observability } from './observability.ts'

export interface ListenersParts {
  config: Config
  db: Database
  watching: Observability
  answering: ApiRuntime
  readiness: Readiness
  serverLimits: Partial<ServerLimits> | undefined
  now: () => number
}

/** All listeners of a process. Disposing puts the API away first, which lets what is under way finish. */
export interface Listeners extends AsyncDisposable {
  api: HttpServer
  /** Of the API, as browsers reach it. */
  publicUrl: string
  metrics: { address: string } | null
  operations: { address: string } | null
}

/** A connection on which nothing moves for so long is cut; longer than any request takes. Node looks twice before it cuts an unread answer. */
const IDLE_MS = 15_000
/** A scrape is done in less, or not at all. */
const SCRAPE_MS = 1_000
/** Hosts that are no address to anybody. */
const anywhere: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

export async function startListeners(parts: ListenersParts): Promise<Listeners> {
  const { config, watching, answering } = parts
  const { logger } = watching
  await using stack = new AsyncDisposableStack()
  const metrics = config.metrics
    ? stack.use(await listenForMetrics({ ...config.metrics, ...METRICS_AT, logger }, watching.metrics.text))
    : null
  // Put away after the API: it tells until the end that this process is not ready.
  const onCall = stack.use(new AsyncDisposableStack())
  const api = stack.use(
    await startHttpServer(
      answering.handler,
      { ...config.listen, logger },
      {
        idleTimeout: Math.max(IDLE_MS, config.deadlineMs + 5_000),
        finishMs: config.drain?.finishMs,
        ...parts.serverLimits,
      },
    ),
  )
  const publicUrl = answering.openTo(api.address)
  if (!config.publicUrl && anywhere.has(config.listen.host))
    logger.warn('public_url is not set: addresses of pictures lead to this machine alone')
  const operations = config.operations ? onCall.use(await openConsole(config.operations, parts)) : null
  const running = stack.move()
  return { api, publicUrl, metrics, operations, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

function openConsole(at: OperationsConfig, parts: ListenersParts) {
  const { db, config, watching, answering, readiness, now } = parts
  const { logger, metrics, diagnostics } = watching
  const { upstreams, directives, commerce } = answering
  const pages = createConsolePages({
    ...{ db, upstreams, merchants: config.merchants, throttle: commerce.throttle, endpoints: commerce.endpoints },
    ...{ diagnostics, directives, logger, now },
  })
  return startConsole({ config: at, db, pages, metrics, readiness, logger, now })
}

const METRICS_AT = { setting: 'metrics.port', hostSetting: 'metrics.host' }

function listenForMetrics(at: ListenAddress, text: () => Promise<string>): Promise<HttpServer> {
  return startHttpServer(
    (_req, res) => {
      text().then(
        (body) => res.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4' }).end(body),
        () => res.writeHead(500).end(),
      )
    },
    at,
    { finishMs: SCRAPE_MS },
  )
}
