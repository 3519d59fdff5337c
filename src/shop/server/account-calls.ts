import type Router from '@koa/router'
import { createForecourt, createShopperGateway, type Session } from '../../client/server.ts'
import { DEMO_SHOP_ROUTE } from '../../diagnostics/demo-shop-route.ts'
import { createCookieSessions } from '../../http/access/cookie-sessions.ts'
import { readRawBody } from '../../http/body/read-body.ts'
import { sendResponse } from '../../http/responses/send-response.ts'
import type { ShopSettings } from './shop-page.ts'

const MAX_BODY_BYTES = 64 * 1_024

/** Registers `POST /shop/account/<operation>`: the shop's server, which calls Forecourt with the secret key. The browser has neither this key nor the shopper's tokens, but a cookie that scripts cannot read. */
export function registerAccountCalls(router: Router, settings: Promise<ShopSettings>): void {
  const sessions = createCookieSessions<Session>({ cookie: 'forecourt_shop', path: '/shop' })
  const gateway = settings.then(({ address, secretKey }) =>
    createShopperGateway(createForecourt({ url: address, key: secretKey })),
  )

  router.post('/shop/account/:operation', async (ctx) => {
    ctx.state.route = DEMO_SHOP_ROUTE
    // These responses are for the shop's own pages, unlike those of the API.
    ctx.remove('Access-Control-Allow-Origin')
    const body = await readRawBody(ctx, MAX_BODY_BYTES)
    const headers = new Headers(ctx.headers as Record<string, string>)
    const call = await gateway
    const id = sessions.idOf(ctx)
    const response = await call(new Request('http://shop.invalid', { method: 'POST', headers, body }), {
      operation: String(ctx.params.operation),
      session: sessions.find(ctx),
      onSignIn: (session) => sessions.open(ctx, session),
      onSession: (session) => sessions.replace(id, session),
      // Support finds the call by the id of the request, which the page has too.
      headers: {
        'x-request-id': ctx.state.requestId,
        'x-storefront-client-ip': ctx.state.clientAddress,
        ...(ctx.get('x-sandbox-fault') && { 'x-sandbox-fault': ctx.get('x-sandbox-fault') }),
      },
    })
    const content = Buffer.from(await response.arrayBuffer())
    sendResponse(ctx, { status: response.status, headers: Object.fromEntries(response.headers), body: content })
  })
}
