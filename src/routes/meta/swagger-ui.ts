import { createReadStream } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type Router from '@koa/router'

const assets = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
const assetTypes: Readonly<Record<string, string>> = {
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

/** Serves the API reference. All assets come from this process, and the policy allows no inline script or style. */
export function registerSwaggerUi(router: Router): void {
  router.get(['/docs', '/docs/'], (ctx) => {
    ctx.state.route = 'docs'
    ctx.set('Content-Security-Policy', CONTENT_SECURITY_POLICY)
    ctx.set('X-Content-Type-Options', 'nosniff')
    ctx.set('Referrer-Policy', 'no-referrer')
    ctx.type = 'html'
    ctx.body = page
  })
  router.get('/docs/start.js', (ctx) => {
    ctx.state.route = 'docs'
    ctx.type = 'text/javascript'
    ctx.body = startScript
  })
  router.get('/docs/:asset', (ctx, next) => {
    const { asset } = ctx.params as { asset: string }
    const type = Object.hasOwn(assetTypes, asset) ? assetTypes[asset] : undefined
    if (!type) return next()
    ctx.state.route = 'docs'
    ctx.set('Content-Type', type)
    ctx.set('Cache-Control', 'public, max-age=86400')
    ctx.set('X-Content-Type-Options', 'nosniff')
    ctx.body = createReadStream(join(assets, asset))
    return undefined
  })
}
