import type { RequestListener } from 'node:http'
import type Router from '@koa/router'
import Koa from 'koa'
import type { Logger } from 'pino'
import type { ApiKeyCache } from './http/access/api-key-cache.ts'
import { authenticate } from './http/access/authenticate.ts'
import { authenticateShopper } from './http/access/authenticate-shopper.ts'
import { authorize } from './http/access/authorize.ts'
import type { ClientAddresses } from './http/access/client-addresses.ts'
import { toBodyLimitKib } from './http/body/body-limit-from-schema.ts'
import { readBody } from './http/body/read-body.ts'
import type { Middleware, RequestState } from './http/context.ts'
import { createRouteDispatcher } from './http/dispatch-routes.ts'
import { enforceIdempotency } from './http/idempotency/enforce-idempotency.ts'
import type { IdempotencyClaims } from './http/idempotency/idempotency-claims.ts'
import { initContext } from './http/init-context.ts'
import { enforceRateLimit } from './http/limits/enforce-rate-limit.ts'
import { observeRequests, type RequestObserver } from './http/observe-requests.ts'
import { createCacheFastPath } from './http/responses/cache-fast-path.ts'
import { cors } from './http/responses/cors.ts'
import { handleErrors } from './http/responses/handle-errors.ts'
import { methodNotAllowed } from './http/responses/method-not-allowed.ts'
import { type RespondDeps, respondFromCacheOrHandler } from './http/responses/respond-from-cache-or-handler.ts'
import { rejectUnknownRoute } from './http/responses/unknown-route.ts'
import type { Route } from './http/route.ts'
import { traceRequest } from './http/trace-request.ts'
import { validateInput } from './http/validation/validate-input.ts'
import type { Mode } from './tenant.ts'
import type { Tracing } from './tracing/tracing.ts'

export interface AppDeps extends RespondDeps {
  claims: IdempotencyClaims
  keys: ApiKeyCache
  clients: ClientAddresses
  /** The mode of responses to requests without a key. */
  keylessMode: Mode
  logger: Logger
  observe: RequestObserver
  /** Without it, no spans are recorded. */
  tracing?: Tracing | undefined
  routes: readonly Route[]
  /** The routes that need no key: health, the OpenAPI document, the API reference, pictures, change hints. */
  publicRouter: Router
}

/** The whole API, top to bottom as a request passes it. */
export function createApp(deps: AppDeps): RequestListener {
  const app = new Koa<RequestState>()
  const router = createRouteDispatcher(
    deps.routes.map((route) => ({ ...route, middlewares: listMiddlewares(route, deps) })),
  )
  app.silent = true
  app.use(initContext(deps.clients, deps.keylessMode))
  app.use(observeRequests(deps.observe, deps.tracing))
  app.use(cors())
  app.use(handleErrors(deps.logger))
  app.use(exceptForApi(deps.publicRouter.routes() as unknown as Middleware))
  app.use(exceptForApi(methodNotAllowed(deps.publicRouter)))
  app.use(onlyForApi(authenticate(deps.keys)))
  app.use(router.dispatch)
  app.use(onlyWithKey(enforceRateLimit(deps.limits)))
  app.use(methodNotAllowed(router))
  app.use(rejectUnknownRoute([router, deps.publicRouter]))
  return createCacheFastPath(deps, app.callback())
}

/** The middlewares of one route, top to bottom as a request passes them. */
function listMiddlewares(route: Route, deps: AppDeps): Middleware[] {
  const middlewares: Middleware[] = [
    setRoute(route),
    authorize(route.scope),
    enforceRateLimit(deps.limits),
    traceRequest(deps.tracing),
    authenticateShopper(deps.commerce, route.needsShopper ?? false),
  ]
  const { body } = route.input
  if (body) middlewares.push(readBody({ limit: toBodyLimitKib(body) * 1_024 }) as unknown as Middleware)
  middlewares.push(validateInput(route.input, route.hasSecretInput))
  if (route.idempotent) middlewares.push(enforceIdempotency(route, deps))
  middlewares.push(respondFromCacheOrHandler(route, deps))
  return middlewares
}

/** Names the route for the access log and the metrics, whether or not a later middleware rejects the request. */
function setRoute({ operationId }: Route): Middleware {
  return (ctx, next) => {
    ctx.state.route = operationId
    return next()
  }
}

/** Requests that match no route count against the key's rate limit too. */
function onlyWithKey(middleware: Middleware): Middleware {
  return (ctx, next) => (ctx.state.key ? middleware(ctx, next) : next())
}

const isApiPath = (path: string) => path.startsWith('/v1/')

/** No public route is below /v1/. */
function exceptForApi(middleware: Middleware): Middleware {
  return (ctx, next) => (isApiPath(ctx.path) ? next() : middleware(ctx, next))
}

/** Every path below /v1/ requires a key. A browser sends OPTIONS without one. */
function onlyForApi(middleware: Middleware): Middleware {
  return (ctx, next) => (isApiPath(ctx.path) && ctx.method !== 'OPTIONS' ? middleware(ctx, next) : next())
}
