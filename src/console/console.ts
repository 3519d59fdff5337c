import type { RequestListener } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import type { Logger } from 'pino'
import { createPasswords } from '../commands/passwords.ts'
import { createThrottle } from '../commands/throttle.ts'
import type { OperationsConfig } from '../config.ts'
import type { Readiness } from '../operations/readiness.ts'
import type { Database } from '../storage/database.ts'
import { type Assets, loadAssets } from './assets.ts'
import { entrance, signedIn } from './entrance.ts'
import { createFrame } from './frame.ts'
import { failures, guarded } from './outer.ts'
import type { ConsolePage } from './page.ts'
import { probes } from './probes.ts'
import { rooms } from './rooms.ts'
import { session } from './session.ts'
import type { Middleware, State } from './state.ts'
import { createStreams } from './streams.ts'

export interface ConsoleParts {
  config: Pick<OperationsConfig, 'metrics' | 'url'>
  db: Database
  pages: readonly ConsolePage[]
  metrics: { text(): Promise<string> }
  readiness: Readiness
  logger: Logger
  now: () => number
}

export interface Console extends AsyncDisposable {
  handler: RequestListener
}

/** Without a session nobody sees more than the sign-in page needs. */
const outside: ReadonlySet<string> = new Set(['console.css', 'icon.svg'])

/** The operations pages, top to bottom as a request passes. Disposing ends the live ones. */
export function createConsole({ config, db, pages, metrics, readiness, logger, now }: ConsoleParts): Console {
  const assets = loadAssets()
  const frame = createFrame(assets)
  const streams = createStreams({ db, frame, logger, now })
  const { url } = config
  const [before, behind] = [routed(), routed()]
  entrance(before, { db, frame, url, logger, now, passwords: createPasswords(), throttle: createThrottle() })
  rooms(behind, { pages, frame, streams, url, now })

  const app = new Koa<State>()
  app.silent = true
  app.use(begun)
  app.use(guarded)
  app.use(failures(frame, logger, now))
  app.use(probes(readiness, config.metrics ? metrics.text : null))
  app.use(assetsFor(assets, (name) => outside.has(name)))
  app.use(session(db, now))
  app.use(before.routes() as unknown as Middleware)
  app.use(signedIn)
  app.use(assetsFor(assets, () => true))
  app.use(behind.routes() as unknown as Middleware)
  return { handler: app.callback(), [Symbol.asyncDispose]: () => streams[Symbol.asyncDispose]() }
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
