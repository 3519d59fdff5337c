import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type Router from '@koa/router'
import {
  createStaticDocument,
  type StaticDocument,
  sendStaticDocument,
} from '../../../http/responses/static-document.ts'
import { runInSteps } from '../../../lifecycle/run-in-steps.ts'
import { apiRoutes } from '../../api-routes.ts'
import { buildOpenApiDocument } from '../build-openapi-document.ts'
import { buildReferenceDocument } from './reference-document.ts'
import { sendReferencePage } from './reference-page.ts'
import { readScalarScript } from './scalar-script.ts'

type Load = () => Promise<StaticDocument>

const CACHE_BRIEFLY = 'public, max-age=300'
const CACHE_FOR_A_DAY = 'public, max-age=86400'

const loadJson = (build: typeof buildOpenApiDocument): Load =>
  loadOnce(async () => {
    const text = JSON.stringify(await runInSteps(build(apiRoutes)))
    return createStaticDocument(text, { contentType: 'application/json; charset=utf-8', cacheControl: CACHE_BRIEFLY })
  })

const loadFile = (name: string, contentType: string): Load =>
  loadOnce(async () => {
    const bytes = readFileSync(join(import.meta.dirname, 'assets', name))
    return createStaticDocument(bytes, { contentType, cacheControl: CACHE_BRIEFLY })
  })

const loadScript = loadOnce(async () =>
  createStaticDocument(await readScalarScript(), {
    contentType: 'text/javascript; charset=utf-8',
    cacheControl: CACHE_FOR_A_DAY,
  }),
)

/** The documents are equal in all servers of a process, and made for the first client that asks for them: they cost nothing at start. */
const openApiDocument = loadJson(buildOpenApiDocument)
const assets: ReadonlyMap<string, Load> = new Map([
  ['reference.json', loadJson(buildReferenceDocument)],
  ['scalar.js', loadScript],
  ['start.js', loadFile('start.js', 'text/javascript; charset=utf-8')],
  ['reference.css', loadFile('reference.css', 'text/css; charset=utf-8')],
  ['icon.svg', loadFile('../../../../console/assets/icon.svg', 'image/svg+xml')],
])

/** Serves the OpenAPI document, and the API reference that shows it. Nothing of it comes from another host. */
export function registerReference(router: Router): void {
  router.get('/openapi.json', async (ctx) => {
    ctx.state.route = 'openapi'
    return sendStaticDocument(ctx, await openApiDocument())
  })
  router.get(['/docs', '/docs/'], (ctx) => {
    ctx.state.route = 'docs'
    return sendReferencePage(ctx)
  })
  router.get('/docs/:asset', async (ctx, next) => {
    const load = assets.get((ctx.params as { asset: string }).asset)
    if (!load) return next()
    ctx.state.route = 'docs'
    ctx.set('X-Content-Type-Options', 'nosniff')
    return sendStaticDocument(ctx, await load())
  })
}

/** Loads a document for the first caller. A failure is not kept. */
function loadOnce(load: Load): Load {
  let loading: Promise<StaticDocument> | undefined
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  }
}
