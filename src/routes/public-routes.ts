import Router from '@koa/router'
import { createHealthCheck } from '../operations/health-check.ts'
import type { Readiness } from '../operations/readiness.ts'
import type { Database } from '../storage/database.ts'
import type { UpstreamRegistry } from '../upstream/upstream-registry.ts'
import { apiRoutes } from './api-routes.ts'
import { type PictureRouteDeps, registerPictures } from './catalog/pictures.ts'
import { createOpenApiDocument } from './meta/openapi.ts'
import { registerSwaggerUi } from './meta/swagger-ui.ts'
import { registerChangeHints } from './webhooks/change-hints.ts'

interface OpenParts extends PictureRouteDeps {
  db: Database
  upstreams: UpstreamRegistry
  readiness: Readiness
  now: () => number
}

/** The pages that need no key: health and the probes, the OpenAPI document and the reference made from it, pictures; and hints. */
export function createPublicRouter(deps: OpenParts): Router {
  const router = new Router({ strict: true, sensitive: true })
  const health = createHealthCheck(deps.db, deps.upstreams, deps.now)
  const document = JSON.stringify(createOpenApiDocument(apiRoutes))

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
  registerSwaggerUi(router)
  registerChangeHints(router, { ...deps, now: deps.now ?? Date.now })
  registerPictures(router, deps)
  return router
}
