import { expect } from 'chai'
import type { System } from '../../src/ports/system.ts'
import { cartShopper } from '../routes/carts/cart-shopper-client.ts'
import { until } from '../support/until.ts'
import { shareInventoryCall, startTracedApi, type TracedApi } from './tracing-setup.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`
const tracestate = 'rojo=1,congo=2'
const other = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'

describe('trace context without tracing', () => {
  let api: TracedApi
  let now = Date.parse('2026-03-02T20:00:00Z')
  let at = 0

  before(async () => {
    api = await startTracedApi(null, { now: () => now })
  })
  after(() => api?.[Symbol.asyncDispose]())
  beforeEach(() => {
    api.takeRequests()
    at += 1
  })

  const request = (path: string, headers: Record<string, string> = {}) =>
    api.request(path, { key: api.ownKey, headers })
  const takeTraceHeaders = () =>
    api.takeRequests().map(({ system, headers }) => [system, headers.traceparent, headers.tracestate])
  const product = () => `/v1/products/${api.sku(at)}`

  it('is passed on unchanged with every upstream call', async () => {
    const { status, headers } = await request(product(), { traceparent, tracestate })
    expect(status).to.equal(200)
    expect(takeTraceHeaders()).to.have.deep.members([
      ['inventory', traceparent, tracestate],
      ['pricing', traceparent, tracestate],
      ['accounting', traceparent, tracestate],
    ])
    expect(JSON.stringify(headers)).to.not.include(TRACE)
  })

  it('is not invented', async () => {
    await request(product())
    expect(takeTraceHeaders().map(([, ...sent]) => sent)).to.deep.equal(Array(3).fill([undefined, undefined]))
  })

  it('is not taken from malformed headers', async () => {
    await request(product(), { traceparent: traceparent.toUpperCase(), tracestate })
    expect(takeTraceHeaders().map(([, ...sent]) => sent)).to.deep.equal(Array(3).fill([undefined, undefined]))
  })

  it('is passed on without a malformed tracestate', async () => {
    await request(product(), { traceparent, tracestate: 'a=1,a=2' })
    expect(takeTraceHeaders().map(([, ...sent]) => sent)).to.deep.equal(Array(3).fill([traceparent, undefined]))
  })

  it('is passed on with an order and the calls before it', async () => {
    const shopper = await cartShopper(api, { merchant: 'traced', mode: 'live' })
    const path = await shopper.cart({ sku: api.sku(at), quantity: 1 })
    api.takeRequests()
    const { status } = await shopper.ask('POST', '/v1/checkout', { cart_id: path.split('/').at(-1) }, { traceparent })
    expect(status).to.equal(200)
    const sent = api.takeRequests()
    expect(sent.map(({ method, path }) => `${method} ${path}`)).to.include('POST /acme-live/orders')
    expect(new Set(sent.map(({ headers }) => headers.traceparent))).to.deep.equal(new Set([traceparent]))
  })

  it('of a shared call is that of the first request', async () => {
    const sent = await shareInventoryCall(api, product(), { traceparent }, { traceparent: other })
    const traces = (asked: System) =>
      sent.filter(({ system }) => system === asked).map(({ headers }) => headers.traceparent)
    expect(traces('inventory')).to.deep.equal([traceparent])
    expect(traces('pricing')).to.deep.equal([traceparent, other])
  })

  it('is not passed on with background refreshes, of responses or of sections', async () => {
    await request(product())
    api.takeRequests()
    now += 15_000
    const { headers } = await request(product(), { traceparent })
    expect(headers['cache-status']).to.match(/^forecourt; hit/)
    const refreshed: unknown[] = []
    await until('the stock of the answer is asked for again', () => refreshed.push(...takeTraceHeaders()) > 0)
    expect(refreshed).to.deep.equal([['inventory', undefined, undefined]])

    // Another product: the stock of the first may be cached after the clock moved on.
    const next = `/v1/products/${api.sku(at + 20)}`
    await request(next)
    api.takeRequests()
    now += 15_000
    expect((await request(`${next}/availability`, { traceparent })).status).to.equal(200)
    const again: unknown[] = []
    await until('the stock is asked for again', () => again.push(...takeTraceHeaders()) > 0)
    expect(again).to.deep.equal([['inventory', undefined, undefined]])
  })

  it('is in the access log, also for cached reads, but not without a valid key', async () => {
    const cached = product()
    const lines = { first: 'x-first', cached: 'x-cached', none: 'x-none', stranger: 'x-stranger' }
    await request(cached, { traceparent, 'x-request-id': lines.first })
    await request(cached, { traceparent: other, 'x-request-id': lines.cached })
    await request(cached, { 'x-request-id': lines.none })
    const headers = { traceparent, 'x-request-id': lines.stranger }
    expect((await api.request(cached, { key: `${api.ownKey}x`, headers })).status).to.equal(401)
    const logged = (await api.stopAndReadLog())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const traceOf = (id: string) => logged.find(({ request_id }) => request_id === id)
    expect(traceOf(lines.first).trace_id).to.equal(TRACE)
    expect(traceOf(lines.cached)).to.include({ trace_id: '0af7651916cd43dd8448eb211c80319c', cache: 'hit' })
    expect(traceOf(lines.none)).to.not.have.property('trace_id')
    expect(traceOf(lines.stranger)).to.not.have.property('trace_id')
  })
})
