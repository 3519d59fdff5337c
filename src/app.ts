import type { RequestListener } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import type { Logger } from 'pino'
import { access, type Observe } from './http/access-log.ts'
import { type Answering, answered } from './http/respond.ts'
import { apiKey, authorized } from './http/authenticate.ts'
import { arrival } from './http/init-context.ts'
import { readBody } from './http/body.ts'
import { charged } from './http/rate-limit.ts'
import { cors } from './http/cors.ts'
import { hotReads } from './http/cache-fast-path.ts'
import { idempotent } from './http/idempotency.ts'
import type { KeyDirectory } from './http/api-key-cache.ts'
import { notAllowed } from './http/method-not-allowed.ts'
import { problems } from './http/handle-errors.ts'
import { shopper } from './http/authenticate-shopper.ts'
import type { Middleware, State } from './http/context.ts'
import { traced } from './http/request-trace.ts'
import { validated } from './http/validate-input.ts'
import type { Route } from './http/route.ts'
import type { Tracing } from './tracing/tracing.ts'

export interface AppDeps extends Answering {
  keys: KeyDirectory
  logger: Logger
  observe: Observe
  /** Left out: no spans are made. */
  tracing?: Tracing | undefined
  routes: readonly Route[]
  /** Pages that need no key: health, the OpenAPI document, the reference. */
  open: Router
}

/** The whole of the API, top to bottom as a request passes it. */
export function createApp(deps: AppDeps): RequestListener {
  const app = new Koa<State>()
  const router = routed(deps)
  app.silent = true
  app.use(arrival())
  app.use(access(deps.observe, deps.tracing))
  app.use(cors())
  app.use(problems(deps.logger))
  app.use(deps.open.routes() as unknown as Middleware)
  app.use(notAllowed(deps.open))
  app.use(keyed(apiKey(deps.keys)))
  app.use(router.routes() as unknown as Middleware)
  app.use(chargedElse(charged(deps.limits)))
  app.use(notAllowed(router))
  return hotReads(deps, app.callback())
}

function routed(deps: AppDeps): Router {
  const router = new Router({ strict: true, sensitive: true })
  for (const route of deps.routes) {
    const steps: Middleware[] = [
      named(route),
      authorized(route.scope),
      charged(deps.limits),
      traced(deps.tracing),
      shopper(deps.commerce, route.needsShopper ?? false),
    ]
    if (route.input.body) steps.push(readBody() as unknown as Middleware)
    steps.push(validated(route.input, route.secretInput))
    if (route.idempotent) steps.push(idempotent(route, deps))
    steps.push(answered(route, deps))
    router.register(route.path, route.method === 'GET' ? ['GET', 'HEAD'] : [route.method], steps as never)
  }
  return router
}

/** For the log and the metrics, however far the request comes. */
function named({ operationId }: Route): Middleware {
  return (ctx, next) => {
    ctx.state.route = operationId
    return next()
  }
}

/** A path or method that no route answers counts against the key like any other request. */
function chargedElse(charge: Middleware): Middleware {
  return (ctx, next) => (ctx.state.known ? charge(ctx, next) : next())
}

/** A key is asked for below /v1/, whatever the path; never of OPTIONS, which a browser sends without one. */
function keyed(middleware: Middleware): Middleware {
  return (ctx, next) => (ctx.path.startsWith('/v1/') && ctx.method !== 'OPTIONS' ? middleware(ctx, next) : next())
}
