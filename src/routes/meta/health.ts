import type Router from '@koa/router'
import { sendJson } from '../../http/responses/send-response.ts'
import { createHealthCheck } from '../../operations/health-check.ts'
import { type Readiness, toReadinessReport } from '../../operations/readiness.ts'
import type { Database } from '../../storage/database.ts'
import type { StoreMonitor } from '../../storage/store-monitor.ts'
import type { UpstreamRegistry } from '../../upstream/upstream-registry.ts'

export interface HealthDeps {
  db: Database
  store: Pick<StoreMonitor, 'outage'>
  upstreams: UpstreamRegistry
  readiness: Readiness
  now: () => number
}

/** Serves `/health` for people and monitoring, and the probes `/livez` and `/readyz` for an orchestrator. */
export function registerHealth(router: Router, { db, store, upstreams, readiness, now }: HealthDeps): void {
  const checkHealth = createHealthCheck({ db, store, upstreams, now })
  router.get('/health', async (ctx) => {
    ctx.state.route = 'health'
    const report = await checkHealth()
    sendJson(ctx, report.status === 'down' ? 503 : 200, report)
  })
  router.get('/livez', (ctx) => {
    ctx.state.route = 'livez'
    sendJson(ctx, 200, { status: 'ok' })
  })
  router.get('/readyz', (ctx) => {
    ctx.state.route = 'readyz'
    const { state } = readiness
    sendJson(ctx, state === 'ready' ? 200 : 503, toReadinessReport(state, store))
  })
}
