import { expect } from 'chai'
import { inSequence, respondJson } from '../support/scripted-upstream.ts'
import { until } from '../support/until.ts'
import {
  type CollectedSpan,
  SPAN_KIND_CLIENT,
  SPAN_KIND_SERVER,
  shareInventoryCall,
  startTracedApi,
} from './tracing-setup.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'
const traceparent = `00-${TRACE}-${CALLER}-01`
const named = (spans: CollectedSpan[], name: string) => spans.filter((span) => span.name === name)
const one = (spans: CollectedSpan[], name: string): CollectedSpan => {
  expect(named(spans, name), name).to.have.lengthOf(1)
  return named(spans, name)[0]!
}
/** Names below names, as parents have children. */
function treeOf(spans: CollectedSpan[], under: string | undefined): object {
  const children = spans.filter(({ parentSpanId }) => parentSpanId === under)
  const sorted = children.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return Object.fromEntries(sorted.map(({ name, spanId }) => [name, treeOf(spans, spanId)]))
}

describe('spans', () => {
  it('of the request, its sections and its calls are nested', async () => {
    await using api = await startTracedApi({})
    const path = `/v1/products/${api.sku(0)}`
    const headers = { traceparent, tracestate: 'rojo=1', 'x-request-id': 'x-tree' }
    await api.request(`${path}?debug=private`, { key: api.ownKey, headers })
    const sent = api.takeRequests()
    const spans = (await api.spans()).filter(({ traceId }) => traceId === TRACE)
    expect(treeOf(spans, CALLER)).to.deep.equal({
      getProduct: {
        'fan-out': {
          'accounting taxes': {},
          'inventory items': {},
          'pricing prices': {},
          'references current': {},
          'section availability': {},
          'section media': {},
          'section price': {},
          'section product': {},
          'section references': {},
          'section tax': {},
        },
      },
    })
    const { kind, failed, attributes, traceState } = one(spans, 'getProduct')
    expect({ kind, failed, traceState }).to.deep.equal({ kind: SPAN_KIND_SERVER, failed: false, traceState: 'rojo=1' })
    expect(attributes).to.deep.equal({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'url.path': path,
      'forecourt.operation': 'getProduct',
      'forecourt.request_id': 'x-tree',
      'forecourt.merchant': 'traced',
      'forecourt.mode': 'live',
      'forecourt.cache': 'miss',
      'forecourt.deadline_ms': 30_000,
    })
    const call = one(spans, 'pricing prices')
    expect(call.kind).to.equal(SPAN_KIND_CLIENT)
    expect(call.attributes).to.include({
      'forecourt.system': 'pricing',
      'forecourt.call': 'prices',
      'forecourt.attempts': 1,
      'forecourt.outcome': 'ok',
    })
    // Each system received the span of its call as the parent.
    for (const { system, headers } of sent) {
      const { spanId } = spans.find(({ kind, name }) => kind === SPAN_KIND_CLIENT && name.startsWith(system))!
      expect([headers.traceparent, headers.tracestate]).to.deep.equal([`00-${TRACE}-${spanId}-01`, 'rojo=1'])
    }
    const times = spans.map(({ startTimeUnixNano, endTimeUnixNano }) =>
      [startTimeUnixNano, endTimeUnixNano].map(BigInt),
    )
    const [from, to] = times[spans.indexOf(one(spans, 'getProduct'))]!
    expect(times.every(([start, end]) => start! >= from! && start! <= end! && end! <= to!)).to.equal(true)
  })

  it('contain failures, retries and causes', async () => {
    await using api = await startTracedApi({})
    api.setScript('pricing', inSequence(respondJson({ told: 'nobody' }, 503), respondJson({ told: 'nobody' }, 500)))
    const { body } = await api.request(`/v1/products/${api.sku(0)}`, {
      key: api.ownKey,
      headers: { traceparent },
    })
    expect(body.errors).to.have.lengthOf(1)
    const spans = (await api.spans()).filter(({ traceId }) => traceId === TRACE)
    const call = one(spans, 'pricing prices')
    expect(call.attributes).to.include({
      'forecourt.attempts': 2,
      'forecourt.outcome': 'error',
      'forecourt.cause': 'responded 500',
    })
    expect(call.events).to.deep.equal([{ name: 'retry', attributes: { 'forecourt.cause': 'responded 503' } }])
    expect(one(spans, 'section price').attributes).to.deep.equal({
      'forecourt.outcome': 'error',
      'forecourt.system': 'pricing',
      'forecourt.code': 'downstream_error',
      'forecourt.cause': 'responded 500',
    })
    expect(spans.filter(({ failed }) => failed).map(({ name }) => name)).to.have.members([
      'pricing prices',
      'section price',
      'fan-out',
      'getProduct',
    ])
    expect(JSON.stringify(api.collected.map((seen) => seen.body))).to.not.include('nobody')
  })

  it('all end when a required section fails and the others are aborted', async () => {
    await using api = await startTracedApi({})
    api.setScript('inventory', respondJson({}, 500))
    const pricing = api.hold('pricing')
    const { status } = await api.request(`/v1/products/${api.sku(0)}`, {
      key: api.ownKey,
      headers: { traceparent },
    })
    pricing.release()
    expect(status).to.equal(502)
    const spans = (await api.spans()).filter(({ traceId }) => traceId === TRACE)
    expect(
      Object.keys((treeOf(spans, CALLER) as Record<string, Record<string, object>>).getProduct!['fan-out']!),
    ).to.include.members(['section product', 'section price', 'pricing prices', 'inventory items'])
    expect(one(spans, 'pricing prices').attributes['forecourt.outcome']).to.equal('aborted')
    expect(one(spans, 'getProduct')).to.include({ failed: true })
    expect(one(spans, 'getProduct').attributes).to.include({
      'forecourt.code': 'downstream_error',
      'http.response.status_code': 502,
    })
  })

  it('of a shared call belong to the first request, and are linked from the others', async () => {
    await using api = await startTracedApi({})
    const path = `/v1/products/${api.sku(0)}`
    await shareInventoryCall(api, path, { traceparent }, {})
    const spans = await api.spans()
    const calls = named(spans, 'inventory items').filter(({ attributes }) => !attributes['forecourt.owner'])
    expect(calls.map(({ traceId }) => traceId)).to.deep.equal([TRACE])
    const own = spans.find(({ name, traceId }) => name === 'fan-out' && traceId === TRACE)!
    expect(own.links).to.deep.equal([])
    const other = spans.find(({ name, traceId, links }) => name === 'fan-out' && traceId !== TRACE && links.length > 0)!
    const link = other.links.find(({ spanId }) => spanId === calls[0]!.spanId)!
    expect(link.traceId).to.equal(TRACE)
    expect(link.attributes).to.include({ 'forecourt.system': 'inventory', 'forecourt.outcome': 'ok' })
  })

  it('cover cached reads, refusals and requests without a key', async () => {
    await using api = await startTracedApi({})
    const path = `/v1/products/${api.sku(0)}`
    await api.request(path, { key: api.ownKey })
    await api.request(path, { key: api.ownKey, headers: { 'x-request-id': 'x-hot', traceparent } })
    await api.request(`${path}x`, { key: `${api.ownKey}0`, headers: { 'x-request-id': 'x-refused', traceparent } })
    await api.request('/v1/health', { headers: { 'x-request-id': 'x-open' } }).catch(() => {})
    const key = api.ownKey
    await api.request(`/v1/nowhere/${key}?token=${key}`, { key, headers: { 'x-request-id': 'x-nowhere' } })
    const personal = `/v1/nowhere/ann%40home.example/${key.replace('svc_', 'svc%5F')}`
    await api.request(personal, { key, headers: { 'x-request-id': 'x-personal' } })
    const spans = await api.spans()
    const of = (id: string) => spans.find(({ attributes }) => attributes['forecourt.request_id'] === id)!
    expect(of('x-hot')).to.include({ name: 'getProduct', traceId: TRACE, parentSpanId: CALLER })
    expect(of('x-hot').attributes).to.include({ 'forecourt.cache': 'hit', 'http.response.status_code': 200 })
    expect(of('x-refused').traceId).to.not.equal(TRACE)
    expect(of('x-refused').attributes).to.include({ 'forecourt.code': 'invalid_api_key' })
    expect(of('x-open').name).to.not.equal(undefined)
    expect(of('x-nowhere')).to.include({ name: 'GET', failed: false })
    expect(of('x-nowhere').attributes['url.path']).to.match(/^\/v1\/nowhere\/svc_live_pub_\[redacted\]$/)
    expect(of('x-personal').attributes['url.path']).to.match(/^\/v1\/nowhere\/\[redacted\]\/svc_live_pub_\[redacted\]$/)
    const collected = JSON.stringify(api.collected)
    expect(collected).to.not.include(key)
    expect(collected).to.not.include('token=')
  })

  it('of background refreshes are traces of their own', async () => {
    let now = Date.parse('2026-03-02T20:00:00Z')
    await using api = await startTracedApi({}, { now: () => now })
    const path = `/v1/products/${api.sku(0)}`
    await api.request(path, { key: api.ownKey })
    api.takeRequests()
    now += 15_000
    await api.request(path, { key: api.ownKey, headers: { traceparent } })
    let refreshed: string | undefined
    await until('its stock is asked for again', () => {
      refreshed ??= api.takeRequests()[0]?.headers.traceparent as string | undefined
      return refreshed !== undefined
    })
    const [, traceId, spanId] = refreshed!.split('-')
    // A call that is cut off by shutdown may have no span.
    await until('its span is sent', () => api.collected.some(({ body }) => body.includes(spanId!)))
    const spans = await api.spans()
    const { attributes, kind, ...span } = spans.find((span) => span.spanId === spanId)!
    expect({ kind, traceId: span.traceId }).to.deep.equal({ kind: SPAN_KIND_CLIENT, traceId })
    expect(span).to.not.have.property('parentSpanId')
    expect(attributes).to.include({ 'forecourt.owner': 'traced/live', 'forecourt.system': 'inventory' })
  })
})
