import { expect } from 'chai'
import { createForecourt as createBrowserClient, createShopperCalls } from '../../src/client/browser.ts'
import {
  createForecourt,
  createShopperGateway,
  ForecourtError,
  type Session,
  type ShopperRequest,
} from '../../src/client/server.ts'
import { problem, respond, respondEmpty, type ScriptedResponse, startScriptedServer } from './scripted-server.ts'

const first = { shopper_token: 'shopper-1', refresh_token: 'refresh-1' } as Session
const second = { shopper_token: 'shopper-2', refresh_token: 'refresh-2' } as Session
const json = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }

/** A page, the server of its shop, and Forecourt, which gives these responses. */
async function open(session: Session | undefined, ...script: ScriptedResponse[]) {
  const server = await startScriptedServer(...script)
  const gateway = createShopperGateway(createForecourt({ url: server.url, key: 'svc_test_sec_x' }))
  const opened: Session[] = []
  const replaced: (Session | null)[] = []
  const ask = (operation: string, request: RequestInit, more: Partial<ShopperRequest> = {}) =>
    gateway(new Request('http://shop.example/account', { method: 'POST', ...request }), {
      operation,
      session,
      onSignIn: (next) => void opened.push(next),
      onSession: (next) => void replaced.push(next),
      headers: { 'x-storefront-client-ip': '203.0.113.7' },
      ...more,
    })
  const sent: string[] = []
  const shopper = createShopperCalls({
    url: 'http://shop.example/account',
    maxRetries: 0,
    fetch: (input, init = {}) => {
      const headers = new Headers(init.headers)
      sent.push(`${init.method} ${input} ${[...headers.keys()].filter((name) => name !== 'idempotency-key')}`)
      return ask(String(input).split('/').at(-1)!, { headers, body: init.body as string })
    },
  })
  return { server, shopper, ask, sent, opened, replaced, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

async function errorOf(promise: Promise<unknown>): Promise<ForecourtError> {
  const error = await promise.then(
    () => new Error('it succeeded'),
    (error: unknown) => error,
  )
  if (!(error instanceof ForecourtError)) throw error
  return error
}

describe('the gateway for the pages of a shopper', () => {
  it('calls Forecourt with the secret key and the token of the shopper, which the page does not have', async () => {
    await using shop = await open(first, respond(200, { cart_id: 'cart_1', version: 2, errors: [] }))
    const body = { sku: 'BP-1001', quantity: 1 }
    const options = { ifMatch: 1, idempotencyKey: 'mine' }
    expect(await shop.shopper.addCartLine({ cart_id: 'cart_1', body }, options)).to.deep.include({ version: 2 })
    expect(shop.sent).to.deep.equal(['POST http://shop.example/account/addCartLine content-type,if-match'])
    const [{ method, path, headers } = { method: '', path: '', headers: {} }] = shop.server.seen
    expect([method, path]).to.deep.equal(['POST', '/v1/carts/cart_1/lines'])
    expect(headers).to.include({
      authorization: 'Bearer svc_test_sec_x',
      'x-storefront-shopper-token': 'shopper-1',
      'x-storefront-client-ip': '203.0.113.7',
      'idempotency-key': 'mine',
      'if-match': '"1"',
    })
  })

  it('keeps the session of a sign-in, a refresh and a sign-out on the server', async () => {
    await using visitor = await open(undefined, respond(200, first))
    const signedIn = await visitor.shopper.logInShopper({ body: { email: 'a@b.example', password: 'secret' } })
    expect(signedIn).to.deep.equal({ status: 'SIGNED_IN' })
    expect([visitor.opened, visitor.replaced]).to.deep.equal([[first], []])

    const expired = respond(401, problem(401, 'invalid_shopper_token'))
    await using shop = await open(first, expired, respond(200, second), respond(200, { email: 'a@b.example' }))
    expect(await shop.shopper.getMe()).to.deep.equal({ email: 'a@b.example' })
    expect([shop.opened, shop.replaced]).to.deep.equal([[], [second]])

    await using leaving = await open(first, respondEmpty)
    await leaving.shopper.logOutShopper()
    expect(leaving.replaced).to.deep.equal([null])
    expect(leaving.server.seen.map(({ path }) => path)).to.deep.equal(['/v1/shoppers/logout'])
  })

  it('passes on problems, mistakes and files', async () => {
    await using refused = await open(first, respond(429, problem(429, 'rate_limited'), { 'retry-after': '7' }))
    const expected = { status: 429, code: 'rate_limited', requestId: 'req-1', retryAfterMs: 7_000 }
    expect(await errorOf(refused.shopper.getMe())).to.include(expected)
    const cart = { cart_id: 'cart_1', totals: { total: { amount: '12.00', currency: 'JMD' } } }
    await using risen = await open(first, respond(409, { ...problem(409, 'price_changed'), cart }))
    const checkout = risen.shopper.checkout({ body: { cart_id: 'cart_1' } })
    expect((await errorOf(checkout)).cart, 'the cart at its new total').to.deep.equal(cart)
    const mistakes = [{ type: 'missing', loc: ['body', 'code'], msg: 'Field required' }]
    await using wrong = await open(first, respond(422, { detail: mistakes }))
    expect((await errorOf(wrong.shopper.getMe())).mistakes).to.deep.equal(mistakes)
    await using file = await open(first, (response) =>
      response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF'),
    )
    const document = await file.shopper.getInvoiceDocument({ invoice_id: 'in_1' })
    expect([document.type, await document.text()]).to.deep.equal(['application/pdf', '%PDF'])
  })

  it('passes on the order that a cart became, and the hint of an error', async () => {
    const converted = { ...problem(409, 'cart_converted'), order_id: 'ord_1' }
    await using shop = await open(first, respond(409, converted, { 'forecourt-hint': 'Did you mean "quantity"?' }))
    expect(await errorOf(shop.shopper.checkout({ body: { cart_id: 'cart_1' } }))).to.include({
      code: 'cart_converted',
      orderId: 'ord_1',
      hint: 'Did you mean "quantity"?',
    })
    const shipped = { ...problem(409, 'order_not_cancellable'), current_status: 'SHIPPED' }
    await using late = await open(first, respond(409, shipped))
    const cancel = late.shopper.cancelOrder({ order_id: 'ord_1', body: {} })
    expect(await errorOf(cancel)).to.include({ currentStatus: 'SHIPPED', until: null })
    const closed = { ...problem(503, 'maintenance'), until: '2026-12-01T06:00:00.000Z' }
    await using resting = await open(first, respond(503, closed))
    expect(await errorOf(resting.shopper.getMe())).to.include({ currentStatus: null, until: closed.until })
  })

  it('does not say that the shopper is signed out when something before Forecourt refuses the call', async () => {
    for (const [status, sent] of [
      [401, 500],
      [403, 500],
      [404, 500],
      [429, 429],
      [502, 502],
    ] as const) {
      await using shop = await open(first, (response) => response.writeHead(status).end('<h1>No</h1>'))
      const response = await shop.ask('getMe', { headers: json, body: '{}' })
      expect([response.status, await response.json()], `${status}`).to.deep.equal([
        sent,
        { status: sent, code: 'invalid_response', detail: 'The server of the shop got no valid response.' },
      ])
    }
  })

  it('knows nobody without a session', async () => {
    await using shop = await open(undefined, respond(200, {}))
    expect(await errorOf(shop.shopper.getMe())).to.include({ status: 401, code: 'missing_shopper_token' })
    expect(shop.server.seen).to.deep.equal([])
  })

  it('refuses other operations, other sites, forms and input that makes no request', async () => {
    await using shop = await open(first, respond(200, {}))
    const statusOf = async (operation: string, body: string, headers: Record<string, string> = json) =>
      (await shop.ask(operation, { body, headers })).status
    for (const operation of ['listWebhooks', 'refreshShopper', 'constructor', 'forShopper', '__proto__'])
      expect(await statusOf(operation, '{}'), operation).to.equal(404)
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(await statusOf('getMe', '{}', { ...json, 'sec-fetch-site': site }), site).to.equal(403)
    expect(await statusOf('getMe', '{}', { 'content-type': 'text/plain' })).to.equal(415)
    for (const body of ['', '{', 'null', '[]']) expect(await statusOf('getMe', body), body).to.equal(422)
    for (const sku of [undefined, '', '.', '..', '../webhooks', 'a/../..\\webhooks', 'a/.', { toString: 1 }, '\ud800'])
      expect(await statusOf('getProduct', JSON.stringify({ sku })), JSON.stringify(sku)).to.equal(422)
    for (const body of ['{"idempotencyKey":"mine"}', '{"ifMatch":1}'])
      expect(await statusOf('getMe', body), body).to.equal(422)
    const response = await shop.ask('listOrders', { headers: json, body: '{"limit":{"toString":1}}' })
    const msg = 'The parameter is not a text, a number or a list of these'
    expect(await response.json()).to.deep.equal({ detail: [{ type: 'value_error', loc: ['body', 'limit'], msg }] })
    expect(shop.server.seen).to.deep.equal([])
  })

  it('resets a password without a session, and keeps the new session on the server', async () => {
    await using visitor = await open(undefined, respond(202, { status: 'RESET_SENT' }), respond(200, first))
    expect(await visitor.shopper.askForPasswordReset({ body: { email: 'a@b.example' } })).to.deep.equal({
      status: 'RESET_SENT',
    })
    const body = { token: 'reset-1', password: 'secret' }
    expect(await visitor.shopper.confirmPasswordReset({ body })).to.deep.equal({ status: 'SIGNED_IN' })
    expect(visitor.opened).to.deep.equal([first])
  })

  it('adds the token of the device to a sign-in, and to a request for a new password', async () => {
    const email = 'a@b.example'
    for (const [operation, body, response] of [
      ['logInShopper', { email, password: 'secret' }, respond(200, first)],
      ['askForPasswordReset', { email }, respond(202, { status: 'RESET_SENT' })],
    ] as const) {
      await using visitor = await open(undefined, response)
      await visitor.ask(operation, { headers: json, body: JSON.stringify({ body }) }, { deviceToken: 'device-1' })
      expect(JSON.parse(visitor.server.seen[0]!.body), operation).to.deep.equal({ device_token: 'device-1', ...body })
    }
  })

  it('passes on any form of If-Match', async () => {
    for (const version of ['W/"3"', '3', '*', '"1", "3"']) {
      await using shop = await open(first, respond(200, { version: 4, errors: [] }))
      const line = JSON.stringify({ cart_id: 'cart_1', line_id: 'line_1', body: { quantity: 2 } })
      await shop.ask('updateCartLine', { headers: { ...json, 'if-match': version }, body: line })
      expect(shop.server.seen[0]?.headers['if-match']).to.equal(version)
    }
  })

  it('lets nobody cache what is a shopper’s', async () => {
    const pdf: ScriptedResponse = (response) =>
      response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF')
    for (const script of [
      respond(200, { email: 'a@b.example' }),
      respond(409, problem(409, 'order_not_cancellable')),
      pdf,
    ]) {
      await using shop = await open(first, script)
      const operation = script === pdf ? 'getInvoiceDocument' : 'getMe'
      const response = await shop.ask(operation, { headers: json, body: '{"invoice_id":"in_1"}' })
      expect(response.headers.get('cache-control')).to.equal('private, no-store')
      expect(response.headers.get('x-content-type-options')).to.equal('nosniff')
    }
  })

  it('sends a call once, and says no more than that there was no response', async () => {
    await using shop = await open(first, ...Array.from({ length: 4 }, () => respond(503, problem(503, 'unavailable'))))
    const response = await shop.ask('getMe', { headers: json, body: '{}' })
    expect([response.status, response.headers.get('x-request-id'), shop.server.seen.length]).to.deep.equal([
      503,
      'req-1',
      1,
    ])
    await using broken = await open(first, (answer) => answer.destroy())
    const lost = await broken.ask('getMe', { headers: json, body: '{}' })
    expect([lost.status, await lost.json()]).to.deep.equal([
      504,
      { status: 504, code: 'network_error', detail: 'The server of the shop got no response.' },
    ])
  })

  it('revokes the session at a sign-out, also when the first response is lost', async () => {
    await using leaving = await open(first, (answer) => answer.destroy(), respondEmpty)
    await leaving.shopper.logOutShopper()
    expect(leaving.server.seen.map(({ path }) => path)).to.deep.equal(['/v1/shoppers/logout', '/v1/shoppers/logout'])
  })

  it('ends its call when the page leaves', async () => {
    const controller = new AbortController()
    await using shop = await open(first, () => controller.abort())
    const thrown = await shop
      .ask('getMe', { headers: json, body: '{}', signal: controller.signal })
      .catch((error: Error) => error.name)
    expect(thrown).to.equal('AbortError')
  })

  it('does not take a failure of the secret key for one of the shopper', async () => {
    for (const code of ['invalid_api_key', 'insufficient_scope']) {
      await using shop = await open(first, respond(401, problem(401, code)))
      const thrown = await shop.ask('getMe', { headers: json, body: '{}' }).catch((error: unknown) => error)
      expect(thrown).to.be.instanceOf(ForecourtError).with.property('code', code)
    }
  })

  it('puts no password into a URL, and no body into a GET', async () => {
    await using shop = await open(first, respond(200, first))
    for (const [operation, body] of [
      ['logInShopper', { email: 'a@b.example', password: 'secret' }],
      ['getMe', { body: {} }],
    ] as const)
      expect((await shop.ask(operation, { headers: json, body: JSON.stringify(body) })).status).to.equal(422)
    expect(shop.server.seen).to.deep.equal([])
  })

  it('passes on an error of its own', async () => {
    await using shop = await open(undefined, respond(200, first))
    const own = new RangeError('the store of sessions is full')
    const onSignIn = () => Promise.reject(own)
    const login = shop.ask('logInShopper', { headers: json, body: '{"body":{}}' }, { onSignIn })
    expect(await login.catch((error: unknown) => error)).to.equal(own)
  })

  it('is no way around the check of a publishable key', () => {
    expect(() => createBrowserClient({ url: 'http://shop.example', key: '' })).to.throw(TypeError)
  })
})
