import { expect } from 'chai'
import type { System } from '../../src/ports/system.ts'
import { cartShopper } from '../routes/carts/cart-shopper.ts'
import { until } from '../support/until.ts'
import { shareInventoryCall, startTracedApi, type TracedApi } from './tracing-setup.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`
const tracestate = 'rojo=1,congo=2'
const other = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'

describe('the trace of a request, where no spans are made', () => {
  let stage: TracedApi
  let now = Date.parse('2026-03-02T20:00:00Z')
  let at = 0

  before(async () => {
    stage = await startTracedApi(null, { now: () => now })
  })
  after(() => stage?.[Symbol.asyncDispose]())
  beforeEach(() => {
    stage.sent()
    at += 1
  })

  const ask = (path: string, headers: Record<string, string> = {}) => stage.ask(path, { key: stage.own, headers })
  const told = () => stage.sent().map(({ system, headers }) => [system, headers.traceparent, headers.tracestate])
  const product = () => `/v1/products/${stage.sku(at)}`

  it('goes with every call that is made for it, as it came', async () => {
    const { status, headers } = await ask(product(), { traceparent, tracestate })
    expect(status).to.equal(200)
    expect(told()).to.have.deep.members([
      ['inventory', traceparent, tracestate],
      ['pricing', traceparent, tracestate],
      ['accounting', traceparent, tracestate],
    ])
    expect(JSON.stringify(headers)).to.not.include(TRACE)
  })

  it('is not made up', async () => {
    await ask(product())
    expect(told().map(([, ...sent]) => sent)).to.deep.equal(Array(3).fill([undefined, undefined]))
  })

  it('is not taken from headers that say it wrongly', async () => {
    await ask(product(), { traceparent: traceparent.toUpperCase(), tracestate })
    expect(told().map(([, ...sent]) => sent)).to.deep.equal(Array(3).fill([undefined, undefined]))
  })

  it('goes on without what vendors added, when that is said wrongly', async () => {
    await ask(product(), { traceparent, tracestate: 'a=1,a=2' })
    expect(told().map(([, ...sent]) => sent)).to.deep.equal(Array(3).fill([traceparent, undefined]))
  })

  it('goes with an order that is placed, and with what is asked for it', async () => {
    const shopper = await cartShopper(stage, { merchant: 'traced', mode: 'live' })
    const path = await shopper.cart({ sku: stage.sku(at), quantity: 1 })
    stage.sent()
    const { status } = await shopper.ask('POST', '/v1/checkout', { cart_id: path.split('/').at(-1) }, { traceparent })
    expect(status).to.equal(200)
    const sent = stage.sent()
    expect(sent.map(({ method, path }) => `${method} ${path}`)).to.include('POST /acme-live/orders')
    expect(new Set(sent.map(({ headers }) => headers.traceparent))).to.deep.equal(new Set([traceparent]))
  })

  it('is that of the request that asked first, for a call that others share', async () => {
    const sent = await shareInventoryCall(stage, product(), { traceparent }, { traceparent: other })
    const traces = (asked: System) =>
      sent.filter(({ system }) => system === asked).map(({ headers }) => headers.traceparent)
    expect(traces('inventory')).to.deep.equal([traceparent])
    expect(traces('pricing')).to.deep.equal([traceparent, other])
  })

  it('does not go with what is refreshed behind an answer, of the answer as of its sections', async () => {
    await ask(product())
    stage.sent()
    now += 15_000
    const { headers } = await ask(product(), { traceparent })
    expect(headers['cache-status']).to.match(/^forecourt; hit/)
    const refreshed: unknown[] = []
    await until('the stock of the answer is asked for again', () => refreshed.push(...told()) > 0)
    expect(refreshed).to.deep.equal([['inventory', undefined, undefined]])

    // Another product: the stock of the first is kept whenever its answer comes, which may be after the clock goes on.
    const next = `/v1/products/${stage.sku(at + 20)}`
    await ask(next)
    stage.sent()
    now += 15_000
    expect((await ask(`${next}/availability`, { traceparent })).status).to.equal(200)
    const again: unknown[] = []
    await until('the stock is asked for again', () => again.push(...told()) > 0)
    expect(again).to.deep.equal([['inventory', undefined, undefined]])
  })

  it('is in the line of the access log, of reads from the cache too, and a stranger’s is not', async () => {
    const cached = product()
    const lines = { first: 'x-first', cached: 'x-cached', none: 'x-none', stranger: 'x-stranger' }
    await ask(cached, { traceparent, 'x-request-id': lines.first })
    await ask(cached, { traceparent: other, 'x-request-id': lines.cached })
    await ask(cached, { 'x-request-id': lines.none })
    const headers = { traceparent, 'x-request-id': lines.stranger }
    expect((await stage.ask(cached, { key: `${stage.own}x`, headers })).status).to.equal(401)
    const logged = (await stage.logged())
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
