import { expect } from 'chai'
import { createForecourt, createShopperGateway, ForecourtError, type Session } from '../../src/client/server.ts'
import { respond, type ScriptedResponse, startScriptedServer } from './scripted-server.ts'

const key = 'svc_test_sec_x'
const PATH = '/v1/products/BP-1001'

const send =
  (status: number, text = '', headers: Record<string, string> = {}): ScriptedResponse =>
  (response) =>
    response.writeHead(status, headers).end(text)

const html = send(200, '<h1>Sign in to the Wi-Fi</h1>', { 'content-type': 'text/html' })

async function outcomeOf(call: Promise<unknown>) {
  const error = await call.catch((caught: unknown) => caught)
  if (!(error instanceof ForecourtError)) return { error }
  return { status: error.status, code: error.code, detail: error.detail }
}

async function refuses(responses: ScriptedResponse, status: number, what: string) {
  await using server = await startScriptedServer(responses)
  const shop = createForecourt({ url: server.url, key })
  expect(await outcomeOf(shop.getProduct({ sku: 'BP-1001' }))).to.deep.equal({
    status,
    code: 'invalid_response',
    detail: `${server.url}${PATH} responded with ${status}, ${what}: not a response of Forecourt`,
  })
  expect(server.seen.length, 'requests').to.equal(1)
}

describe('a response that is not of Forecourt', () => {
  const cases: [string, ScriptedResponse, number, string][] = [
    ['HTML', html, 200, 'no JSON object (text/html)'],
    ['JSON that is cut off', send(200, '{"sku": "BP-'), 200, 'no JSON object (null)'],
    ['an array', respond(200, []), 200, 'no JSON object (application/json)'],
    ['null', respond(200, null), 200, 'no JSON object (application/json)'],
    ['a text', respond(200, 'x'), 200, 'no JSON object (application/json)'],
    ['an empty 200', send(200), 200, 'no body'],
    ['a 204', send(204), 204, 'no body'],
    ['a 304 that nobody asked for', send(304), 304, 'but the call has no If-None-Match'],
    ['mistakes of another kind', respond(422, { detail: [null, 1] }), 422, 'without a problem'],
    [
      'mistakes at places that are none',
      respond(422, { detail: [{ loc: [{ toString: 1 }], msg: 'x' }] }),
      422,
      'without a problem',
    ],
    ['a problem without a detail', respond(409, { code: 'E17' }), 409, 'without a problem'],
  ]
  for (const [name, response, status, what] of cases)
    it(`is an invalid_response: ${name}`, () => refuses(response, status, what))

  it('is an invalid_response: a redirect, which is not followed', async () => {
    await using other = await startScriptedServer(respond(200, {}))
    const redirect = send(302, '', { location: `${other.url}/v1` })
    await refuses(redirect, 302, `a redirect to ${other.url}/v1`)
    expect(other.seen).to.deep.equal([])
  })

  it('is an invalid_response in a browser too: a redirect, of which a page sees nothing', async () => {
    const modes: unknown[] = []
    const fetch = (_: unknown, { redirect }: RequestInit = {}) => {
      modes.push(redirect)
      const opaque = { type: 'opaqueredirect', status: 0, ok: false, headers: new Headers(), body: null }
      return Promise.resolve(opaque as Response)
    }
    const shop = createForecourt({ url: 'http://api.example', key, fetch })
    expect(await outcomeOf(shop.getProduct({ sku: 'BP-1001' }))).to.deep.equal({
      status: 0,
      code: 'invalid_response',
      detail: `http://api.example${PATH} responded with 0, a redirect to another address: not a response of Forecourt`,
    })
    expect(modes).to.deep.equal(['manual'])
  })

  it('is an invalid_response, and is not read to its end: a body of more than 16 MB', async () => {
    const sent: number[] = []
    const long = new ReadableStream({
      pull(controller) {
        if (sent.push(1) > 40) controller.close()
        else controller.enqueue(new Uint8Array(1_000_000))
      },
    })
    const fetch = () => Promise.resolve(new Response(long))
    const shop = createForecourt({ url: 'http://api.example', key, fetch })
    expect(await outcomeOf(shop.getProduct({ sku: 'BP-1001' }))).to.deep.equal({
      status: 200,
      code: 'invalid_response',
      detail: `http://api.example${PATH} responded with 200, more than 16 MB: not a response of Forecourt`,
    })
    expect(sent.length).to.be.within(17, 19)
  })

  it('is an invalid_response for each kind of operation: a list, a file, and one without a result', async () => {
    await using server = await startScriptedServer(html, respond(200, {}), html, send(200, '{}'), send(204))
    const shop = createForecourt({ url: server.url, key })
    const shopper = shop.forShopper({ shopper_token: 't' } as Session)
    const detail = (path: string, what: string) => ({
      status: 200,
      code: 'invalid_response',
      detail: `${server.url}/v1/${path} responded with 200, ${what}: not a response of Forecourt`,
    })
    const lists = [await outcomeOf(shop.listWebhooks()), await outcomeOf(shop.listWebhooks())]
    expect(lists).to.deep.equal([
      detail('webhooks', 'no JSON array (text/html)'),
      detail('webhooks', 'no JSON array (application/json)'),
    ])
    expect(await outcomeOf(shopper.getInvoiceDocument({ invoice_id: 'i' }))).to.deep.equal(
      detail('invoices/i/document', 'no file (text/html)'),
    )
    const deletion = { subscription_id: 's' }
    expect(await outcomeOf(shop.deleteWebhook(deletion))).to.deep.equal(
      detail('webhooks/s', 'a body where none is expected'),
    )
    expect(await shop.deleteWebhook(deletion)).to.equal(undefined)
  })

  it('is an error for the pages of a shopper, too, without the address of Forecourt', async () => {
    await using server = await startScriptedServer(html)
    const gateway = createShopperGateway(createForecourt({ url: server.url, key }))
    const headers = { 'content-type': 'application/json' }
    const request = new Request('http://shop.example/account/getMe', { method: 'POST', headers, body: '{}' })
    const session = { shopper_token: 't' } as Session
    const response = await gateway(request, { operation: 'getMe', session, onSignIn: () => undefined })
    expect([response.status, await response.json()]).to.deep.equal([
      500,
      { status: 500, code: 'invalid_response', detail: 'The server of the shop got no valid response.' },
    ])
  })
})
