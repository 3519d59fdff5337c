import type { RequestListener } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import type { Logger } from 'pino'
import { createActionThrottle } from '../commands/action-throttle.ts'
import { createPasswordHasher, type PasswordCost } from '../commands/password-hasher.ts'
import type { OperationsConfig } from '../config/config.ts'
import type { ClientAddresses } from '../http/access/client-addresses.ts'
import type { Readiness } from '../operations/readiness.ts'
import type { Database } from '../storage/database.ts'
import type { StoreMonitor } from '../storage/store-monitor.ts'
import { requireAllowedHost } from './access/allowed-hosts.ts'
import { createOperatorSessionReader, loadOperatorSession, requireOperatorSession } from './access/operator-session.ts'
import { setSecurityHeaders } from './access/security-headers.ts'
import { registerSignInRoutes } from './access/sign-in-routes.ts'
import { loadAssets, serveAssets } from './assets.ts'
import type { ConsoleMiddleware, ConsoleState } from './console-context.ts'
import type { ConsolePage } from './console-page.ts'
import { renderErrorPages } from './error-pages.ts'
import { serveHealthAndMetrics } from './health-and-metrics.ts'
import { createLivePageStreams } from './live-page-streams.ts'
import { createMerchantDirectory, type MerchantDirectoryEntry } from './merchant-directory.ts'
import { loadOperatorTimeZone } from './operator-time-zone.ts'
import { createPageRenderer } from './page-renderer.ts'
import { refuseApiPaths } from './refuse-api-paths.ts'
import { registerConsolePages } from './register-console-pages.ts'

export interface ConsoleParts {
  config: Pick<OperationsConfig, 'metrics' | 'url'>
  /** The API's URL, for requests that are sent to the wrong port. */
  apiUrl: string
  clients: ClientAddresses
  db: Database
  store: Pick<StoreMonitor, 'outage'>
  /** They set the time zone of what concerns all merchants. */
  merchants: readonly MerchantDirectoryEntry[]
  pages: readonly ConsolePage[]
  metrics: { text(): Promise<string> }
  readiness: Readiness
  logger: Logger
  now: () => number
  /** The cost of comparing a password with that of no account. By default the one of production. */
  passwordCost?: PasswordCost | undefined
  /** How long a page waits for the store to confirm a session that it knows. */
  storeWaitMs?: number
}

export interface OperatorConsole extends Disposable {
  handler: RequestListener
}

const MAX_QUEUED_SIGN_INS = 16

/** The assets that pages without a session need. All others require a session. */
const publicAssets: ReadonlySet<string> = new Set([
  'base.css',
  'icon.svg',
  'reload-when-store-returns.js',
  'time-zone.js',
])

/** Creates the operations pages; middlewares run from top to bottom. Disposing ends the live pages. */
export function createConsole(parts: ConsoleParts): OperatorConsole {
  const { config, clients, db, store, pages, metrics, readiness, logger, now } = parts
  const sessions = createOperatorSessionReader(db, now, parts.storeWaitMs)
  const { url } = config
  const assets = loadAssets()
  const merchants = createMerchantDirectory(parts.merchants, now)
  const renderer = createPageRenderer(assets)
  const streams = createLivePageStreams({ sessions, renderer, logger, now })
  // Shoppers' passwords use two of libuv's four threads.
  const passwords = createPasswordHasher({ concurrency: 1, maxQueued: MAX_QUEUED_SIGN_INS, cost: parts.passwordCost })
  const throttle = createActionThrottle({ db, now })
  const signInRouter = createRouter()
  const pageRouter = createRouter()
  const signIn = { db, store, merchants, renderer, sessions, url, logger, now, passwords, throttle }
  registerSignInRoutes(signInRouter, signIn)
  registerConsolePages(pageRouter, { pages, renderer, streams, url, now })

  const app = new Koa<ConsoleState>()
  app.silent = true
  app.use(initializeState(clients, url))
  app.use(loadOperatorTimeZone)
  app.use(setSecurityHeaders)
  app.use(renderErrorPages({ renderer, store, merchants, logger, now }))
  app.use(serveHealthAndMetrics(readiness, store, config.metrics ? metrics.text : null))
  app.use(refuseApiPaths(parts.apiUrl))
  app.use(requireAllowedHost(url))
  app.use(serveAssets(assets, (name) => publicAssets.has(name)))
  app.use(loadOperatorSession(db, sessions, now))
  app.use(signInRouter.routes() as unknown as ConsoleMiddleware)
  app.use(requireOperatorSession)
  app.use(serveAssets(assets, () => true))
  app.use(pageRouter.routes() as unknown as ConsoleMiddleware)
  return { handler: app.callback(), [Symbol.dispose]: () => streams[Symbol.dispose]() }
}

const createRouter = () => new Router({ strict: true, sensitive: true })

function initializeState(clients: ClientAddresses, url: string | undefined): ConsoleMiddleware {
  const isUrlSecure = url?.startsWith('https:') ?? false
  return (ctx, next) => {
    const isSecure = isUrlSecure || clients.isSecure(ctx.req)
    ctx.state = { session: null, clientAddress: clients.of(ctx.req), isSecure }
    return next()
  }
}
