import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type Router from '@koa/router'
import { createStaticDocument, type StaticDocument, sendStaticDocument } from '../../http/responses/static-document.ts'

const folder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
const mediaTypes: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Forecourt API reference</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`
const startScript = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, defaultModelsExpandDepth: 0, tryItOutEnabled: true, validatorUrl: null })\n`

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const CACHE_BRIEFLY = 'public, max-age=300'

/** Serves the API reference. All assets come from this process, and the policy allows no inline script or style. */
export function registerSwaggerUi(router: Router): void {
  const document = createStaticDocument(page, { contentType: 'text/html; charset=utf-8', cacheControl: CACHE_BRIEFLY })
  const assets = loadSwaggerAssets()
  router.get(['/docs', '/docs/'], (ctx) => {
    ctx.state.route = 'docs'
    ctx.set('Content-Security-Policy', CONTENT_SECURITY_POLICY)
    ctx.set('X-Content-Type-Options', 'nosniff')
    ctx.set('Referrer-Policy', 'no-referrer')
    return sendStaticDocument(ctx, document)
  })
  router.get('/docs/:asset', (ctx, next) => {
    const asset = assets.get((ctx.params as { asset: string }).asset)
    if (!asset) return next()
    ctx.state.route = 'docs'
    ctx.set('X-Content-Type-Options', 'nosniff')
    return sendStaticDocument(ctx, asset)
  })
}

/** Reads the assets into memory. A stream from the file for each request would let unread responses hold file descriptors. */
function loadSwaggerAssets(): Map<string, StaticDocument> {
  const files = Object.entries(mediaTypes).map(([name, contentType]) => {
    const headers = { contentType, cacheControl: 'public, max-age=86400' }
    return [name, createStaticDocument(readFileSync(join(folder, name)), headers)] as const
  })
  const script = { contentType: 'text/javascript; charset=utf-8', cacheControl: CACHE_BRIEFLY }
  return new Map([...files, ['start.js', createStaticDocument(startScript, script)]])
}
