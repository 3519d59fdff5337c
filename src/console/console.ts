import type { RequestListener } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import type { Logger } from 'pino'
import { createPasswords } from '../commands/password-hasher.ts'
import { createThrottle } from '../commands/action-throttle.ts'
import type { OperationsConfig } from '../config/config.ts'
import type { Readiness } from '../operations/readiness.ts'
import type { Database } from '../storage/database.ts'
import { type Assets, loadAssets } from './assets.ts'
import { entrance, signedIn } from './access/sign-in-routes.ts'
import { failures } from './error-pages.ts'
import { createFrame } from './page-renderer.ts'
import { knownHost } from './access/allowed-hosts.ts'
import type { ConsolePage } from './console-page.ts'
import { probes } from './health-probes.ts'
import { servePages } from './page-router.ts'
import { session } from './access/operator-session.ts'
import type { Middleware, State } from './console-context.ts'
import { createStreams } from './live-page-streams.ts'

export interface ConsoleParts {
  config: Pick<OperationsConfig, 'metrics' | 'url'>
  db: Database
  pages: readonly ConsolePage[]
  metrics: { text(): Promise<string> }
  readiness: Readiness
  logger: Logger
  now: () => number
}

export interface Console extends Disposable {
  handler: RequestListener
}

const MOST_SIGNING_IN = 16

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Without a session nobody sees more than the sign-in page needs. */
const outside: ReadonlySet<string> = new Set(['base.css', 'icon.svg'])

/** The operations pages, top to bottom as a request passes. Disposing ends the live ones. */
export function createConsole({ config, db, pages, metrics, readiness, logger, now }: ConsoleParts): Console {
  const assets = loadAssets()
  const frame = createFrame(assets)
  const streams = createStreams({ db, frame, logger, now })
  const { url } = config
  // Of libuv's four threads the shoppers' passwords take two.
  const passwords = createPasswords({ parallel: 1, mostWaiting: MOST_SIGNING_IN })
  const [before, behind] = [routed(), routed()]
  entrance(before, { db, frame, url, logger, now, passwords, throttle: createThrottle() })
  servePages(behind, { pages, frame, streams, url, now })

  const app = new Koa<State>()
  app.silent = true
  app.use(begun)
  app.use(guarded)
  app.use(failures(frame, logger, now))
  app.use(probes(readiness, config.metrics ? metrics.text : null))
  app.use(knownHost(url))
  app.use(assetsFor(assets, (name) => outside.has(name)))
  app.use(session(db, now))
  app.use(before.routes() as unknown as Middleware)
  app.use(signedIn)
  app.use(assetsFor(assets, () => true))
  app.use(behind.routes() as unknown as Middleware)
  return { handler: app.callback(), [Symbol.dispose]: () => streams[Symbol.dispose]() }
}

const routed = () => new Router({ strict: true, sensitive: true })

const begun: Middleware = (ctx, next) => {
  ctx.state = { session: null }
  return next()
}

function assetsFor(assets: Assets, isServed: (name: string) => boolean): Middleware {
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
const guarded: Middleware = (ctx, next) => {
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
