import { type Checks, checksOf } from './request-validation.ts'
import type { System } from '../protocol/operation-handlers.ts'
import { protocol } from '../protocol/upstream-protocol.ts'
import type { Operation } from '../protocol/schema-types.ts'
import { Refusal } from './http-error.ts'

export interface Route {
  operation: string
  method: string
  segments: string[]
  checks: Checks
  file: boolean
}

export interface Match {
  route: Route
  params: Record<string, string>
}

export function routesOf(system: System): Route[] {
  const checks = checksOf(system)
  return Object.entries(protocol[system] as Record<string, Operation>).map(([operation, { method, path, file }]) => ({
    operation,
    method,
    segments: path.slice(1).split('/'),
    checks: checks[operation]!,
    file: file ?? false,
  }))
}

/** The operation that a method and path (below the account) name. */
export function match(routes: readonly Route[], method: string, segments: readonly string[]): Match {
  const there = routes.flatMap((route) => {
    const params = paramsOf(route.segments, segments)
    return params ? [{ route, params }] : []
  })
  if (there.length === 0) throw new Refusal(404, 'not_found', 'there is no such path')
  const found = there.find(({ route }) => route.method === method)
  if (!found)
    throw new Refusal(
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
