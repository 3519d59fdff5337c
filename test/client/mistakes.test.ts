import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mock } from 'node:test'
import { expect } from 'chai'
import { createForecourt as createBrowserClient } from '../../src/client/browser.ts'
import { replayOutcome } from '../../src/client/msw.ts'
import { createForecourt, ForecourtError } from '../../src/client/server.ts'
import { verifyServiceSignature, verifyWebhook } from '../../src/client/webhooks.ts'

const key = 'svc_test_sec_x'
const url = 'http://api.example'

describe('a mistake in the use of the client', () => {
  for (const wrong of ['', 'undefined', 'api.example', 'ftp://api.example'])
    it(`is refused at once: the url "${wrong}"`, () => {
      const message = `The url "${wrong}" is not an http or https address`
      expect(() => createForecourt({ url: wrong, key })).to.throw(TypeError, message)
      expect(() => createBrowserClient({ url: wrong, key: 'svc_test_pub_x' })).to.throw(TypeError, message)
    })

  it('is refused at once: a url with /v1', () => {
    for (const end of ['/v1', '/v1/'])
      expect(() => createForecourt({ url: url + end, key })).to.throw(TypeError, 'Leave out /v1')
    for (const end of ['', '/', '/forecourt/', '/v1/shop']) createForecourt({ url: url + end, key })
  })

  it('is refused at once: a url with a password, which is not shown, or with a query', () => {
    for (const wrong of ['http://user:s3cret@api.example', 'http://s3cret@api.example'])
      expect(() => createForecourt({ url: wrong, key }))
        .to.throw(TypeError, 'Leave out the user name and password in the url')
        .with.property('message')
        .that.does.not.include('s3cret')
    for (const wrong of ['http://api.example?a=1', 'http://api.example/#a'])
      expect(() => createForecourt({ url: wrong, key })).to.throw(
        TypeError,
        `Leave out the query or fragment in the url "${wrong}"`,
      )
  })

  it('is none: a limit that is not set', async () => {
    const unset = { timeoutMs: undefined, attemptTimeoutMs: undefined, maxRetries: undefined } as never
    const seen: unknown[] = []
    const fetch: typeof globalThis.fetch = async (request) => {
      seen.push(request)
      return Response.json({ code: 'overloaded', detail: 'No.' }, { status: 503, headers: { 'retry-after': '0' } })
    }
    for (const options of [{}, unset]) {
      seen.length = 0
      const shop = createForecourt({ url, key, fetch, ...(options as object) })
      const error = await shop.getTags({}, unset).catch((caught: unknown) => caught)
      expect([(error as ForecourtError).code, seen.length]).to.deep.equal(['overloaded', 4])
    }
  })

  for (const wrong of [undefined, null, 'http://api.example'])
    it(`is refused at once: the options ${JSON.stringify(wrong)}`, () => {
      const message = /^The options are missing: createForecourt\({ url, key }\)$/
      expect(() => createForecourt(wrong as never)).to.throw(TypeError, message)
      expect(() => createBrowserClient(wrong as never)).to.throw(TypeError, message)
    })

  for (const wrong of [undefined, ''])
    it(`is refused at once: the key ${JSON.stringify(wrong)}`, () => {
      const message = 'The key is not set. If it comes from an environment variable, is that set?'
      expect(() => createForecourt({ url, key: wrong as never })).to.throw(TypeError, message)
      expect(() => createBrowserClient({ url, key: wrong as never })).to.throw(TypeError, message)
    })

  it('is refused at once: a placeholder for the key, and a key of another kind', () => {
    for (const end of ['…', '...', '<key>', 'x y'])
      expect(() => createForecourt({ url, key: `svc_test_sec_${end}` })).to.throw(
        TypeError,
        'The key is not a secret one (svc_…_sec_…), or is a placeholder.',
      )
    expect(() => createBrowserClient({ url, key: 'svc_test_pub_…' })).to.throw(
      TypeError,
      'The key is not a publishable one (svc_…_pub_…), or is a placeholder.',
    )
    expect(() => createForecourt({ url, key: 'svc_test_pub_x' })).to.throw(TypeError, 'The key is not a secret one')
    expect(() => createBrowserClient({ url, key })).to.throw(TypeError, 'The key is not a publishable one')
  })

  it('is none: a line end after the key, as a file has', async () => {
    const sent: (string | null)[] = []
    const fetch = (_: unknown, { headers }: RequestInit = {}) => {
      sent.push(new Headers(headers).get('authorization'))
      return Promise.resolve(Response.json({}))
    }
    await createForecourt({ url, key: `${key}\n`, fetch }).listProducts({})
    await createBrowserClient({ url, key: 'svc_test_pub_x\r\n', fetch }).listProducts({})
    expect(sent).to.deep.equal(['Bearer svc_test_sec_x', 'Bearer svc_test_pub_x'])
  })

  it('is refused at once: a shopper without a session', () => {
    const shop = createForecourt({ url, key })
    for (const session of [undefined, null, 'token', { shopperToken: 'token' }])
      expect(() => shop.forShopper(session as never)).to.throw(
        TypeError,
        'forShopper needs the session that logInShopper returned, with its shopper_token',
      )
  })

  it('is refused at once: an option in the input', async () => {
    const shop = createForecourt({ url, key })
    for (const option of [{ idempotencyKey: 'a' }, { ifMatch: 1 }]) {
      const error = await shop.checkout({ body: {} as never, ...option }).catch((caught: unknown) => caught)
      expect(error).to.be.instanceOf(TypeError).with.property('message', 'Options are the second argument')
    }
  })

  it('is refused at once: an id in place of the input', async () => {
    const error = await createForecourt({ url, key })
      .getProduct('BP-1001' as never)
      .catch((caught: unknown) => caught)
    expect(error).to.be.instanceOf(TypeError)
    expect(error).to.have.property('message', 'sku is missing in the input, an object')
  })

  describe('in a delivery', () => {
    const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
    const signed = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1767225600', 'webhook-signature': 'v1,AAAA' }
    const now = 1_767_225_600_000
    const messageOf = async (body: string, headers: object, own = secret) => {
      const error = await verifyWebhook(body, headers as never, { secret: own, now }).catch((caught: unknown) => caught)
      return (error as Error).message
    }

    it('is explained: a timestamp that is missing, malformed, old or in the future', async () => {
      const malformed =
        'webhook-timestamp is not a Unix time in seconds. Pass the header as it arrived, not converted to a date or to milliseconds.'
      for (const [timestamp, message] of [
        [
          undefined,
          'webhook-timestamp is missing. Pass all headers of the request. If the request had no such header, Forecourt did not send it.',
        ],
        [String(now), malformed],
        ['2026-01-01T00:00:00Z', malformed],
        [
          '1767220000',
          'webhook-timestamp is 5600 s ago, and 300 s are tolerated. The delivery is old or was replayed, or the clock of this machine is ahead.',
        ],
        [
          '1767226000',
          'webhook-timestamp is 400 s in the future, and 300 s are tolerated. The clock of this machine is behind.',
        ],
      ] as const)
        expect(await messageOf('{}', { ...signed, 'webhook-timestamp': timestamp })).to.equal(message)
    })

    it('is explained: an empty body, another secret and an API key', async () => {
      expect(await messageOf('', signed)).to.match(/^webhook-signature does not match the body, which is empty/)
      expect(await messageOf('{}', signed)).to.match(/^webhook-signature does not match the body\. Compare the secret/)
      expect(await messageOf('{}', signed, key)).to.match(/^The secret is an API key\./)
    })
  })

  for (const verify of [verifyWebhook, verifyServiceSignature])
    it(`is refused at once: ${verify.name} of a parsed body, or without a secret`, async () => {
      const errorOf = (body: unknown, secret: unknown) =>
        verify(body as never, {}, { secret: secret as never }).catch((error: unknown) => error)
      expect(await errorOf({ id: 'evt_1' }, 'whsec_AAAA'))
        .to.be.instanceOf(TypeError)
        .with.property('message')
        .that.matches(/^The body is neither a string nor bytes\. Pass the body as it arrived, not parsed/)
      for (const secret of [undefined, ''])
        expect(await errorOf('{}', secret))
          .to.be.instanceOf(TypeError)
          .with.property('message')
          .that.matches(/^The secret is not set\. It is the signing_secret/)
    })

  it('is named with the address: a server that does not run', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.close()
    await once(server, 'close')
    const shop = createForecourt({ url: address, key, maxRetries: 0 })
    const error = await shop.listProducts({}).catch((caught: unknown) => caught)
    expect(error).to.include({
      code: 'network_error',
      message: `network_error: no response from ${address} (ECONNREFUSED)`,
    })
  })

  it("is a network error too: a fetch of one's own that rejects with nothing", async () => {
    const shop = createForecourt({ url, key, maxRetries: 0, fetch: () => Promise.reject(undefined) })
    const error = await shop.listProducts({}).catch((caught: unknown) => caught)
    expect(error).to.include({ code: 'network_error', message: `network_error: no response from ${url} (undefined)` })
  })

  it('is refused with the known names: an outcome that does not exist', () => {
    expect(() => replayOutcome('nope' as never)).to.throw(
      TypeError,
      /^There is no outcome "nope"\. The outcomes are: .*product_without_price/,
    )
  })
})

describe('a hint of Forecourt', () => {
  const hint = 'The query parameter "categry" is unknown and was ignored. Did you mean "category"?'
  const shopOf = (status: number, onHint?: (hint: string) => void) => {
    const body = JSON.stringify(status === 422 ? { detail: [] } : { data: [] })
    const fetch = async () => new Response(body, { status, headers: { 'forecourt-hint': hint } })
    return createForecourt({ url, key, fetch, ...(onHint && { onHint }) })
  }

  it('is part of the error', async () => {
    const error = await shopOf(422)
      .listProducts()
      .catch((caught: unknown) => caught)
    expect(error).to.include({ hint, message: `validation_error:  (${hint})` })
  })

  it('of a successful response is passed on', async () => {
    const hints: string[] = []
    await shopOf(200, (one) => hints.push(one)).listProducts()
    expect(hints).to.deep.equal([hint])
  })

  it('of a successful response is written to the console with a sandbox key only', async () => {
    const warn = mock.method(console, 'warn', () => undefined)
    try {
      await shopOf(200).listProducts()
      const { arguments: written } = warn.mock.calls[0]!
      expect([written, warn.mock.callCount()]).to.deep.equal([[hint], 1])
      const fetch = async () => new Response('{"data":[]}', { headers: { 'forecourt-hint': hint } })
      await createForecourt({ url, key: 'svc_live_sec_x', fetch }).listProducts()
      expect(warn.mock.callCount()).to.equal(1)
    } finally {
      warn.mock.restore()
    }
  })
})

describe('an error of the client', () => {
  async function errorOf(problem: object) {
    const fetch = async () => new Response(JSON.stringify({ detail: 'No.', ...problem }), { status: 409 })
    const shop = createForecourt({ url, key, fetch })
    const error = await shop.createWebhook({ body: {} as never }).catch((caught: unknown) => caught)
    expect(error).to.be.instanceOf(ForecourtError)
    return error as ForecourtError
  }

  it('has the order that a cart became, the status of an order, the end of a maintenance, and the subscription that exists', async () => {
    const converted = await errorOf({ code: 'cart_converted', order_id: 'ord_1' })
    expect([converted.orderId, converted.subscriptionId]).to.deep.equal(['ord_1', null])
    const shipped = await errorOf({ code: 'order_not_cancellable', current_status: 'SHIPPED' })
    expect([shipped.currentStatus, shipped.until]).to.deep.equal(['SHIPPED', null])
    const closed = await errorOf({ code: 'maintenance', until: '2026-12-01T06:00:00.000Z' })
    expect([closed.currentStatus, closed.until]).to.deep.equal([null, '2026-12-01T06:00:00.000Z'])
    const exists = await errorOf({ code: 'subscription_exists', subscription_id: 'sub_1' })
    expect([exists.orderId, exists.subscriptionId]).to.deep.equal([null, 'sub_1'])
  })
})
