import type { Context, Middleware } from './context.ts'

/** A path, such as `/v1/products/:sku`, and its methods. */
export interface RoutePath {
  path: string | RegExp
  methods: readonly string[]
}

/** The paths of a router, from which the responses to unknown paths and methods are made. */
export interface RoutePaths {
  readonly stack: readonly RoutePath[]
  match(path: string, method: string): { path: readonly RoutePath[] }
}

export interface DispatchedRoute {
  method: string
  /** Case-sensitive. A trailing slash makes another path. */
  path: string
  middlewares: readonly Middleware[]
}

export interface RouteDispatcher extends RoutePaths {
  /** Runs the middlewares of the first route with the path and the method of a request. */
  dispatch: Middleware
}

interface PreparedRoute extends RoutePath {
  method: string
  /** The path up to its first parameter. */
  prefix: string
  expression: RegExp
  names: readonly string[]
  run: Middleware
}

/** Prepares the routes once. @koa/router tests the expressions of all routes, and composes the middlewares, for each request. */
export function createRouteDispatcher(routes: readonly DispatchedRoute[]): RouteDispatcher {
  const stack = routes.map(prepareRoute)
  return {
    stack,
    match: (path) => ({ path: stack.filter(({ expression }) => expression.test(path)) }),
    dispatch(ctx, next) {
      const { path } = ctx
      const method = ctx.method === 'HEAD' ? 'GET' : ctx.method
      for (const route of stack) {
        const found = route.method === method && path.startsWith(route.prefix) ? route.expression.exec(path) : null
        if (!found) continue
        ;(ctx as Context & { params: object }).params = readParams(route, found)
        return route.run(ctx, next)
      }
      return next()
    },
  }
}

const PARAMETER = ':'

function prepareRoute({ method, path, middlewares }: DispatchedRoute): PreparedRoute {
  const segments = path.split('/')
  const expressions = segments.map((one) => (one.startsWith(PARAMETER) ? '([^/]+)' : RegExp.escape(one)))
  return {
    path,
    method,
    methods: method === 'GET' ? ['HEAD', 'GET'] : [method],
    prefix: path.split(PARAMETER, 1)[0]!,
    expression: new RegExp(`^${expressions.join('/')}$`),
    names: segments.filter((one) => one.startsWith(PARAMETER)).map((one) => one.slice(PARAMETER.length)),
    run: joinMiddlewares(middlewares),
  }
}

/** Each middleware gets a function that runs the next one. */
const joinMiddlewares = (middlewares: readonly Middleware[]): Middleware =>
  middlewares.reduceRight<Middleware>(
    (later, middleware) => (ctx, next) => middleware(ctx, () => later(ctx, next) as Promise<unknown>),
    (_, next) => next(),
  )

function readParams({ names }: PreparedRoute, found: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [at, name] of names.entries()) params[name] = decode(found[at + 1]!)
  return params
}

/** Decodes a parameter. An invalid percent-encoding is returned unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
