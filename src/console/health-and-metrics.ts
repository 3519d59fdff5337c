import { type Readiness, toReadinessReport } from '../operations/readiness.ts'
import type { StoreMonitor } from '../storage/store-monitor.ts'
import type { ConsoleMiddleware } from './console-context.ts'

/** Serves `/livez`, `/readyz` and, where configured, `/metrics`. None of them needs a session. */
export function serveHealthAndMetrics(
  readiness: Readiness,
  store: Pick<StoreMonitor, 'outage'>,
  metrics: (() => Promise<string>) | null,
): ConsoleMiddleware {
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    if (ctx.path === '/livez') ctx.body = { status: 'ok' }
    else if (ctx.path === '/readyz') {
      const { state } = readiness
      ctx.status = state === 'ready' ? 200 : 503
      ctx.body = toReadinessReport(state, store)
    } else if (ctx.path === '/metrics' && metrics) {
      ctx.set('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
      ctx.body = await metrics()
    } else return next()
    return undefined
  }
}
