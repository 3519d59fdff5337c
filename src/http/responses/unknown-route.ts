import { Problem } from '../../errors.ts'
import type { Middleware } from '../context.ts'
import type { RoutePaths } from '../dispatch-routes.ts'
import { createRouteSuggestion } from './route-suggestion.ts'

/** The last middleware: responds with 404 to a path that no route has, and names the route that was probably meant. */
export function rejectUnknownRoute(routers: readonly RoutePaths[]): Middleware {
  const routes = routers
    .flatMap(({ stack }) => stack)
    .map(({ path, methods }) => ({ path: String(path), methods: methods.filter((method) => method !== 'HEAD') }))
  const suggest = createRouteSuggestion(routes.filter((route) => route.methods.length > 0 && !isFile(route)))
  return (ctx) => {
    throw new Problem('not_found', describe(suggest(ctx.method, ctx.path), ctx.path))
  }
}

/** Outside the API, paths with a parameter serve files or are for a back office, so they are not suggested. */
const isFile = ({ path }: { path: string }) => !path.startsWith('/v1/') && /[:*]/.test(path)

function describe(suggestion: string | null, path: string): string {
  if (!suggestion) return 'There is no such route. See /docs for all routes; those of the API begin with /v1/.'
  if (/^\/+v\d+\/.*\/\//.test(path))
    return 'There is no such route. The path has two slashes in a row: is the variable between them empty?'
  const slash = path.endsWith('/') ? ' Leave out the slash at the end.' : ''
  return `There is no such route. ${suggestion}${slash}`
}
