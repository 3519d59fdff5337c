import type { RequestListener } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import type { Logger } from 'pino'
import { createActionThrottle } from '../commands/action-throttle.ts'
import { createPasswordHasher } from '../commands/password-hasher.ts'
import type { OperationsConfig } from '../config/config.ts'
import type { Readiness } from '../operations/readiness.ts'
import type { Database } from '../storage/database.ts'
import { requireAllowedHost } from './access/allowed-hosts.ts'
import { loadOperatorSession } from './access/operator-session.ts'
import { registerSignInRoutes, requireOperatorSession } from './access/sign-in-routes.ts'
import { type Assets, loadAssets } from './assets.ts'
import type { ConsoleMiddleware, ConsoleState } from './console-context.ts'
import type { ConsolePage } from './console-page.ts'
import { renderErrorPages } from './error-pages.ts'
import { serveHealthProbes } from './health-probes.ts'
import { createLivePageStreams } from './live-page-streams.ts'
import { createPageRenderer } from './page-renderer.ts'
import { registerConsolePages } from './page-router.ts'

export interface ConsoleParts {
  config: Pick<OperationsConfig, 'metrics' | 'url'>
  db: Database
  pages: readonly ConsolePage[]
  metrics: { text(): Promise<string> }
  readiness: Readiness
  logger: Logger
  now: () => number
}

export interface OperatorConsole extends Disposable {
  handler: RequestListener
}

const MOST_SIGNING_IN = 16

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Without a session nobody sees more than the sign-in page needs. */
const outside: ReadonlySet<string> = new Set(['base.css', 'icon.svg'])

/** The operations pages, top to bottom as a request passes. Disposing ends the live ones. */
export function createConsole({ config, db, pages, metrics, readiness, logger, now }: ConsoleParts): OperatorConsole {
  const assets = loadAssets()
  const frame = createPageRenderer(assets)
  const streams = createLivePageStreams({ db, frame, logger, now })
  const { url } = config
  // Of libuv's four threads the shoppers' passwords take two.
  const passwords = createPasswordHasher({ parallel: 1, mostWaiting: MOST_SIGNING_IN })
  const [before, behind] = [routed(), routed()]
  registerSignInRoutes(before, { db, frame, url, logger, now, passwords, throttle: createActionThrottle() })
  registerConsolePages(behind, { pages, frame, streams, url, now })

  const app = new Koa<ConsoleState>()
  app.silent = true
  app.use(begun)
  app.use(guarded)
  app.use(renderErrorPages(frame, logger, now))
  app.use(serveHealthProbes(readiness, config.metrics ? metrics.text : null))
  app.use(requireAllowedHost(url))
  app.use(assetsFor(assets, (name) => outside.has(name)))
  app.use(loadOperatorSession(db, now))
  app.use(before.routes() as unknown as ConsoleMiddleware)
  app.use(requireOperatorSession)
  app.use(assetsFor(assets, () => true))
  app.use(behind.routes() as unknown as ConsoleMiddleware)
  return { handler: app.callback(), [Symbol.dispose]: () => streams[Symbol.dispose]() }
}

const routed = () => new Router({ strict: true, sensitive: true })

const begun: ConsoleMiddleware = (ctx, next) => {
  ctx.state = { session: null }
  return next()
}

function assetsFor(assets: Assets, isServed: (name: string) => boolean): ConsoleMiddleware {
  return (ctx, next) => {
    const asset = assets.at(ctx.path)
    if (!asset || !isServed(asset.name) || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    ctx.set('Content-Type', asset.type)
    ctx.set('Cache-Control', 'private, max-age=31536000, immutable')
    ctx.body = asset.bytes
    return undefined
  }
}

/** What holds for every answer: nothing is kept, framed, guessed at or told to other sites. */
const guarded: ConsoleMiddleware = (ctx, next) => {
  ctx.set('Content-Security-Policy', POLICY)
  ctx.set('X-Content-Type-Options', 'nosniff')
  ctx.set('X-Frame-Options', 'DENY')
  // Not `no-referrer`: browsers would then send forms with `Origin: null`.
  ctx.set('Referrer-Policy', 'same-origin')
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin')
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin')
  ctx.set('Cache-Control', 'no-store')
  return next()
}
