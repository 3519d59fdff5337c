import type { Operation } from '../protocol/operation.ts'
import type { SandboxSystem } from '../protocol/upstream-protocol.ts'
import { upstreamProtocol } from '../protocol/upstream-protocol.ts'
import { HttpError } from './http-error.ts'
import { createValidators, type OperationValidators } from './request-validation.ts'

export interface OperationRoute {
  operation: string
  method: string
  segments: string[]
  validators: OperationValidators
  isFile: boolean
}

export interface RouteMatch {
  route: OperationRoute
  params: Record<string, string>
}

export function createRoutes(system: SandboxSystem): OperationRoute[] {
  const validators = createValidators(system)
  return Object.entries(upstreamProtocol[system] as Record<string, Operation>).map(
    ([operation, { method, path, file }]) => ({
      operation,
      method,
      segments: path.slice(1).split('/'),
      validators: validators[operation]!,
      isFile: file !== undefined,
    }),
  )
}

/** Finds the operation for a method and a path below the account. Throws HttpError when there is none. */
export function matchRoute(routes: readonly OperationRoute[], method: string, segments: readonly string[]): RouteMatch {
  const matches = routes.flatMap((route) => {
    const params = paramsOf(route.segments, segments)
    return params ? [{ route, params }] : []
  })
  if (matches.length === 0) throw new HttpError(404, 'not_offered', 'this system does not have the operation')
  const match = matches.find(({ route }) => route.method === method)
  if (!match)
    throw new HttpError(
      405,
      'method_not_allowed',
      `this path accepts only ${matches.map(({ route }) => route.method).join(', ')}`,
    )
  return match
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
