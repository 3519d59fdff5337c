import { Problem } from '../../errors.ts'
import type { Middleware } from '../context.ts'
import { createScopeProblem } from './scope-problem.ts'

const PUBLISHABLE_SCOPES: ReadonlySet<string | null> = new Set([null, 'storefront:catalog', 'storefront:auth'])

/** Returns whether a publishable key may call a route. `scope`: of the route, `null` for one that any key may call. */
export const allowsPublishableKey = (scope: string | null): boolean => PUBLISHABLE_SCOPES.has(scope)

/** Checks that the key's kind and scopes allow the route. `scope`: of the route, `null` for one that any key may call. */
export function authorize(scope: string | null): Middleware {
  const allowsPublishable = allowsPublishableKey(scope)
  return (ctx, next) => {
    const { record, scopes } = ctx.state.key!
    if (record.kind === 'publishable' && !allowsPublishable) throw new Problem('publishable_key_not_allowed')
    if (scope !== null && !scopes.has(scope)) throw createScopeProblem(scope)
    return next()
  }
}
