import type { RequestListener } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import type { Logger } from 'pino'
import { logAccess, type RequestObserver } from './http/access-log.ts'
import type { ApiKeyCache } from './http/api-key-cache.ts'
import { authenticate, authorize } from './http/authenticate.ts'
import { authenticateShopper } from './http/authenticate-shopper.ts'
import { readBody } from './http/body.ts'
import { createCacheFastPath } from './http/cache-fast-path.ts'
import type { Middleware, RequestState } from './http/context.ts'
import { cors } from './http/cors.ts'
import { handleErrors } from './http/handle-errors.ts'
import { enforceIdempotency } from './http/idempotency.ts'
import { initContext } from './http/init-context.ts'
import { methodNotAllowed } from './http/method-not-allowed.ts'
import { rateLimit } from './http/rate-limit.ts'
import { traceRequest } from './http/request-trace.ts'
import { type RespondDeps, respond } from './http/respond.ts'
import type { Route } from './http/route.ts'
import { validateInput } from './http/validate-input.ts'
import type { Tracing } from './tracing/tracing.ts'

export interface AppDeps extends RespondDeps {
  keys: ApiKeyCache
  logger: Logger
  observe: RequestObserver
  /** Left out: no spans are made. */
  tracing?: Tracing | undefined
  routes: readonly Route[]
  /** Pages that need no key: health, the OpenAPI document, the reference. */
  open: Router
}

/** The whole of the API, top to bottom as a request passes it. */
export function createApp(deps: AppDeps): RequestListener {
  const app = new Koa<RequestState>()
  const router = routed(deps)
  app.silent = true
  app.use(initContext())
  app.use(logAccess(deps.observe, deps.tracing))
  app.use(cors())
  app.use(handleErrors(deps.logger))
  app.use(deps.open.routes() as unknown as Middleware)
  app.use(methodNotAllowed(deps.open))
  app.use(keyed(authenticate(deps.keys)))
  app.use(router.routes() as unknown as Middleware)
  app.use(chargedElse(rateLimit(deps.limits)))
  app.use(methodNotAllowed(router))
  return createCacheFastPath(deps, app.callback())
}

function routed(deps: AppDeps): Router {
  const router = new Router({ strict: true, sensitive: true })
  for (const route of deps.routes) {
    const steps: Middleware[] = [
      named(route),
      authorize(route.scope),
      rateLimit(deps.limits),
      traceRequest(deps.tracing),
      authenticateShopper(deps.commerce, route.needsShopper ?? false),
    ]
    if (route.input.body) steps.push(readBody() as unknown as Middleware)
    steps.push(validateInput(route.input, route.secretInput))
    if (route.idempotent) steps.push(enforceIdempotency(route, deps))
    steps.push(respond(route, deps))
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
