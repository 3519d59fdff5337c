import { resolve } from 'node:path'
import type Router from '@koa/router'
import { DEMO_SHOP_ROUTE } from '../../diagnostics/demo-shop-route.ts'
import type { Context } from '../../http/context.ts'
import type { EventStreams } from '../../http/responses/event-streams.ts'
import { createScriptFiles } from '../../http/responses/script-files.ts'
import { type StaticDocument, sendStaticDocument } from '../../http/responses/static-document.ts'
import { registerAccountCalls } from './account-calls.ts'
import { registerProductEvents } from './product-events.ts'
import { createContentSecurityPolicy, createShopPage, type ShopSettings } from './shop-page.ts'

const ASSETS = '/shop/assets/'
const PAGE = /^\/shop(?:\/(?:sign-in|cart|checkout|account|(?:products|orders|invoices)\/[^/]+))?$/

/** Registers the demo's shop. Requests wait for its settings: the addresses are known once the server listens. */
export function registerShop(router: Router, settings: Promise<ShopSettings>, streams: EventStreams): void {
  const files = createScriptFiles({
    root: resolve(import.meta.dirname, '../..'),
    // The pages, and the client that they import by relative paths.
    folders: ['shop/pages', 'client', 'client/generated'],
    package: {
      name: 'lit-html',
      files: ['lit-html.js', 'directive.js', 'directive-helpers.js', 'directives/repeat.js'],
    },
    urlPath: ASSETS,
  })
  // The npm package has compiled files.
  const main = ['ts', 'js'].map((extension) => `shop/pages/main.${extension}`).find(files.has)!
  const page = settings.then((known) => createShopPage(known, main))
  const policy = settings.then(createContentSecurityPolicy)
  registerAccountCalls(router, settings)
  registerProductEvents(router, settings, streams)

  // Somebody who opens the address of the demo looks for its shop.
  router.get('/', (ctx) => ctx.redirect('/shop'))

  router.get(`${ASSETS}*path`, (ctx, next) => {
    const document = files.find(ctx.path.slice(ASSETS.length))
    return document ? send(ctx, document) : next()
  })
  // The page reads the path, so each path that a browser opens has it. It also says that there is no such page.
  router.get(['/shop', '/shop/', '/shop/*path'], async (ctx) => {
    if (ctx.path === '/shop/') return ctx.redirect(`/shop${ctx.search}`)
    ctx.set('Content-Security-Policy', await policy)
    ctx.set('Referrer-Policy', 'no-referrer')
    ctx.set('Cross-Origin-Opener-Policy', 'same-origin')
    await send(ctx, await page)
    if (ctx.status === 200 && !PAGE.test(ctx.path)) ctx.status = 404
  })
}

function send(ctx: Pick<Context, 'status' | 'body' | 'set' | 'vary' | 'req' | 'state'>, document: StaticDocument) {
  ctx.state.route = DEMO_SHOP_ROUTE
  ctx.set({ 'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': 'same-origin' })
  return sendStaticDocument(ctx, document)
}
