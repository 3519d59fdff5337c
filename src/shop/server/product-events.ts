import type Router from '@koa/router'
import { verifyWebhook } from '../../client/webhooks.ts'
import { DEMO_SHOP_ROUTE } from '../../diagnostics/demo-shop-route.ts'
import { Problem } from '../../errors.ts'
import { readRawBody } from '../../http/body/read-body.ts'
import type { EventStreams } from '../../http/responses/event-streams.ts'
import type { ShopSettings } from './shop-page.ts'

/** Where Forecourt posts events to, signed. The shop is subscribed to these types. */
export const shopWebhook = { path: '/shop/hooks', eventTypes: ['stock.changed', 'product.updated'] }
const MAX_BODY_BYTES = 64 * 1_024

/** Tells the pages that are open which product has changed, never how: they read it again, at the prices of their shopper. A repeated event does no harm. */
export function registerProductEvents(router: Router, settings: Promise<ShopSettings>, streams: EventStreams): void {
  router.post(shopWebhook.path, async (ctx) => {
    ctx.state.route = DEMO_SHOP_ROUTE
    const body = await readRawBody(ctx, MAX_BODY_BYTES)
    const secret = (await settings).webhookSecret
    const event = await verifyWebhook(body ?? '', ctx.headers, { secret }).catch(() => null)
    if (!event) throw new Problem('invalid_signature')
    if ('sku' in event.data) streams.send({ type: event.type, sku: event.data.sku })
    ctx.status = 204
  })

  router.get('/shop/events', (ctx) => {
    ctx.state.route = DEMO_SHOP_ROUTE
    ctx.remove('Access-Control-Allow-Origin')
    streams.open(ctx)
  })
}
