import { expect } from 'chai'
import { createForecourt as createBrowserClient, createShopperCalls } from '../../src/client/browser.ts'
import { createForecourt, createShopperGateway, ForecourtError, type Session } from '../../src/client/server.ts'
import { problem, respond, type ScriptedResponse, startScriptedServer } from './client-server.ts'

const first = { shopper_token: 'shopper-1', refresh_token: 'refresh-1' } as Session
const second = { shopper_token: 'shopper-2', refresh_token: 'refresh-2' } as Session
const json = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }

/** A page, the server of its shop, and Forecourt, which gives these responses. */
async function open(session: Session | undefined, ...script: ScriptedResponse[]) {
  const server = await startScriptedServer(...script)
  const gateway = createShopperGateway(createForecourt({ url: server.url, key: 'svc_test_sec_x', maxRetries: 0 }))
  const opened: Session[] = []
  const replaced: (Session | null)[] = []
  const ask = (operation: string, request: RequestInit) =>
    gateway(new Request('http://shop.example/account', { method: 'POST', ...request }), {
      operation,
      session,
      onSignIn: (next) => void opened.push(next),
      onSession: (next) => void replaced.push(next),
      headers: { 'x-storefront-client-ip': '203.0.113.7' },
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

    await using leaving = await open(first, respond(200, {}))
    await leaving.shopper.logOutShopper()
    expect(leaving.replaced).to.deep.equal([null])
    expect(leaving.server.seen.map(({ path }) => path)).to.deep.equal(['/v1/shoppers/logout'])
  })

  it('passes on problems, mistakes and files', async () => {
    await using refused = await open(first, respond(429, problem(429, 'rate_limited'), { 'retry-after': '7' }))
    const expected = { status: 429, code: 'rate_limited', requestId: 'req-1', retryAfterMs: 7_000 }
    expect(await errorOf(refused.shopper.getMe())).to.include(expected)
    const mistakes = [{ type: 'missing', loc: ['body', 'code'], msg: 'Field required' }]
    await using wrong = await open(first, respond(422, { detail: mistakes }))
    expect((await errorOf(wrong.shopper.getMe())).mistakes).to.deep.equal(mistakes)
    await using file = await open(first, (response) =>
      response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF'),
    )
    const document = await file.shopper.getInvoiceDocument({ invoice_id: 'in_1' })
    expect([document.type, await document.text()]).to.deep.equal(['application/pdf', '%PDF'])
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
    for (const sku of [undefined, '', '.', '..', { toString: 1 }, '\ud800'])
      expect(await statusOf('getProduct', JSON.stringify({ sku })), JSON.stringify(sku)).to.equal(422)
    const response = await shop.ask('listOrders', { headers: json, body: '{"limit":{"toString":1}}' })
    const msg = 'The parameter is not a text, a number or a list of these'
    expect(await response.json()).to.deep.equal({ detail: [{ type: 'value_error', loc: ['body', 'limit'], msg }] })
    expect(shop.server.seen).to.deep.equal([])
  })

  it('passes on an error of its own', async () => {
    await using shop = await open(first, (response) => response.writeHead(200).end('5x'))
    const thrown = await shop.ask('getMe', { headers: json, body: '{}' }).catch((error: unknown) => error)
    expect(thrown).to.be.instanceOf(SyntaxError)
  })

  it('is no way around the check of a publishable key', () => {
    expect(() => createBrowserClient({ url: 'http://shop.example', key: '' })).to.throw(TypeError)
  })
})
