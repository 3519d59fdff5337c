import Router from '@koa/router'
import { createStaticDocument, type StaticDocument, sendStaticDocument } from '../http/responses/static-document.ts'
import { apiRoutes } from './api-routes.ts'
import { type PictureRouteDeps, registerPictures } from './catalog/pictures.ts'
import { type HealthDeps, registerHealth } from './meta/health.ts'
import { createOpenApiDocument } from './meta/openapi.ts'
import { registerSwaggerUi } from './meta/swagger-ui.ts'
import { registerChangeHints } from './webhooks/change-hints.ts'

interface PublicRouteDeps extends Omit<PictureRouteDeps, 'upstreams'>, HealthDeps {}

/** The routes that need no API key. */
export function createPublicRouter(deps: PublicRouteDeps): Router {
  const router = new Router({ strict: true, sensitive: true })
  registerHealth(router, deps)
  registerOpenApi(router)
  registerSwaggerUi(router)
  registerChangeHints(router, deps)
  registerPictures(router, deps)
  return router
}

/** The document is created for the first client that asks for it, so that it costs nothing at start. */
function registerOpenApi(router: Router): void {
  let document: StaticDocument | undefined
  router.get('/openapi.json', (ctx) => {
    ctx.state.route = 'openapi'
    document ??= createStaticDocument(JSON.stringify(createOpenApiDocument(apiRoutes)), {
      contentType: 'application/json; charset=utf-8',
      cacheControl: 'public, max-age=300',
    })
    return sendStaticDocument(ctx, document)
  })
}
