import Router from '@koa/router'
import { registerChangeHints } from './back-office/change-hints.ts'
import { type PictureRouteDeps, registerPictures } from './catalog/pictures.ts'
import { type HealthDeps, registerHealth } from './meta/health.ts'
import { registerReference } from './meta/reference/reference.ts'

interface PublicRouteDeps extends Omit<PictureRouteDeps, 'upstreams'>, HealthDeps {}

/** The routes that need no API key. */
export function createUnauthenticatedRouter(deps: PublicRouteDeps): Router {
  const router = new Router({ strict: true, sensitive: true })
  registerHealth(router, deps)
  registerReference(router)
  registerChangeHints(router, deps)
  registerPictures(router, deps)
  return router
}
