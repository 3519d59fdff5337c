import type Router from '@koa/router'
import { Problem } from '../errors.ts'
import type { Middleware } from './context.ts'

/** 405 with Allow, for a path that some other method answers. */
export function methodNotAllowed(router: Router): Middleware {
  return (ctx, next) => {
    const methods = new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods))
    if (methods.size === 0 || methods.has(ctx.method)) return next()
    const allow = [...methods, 'OPTIONS'].sort().join(', ')
    if (ctx.method !== 'OPTIONS') throw new Problem('method_not_allowed', undefined, { headers: { Allow: allow } })
    ctx.set('Allow', allow)
    ctx.status = 204
    return undefined
  }
}
