import type { SandboxSystem } from '../protocol/operation-handlers.ts'
import type { Operation } from '../protocol/schema-types.ts'
import { upstreamProtocol } from '../protocol/upstream-protocol.ts'
import { HttpError } from './http-error.ts'
import { compileValidators, type OperationValidators } from './request-validation.ts'

export interface OperationRoute {
  operation: string
  method: string
  segments: string[]
  checks: OperationValidators
  file: boolean
}

export interface RouteMatch {
  route: OperationRoute
  params: Record<string, string>
}

export function createRoutes(system: SandboxSystem): OperationRoute[] {
  const checks = compileValidators(system)
  return Object.entries(upstreamProtocol[system] as Record<string, Operation>).map(
    ([operation, { method, path, file }]) => ({
      operation,
      method,
      segments: path.slice(1).split('/'),
      checks: checks[operation]!,
      file: file ?? false,
    }),
  )
}

/** The operation that a method and path (below the account) name. */
export function matchRoute(routes: readonly OperationRoute[], method: string, segments: readonly string[]): RouteMatch {
  const there = routes.flatMap((route) => {
    const params = paramsOf(route.segments, segments)
    return params ? [{ route, params }] : []
  })
  if (there.length === 0) throw new HttpError(404, 'not_found', 'there is no such path')
  const found = there.find(({ route }) => route.method === method)
  if (!found)
    throw new HttpError(
      405,
      'method_not_allowed',
      `this path answers ${there.map(({ route }) => route.method).join(', ')}`,
    )
  return found
}

function paramsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, part] of pattern.entries()) {
    if (part.startsWith('{')) params[part.slice(1, -1)] = segments[i]!
    else if (part !== segments[i]) return undefined
  }
  return params
}
