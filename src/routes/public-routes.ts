import Router from '@koa/router'
import { createHealth } from '../operations/health-check.ts'
import type { Readiness } from '../operations/readiness.ts'
import type { Database } from '../storage/database.ts'
import type { Offices } from '../upstream/upstream-registry.ts'
import { docs } from './meta/swagger-ui.ts'
import { hooks } from './webhooks/change-hints.ts'
import { type MediaParts, media } from './catalog/pictures.ts'
import { openApi } from './meta/openapi.ts'
import { routes } from './api-routes.ts'

interface OpenParts extends MediaParts {
  db: Database
  offices: Offices
  readiness: Readiness
  now: () => number
}

/** The pages that need no key: health and the probes, the OpenAPI document and the reference made from it, pictures; and hints. */
export function openPages(deps: OpenParts): Router {
  const router = new Router({ strict: true, sensitive: true })
  const health = createHealth(deps.db, deps.offices, deps.now)
  const document = JSON.stringify(openApi(routes))

  router.get('/health', async (ctx) => {
    const report = await health()
    ctx.state.route = 'health'
    ctx.status = report.status === 'down' ? 503 : 200
    ctx.set('Cache-Control', 'no-store')
    ctx.body = report
  })
  router.get('/livez', (ctx) => {
    ctx.state.route = 'livez'
    ctx.set('Cache-Control', 'no-store')
    ctx.body = { status: 'ok' }
  })
  router.get('/readyz', (ctx) => {
    const { state } = deps.readiness
    ctx.state.route = 'readyz'
    ctx.status = state === 'ready' ? 200 : 503
    ctx.set('Cache-Control', 'no-store')
    ctx.body = { status: state }
  })
  router.get('/openapi.json', (ctx) => {
    ctx.state.route = 'openapi'
    ctx.set('Cache-Control', 'public, max-age=300')
    ctx.type = 'application/json'
    ctx.body = document
  })
  docs(router)
  hooks(router, { ...deps, now: deps.now ?? Date.now })
  media(router, deps)
  return router
}
