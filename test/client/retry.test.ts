import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import { createForecourt, ForecourtError } from '../../src/client/server.ts'
import { disconnect, hang, problem, respond, type ScriptedResponse, startScriptedServer } from './scripted-server.ts'

const key = 'svc_test_sec_x'
const line = { cart_id: 'cart_1', body: { sku: 'BP-1001', quantity: 1 } }
const now = { 'retry-after': '0' }

async function errorOf(promise: Promise<unknown>): Promise<ForecourtError> {
  const error = await promise.then(
    () => new Error('it succeeded'),
    (error: unknown) => error,
  )
  if (!(error instanceof ForecourtError)) throw error
  return error
}

async function connect(...script: ScriptedResponse[]) {
  const server = await startScriptedServer(...script)
  return { server, shop: createForecourt({ url: server.url, key }), [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

describe('the retries of the client', () => {
  it('keep one idempotency key through a lost response and a 503', async () => {
    await using made = await connect(disconnect, respond(503, problem(503, 'overloaded'), now), respond(200, { ok: 1 }))
    expect(await made.shop.addCartLine(line)).to.deep.equal({ ok: 1 })
    const keys = made.server.seen.map(({ headers }) => headers['idempotency-key'])
    expect([keys.length, new Set(keys).size]).to.deep.equal([3, 1])
    expect(keys[0]).to.match(/^\d+(?:-\d+){3}$/)
  })

  it('use another key for another call, and the one that is given', async () => {
    await using made = await connect(respond(200, {}))
    await made.shop.addCartLine(line)
    await made.shop.addCartLine(line)
    await made.shop.addCartLine(line, { idempotencyKey: 'mine' })
    const [first, second, third] = made.server.seen.map(({ headers }) => headers['idempotency-key'])
    expect([first === second, third]).to.deep.equal([false, 'mine'])
  })

  it('do not repeat a change without a key, unless it was refused by a limit', async () => {
    const change = { cart_id: 'c', line_id: 'l', body: { quantity: 2 } }
    await using lost = await connect(disconnect, respond(200, {}))
    expect(await errorOf(lost.shop.updateCartLine(change))).to.include({ status: 0, code: 'network_error' })
    await using failed = await connect(respond(503, problem(503, 'overloaded'), now), respond(200, {}))
    expect(await errorOf(failed.shop.updateCartLine(change))).to.include({ status: 503, retryAfterMs: 0 })
    await using limited = await connect(respond(429, problem(429, 'rate_limited'), now), respond(200, { ok: 1 }))
    expect(await limited.shop.updateCartLine(change)).to.deep.equal({ ok: 1 })
    expect([lost, failed, limited].map(({ server }) => server.seen.length)).to.deep.equal([1, 1, 2])
  })

  it('give up at once when Retry-After is later than the time of the call', async () => {
    await using made = await connect(respond(503, problem(503, 'circuit_open'), { 'retry-after': '60' }))
    const error = await errorOf(made.shop.getProduct({ sku: 'BP-1001' }, { timeoutMs: 30_000 }))
    expect({ ...error, name: error.name }).to.deep.equal({
      name: 'ForecourtError',
      status: 503,
      code: 'circuit_open',
      detail: 'what happened',
      hint: null,
      requestId: 'req-1',
      retryAfterMs: 60_000,
      mistakes: [],
      skus: [],
      cart: null,
      orderId: null,
      currentStatus: null,
      until: null,
      subscriptionId: null,
    })
    expect(made.server.seen).to.have.lengthOf(1)
  })

  it('end after the number of retries', async () => {
    await using made = await connect(respond(502, problem(502, 'downstream_error'), now))
    await errorOf(made.shop.getTags({}, { maxRetries: 2 }))
    expect(made.server.seen).to.have.lengthOf(3)
  })

  it('follow an attempt that hangs', async () => {
    await using made = await connect(hang, respond(200, { ok: 1 }))
    // On a busy machine, later attempts may take too long as well.
    const limits = { attemptTimeoutMs: 300, timeoutMs: 120_000, maxRetries: 1_000 }
    expect(await made.shop.getTags({}, limits)).to.deep.equal({ ok: 1 })
  })

  it('are counted in the error, with the time of the whole call', async () => {
    await using hanging = await connect(hang)
    const once = await errorOf(hanging.shop.checkout({ body: {} as never }, { timeoutMs: 30, maxRetries: 0 }))
    expect(once.message).to.match(/^timeout: no response in \d+ ms$/)
    const limits = { attemptTimeoutMs: 30, timeoutMs: 120_000, maxRetries: 2 }
    const thrice = await errorOf(hanging.shop.getTags({}, limits))
    const [, ms] =
      /^timeout: no response in 30 ms, the last of 3 attempts in (\d+) ms$/.exec(thrice.message) ??
      expect.fail(thrice.message)
    expect(Number(ms)).to.be.within(90, 120_000)
    await using lost = await connect(disconnect)
    const twice = await errorOf(lost.shop.getTags({}, { maxRetries: 1 }))
    expect(twice.message).to.match(/^network_error: no response from \S+ \(\w+\), the last of 2 attempts in \d+ ms$/)
  })

  it('end with the time of the call, or when the caller aborts', async () => {
    await using made = await connect(hang)
    expect(await errorOf(made.shop.checkout({ body: {} as never }, { timeoutMs: 50 }))).to.include({ code: 'timeout' })
    const controller = new AbortController()
    const call = made.shop.getTags({}, { signal: controller.signal }).catch((error: unknown) => error)
    controller.abort('the page was left')
    expect(await call).to.equal('the page was left')
  })

  it('repeat no refresh after nine seconds: after ten, it would end all sessions of the sign-in', async () => {
    await using made = await connect(respond(503, problem(503, 'store_unavailable'), { 'retry-after': '12' }))
    const refresh = made.shop.refreshShopper({ body: { refresh_token: 'r' } }, { timeoutMs: 60_000 })
    expect(await errorOf(refresh)).to.include({ status: 503, retryAfterMs: 12_000 })
    expect(made.server.seen).to.have.lengthOf(1)
  })

  it("leave nothing at a caller's signal, and need no AbortSignal.any, which Safari 17.3 does not have", async () => {
    const any = Object.getOwnPropertyDescriptor(AbortSignal, 'any')!
    Reflect.deleteProperty(AbortSignal, 'any')
    try {
      const { signal } = new AbortController()
      await using made = await connect(respond(503, problem(503, 'overloaded'), now), respond(200, { ok: 1 }))
      expect(await made.shop.getTags({}, { signal })).to.deep.equal({ ok: 1 })
      expect(getEventListeners(signal, 'abort')).to.deep.equal([])
      await using hanging = await connect(hang)
      const limits = { signal, timeoutMs: 50, maxRetries: 0 }
      expect(await errorOf(hanging.shop.getTags({}, limits))).to.include({ code: 'timeout' })
      const controller = new AbortController()
      const left = hanging.shop.getTags({}, { signal: controller.signal }).catch((error: unknown) => error)
      controller.abort('the page was left')
      expect(await left).to.equal('the page was left')
    } finally {
      Object.defineProperty(AbortSignal, 'any', any)
    }
  })

  it('do not wait when the caller has aborted meanwhile', async () => {
    const controller = new AbortController()
    const fetch = async () => {
      controller.abort('the page was left')
      return Response.json(problem(503, 'overloaded'), { status: 503, headers: { 'retry-after': '1000' } })
    }
    const shop = createForecourt({ url: 'http://api.example', key, fetch, timeoutMs: 2_000_000 })
    const call = shop.getTags({}, { signal: controller.signal })
    expect(await call.catch((error: unknown) => error)).to.equal('the page was left')
  })

  it('say what is wrong with a request, and when the response is not of Forecourt', async () => {
    const mistake = { type: 'missing', loc: ['body', 'sku'], msg: 'Field required', input: {} }
    await using wrong = await connect(respond(422, { detail: [mistake] }, { 'x-request-id': 'req-2' }))
    const error = await errorOf(wrong.shop.addCartLine(line))
    expect(error).to.include({ status: 422, detail: 'body.sku: Field required', requestId: 'req-2' })
    expect(error.mistakes).to.deep.equal([mistake])
    await using proxied = await connect((response) => response.writeHead(400).end('<h1>Bad request</h1>'))
    expect(await errorOf(proxied.shop.getTags())).to.include({ status: 400, code: 'invalid_response' })
    const busy: ScriptedResponse = (response) =>
      response.writeHead(429, { 'retry-after': '60' }).end('<h1>Slow down</h1>')
    await using limited = await connect(busy, respond(200, {}))
    const refused = { status: 429, code: 'invalid_response', retryAfterMs: 60_000 }
    expect(await errorOf(limited.shop.getTags())).to.include(refused)
  })

  it('end when the caller aborts while the session is refreshed, which goes on for others', async () => {
    const expired = respond(401, problem(401, 'invalid_shopper_token'))
    const refreshed = { shopper_token: 'c', refresh_token: 'd' }
    const { promise: asked, resolve: answerLater } = Promise.withResolvers<() => void>()
    const refresh: ScriptedResponse = (...call) => answerLater(() => respond(200, refreshed)(...call))
    await using made = await connect(expired, expired, refresh, respond(200, { ok: 1 }))
    const shopper = made.shop.forShopper({ shopper_token: 'a', refresh_token: 'b' } as never)
    const [left, staying] = [new AbortController(), new AbortController()]
    const [first, second] = [left, staying].map(({ signal }) => shopper.getMe({}, { signal }).catch((error) => error))
    const answer = await asked
    left.abort('the page was left')
    expect(await first).to.equal('the page was left')
    answer()
    expect(await second).to.deep.equal({ ok: 1 })
    expect([shopper.session, getEventListeners(staying.signal, 'abort')]).to.deep.equal([refreshed, []])
  })

  it('keep the session of a shopper when the API key is refused', async () => {
    const expired = respond(401, problem(401, 'invalid_shopper_token'))
    await using made = await connect(expired, respond(401, problem(401, 'invalid_api_key')))
    const told: unknown[] = []
    const session = { shopper_token: 'a', refresh_token: 'b' } as never
    const shopper = made.shop.forShopper(session, { onSession: (next) => void told.push(next) })
    expect(await errorOf(shopper.getMe())).to.include({ status: 401, code: 'invalid_api_key' })
    expect(told).to.deep.equal([])
  })
})
