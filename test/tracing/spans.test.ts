import { expect } from 'chai'
import { hang, inSequence, respondJson } from '../support/scripted-upstream.ts'
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
const unsampled = `00-${TRACE}-${CALLER}-00`

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
  it('are those of the request, its sections and its calls, each below what it is a part of', async () => {
    await using stage = await startTracedApi({})
    const path = `/v1/products/${stage.sku(0)}`
    const headers = { traceparent, tracestate: 'rojo=1', 'x-request-id': 'x-tree' }
    await stage.ask(`${path}?debug=private`, { key: stage.own, headers })
    const sent = stage.sent()
    const spans = (await stage.spans()).filter(({ traceId }) => traceId === TRACE)
    expect(treeOf(spans, CALLER)).to.deep.equal({
      getProduct: {
        'fan-out': {
          'accounting taxes': {},
          'inventory items': {},
          'pricing prices': {},
          'section availability': {},
          'section media': {},
          'section price': {},
          'section product': {},
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
    // Each system was told of the span that stands for its call.
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

  it('say what failed, how often it was asked, and why', async () => {
    await using stage = await startTracedApi({})
    stage.play('pricing', inSequence(respondJson({ told: 'nobody' }, 503), respondJson({ told: 'nobody' }, 500)))
    const { body } = await stage.ask(`/v1/products/${stage.sku(0)}`, { key: stage.own, headers: { traceparent } })
    expect(body.errors).to.have.lengthOf(1)
    const spans = (await stage.spans()).filter(({ traceId }) => traceId === TRACE)
    const call = one(spans, 'pricing prices')
    expect(call.attributes).to.include({
      'forecourt.attempts': 2,
      'forecourt.outcome': 'error',
      'forecourt.cause': 'answered 500',
    })
    expect(call.events).to.deep.equal([{ name: 'retry', attributes: { 'forecourt.cause': 'answered 503' } }])
    expect(one(spans, 'section price').attributes).to.deep.equal({
      'forecourt.outcome': 'error',
      'forecourt.system': 'pricing',
      'forecourt.code': 'downstream_error',
      'forecourt.cause': 'answered 500',
    })
    expect(spans.filter(({ failed }) => failed).map(({ name }) => name)).to.have.members([
      'pricing prices',
      'section price',
      'fan-out',
      'getProduct',
    ])
    expect(JSON.stringify(stage.collected.map((seen) => seen.body))).to.not.include('nobody')
  })

  it('end, all of them, when a required section fails and the others are given up', async () => {
    await using stage = await startTracedApi({})
    stage.play('inventory', respondJson({}, 500))
    const pricing = stage.hold('pricing')
    const { status } = await stage.ask(`/v1/products/${stage.sku(0)}`, { key: stage.own, headers: { traceparent } })
    pricing.release()
    expect(status).to.equal(502)
    const spans = (await stage.spans()).filter(({ traceId }) => traceId === TRACE)
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

  it('of a call that requests share are the first one’s, and the others lead to it', async () => {
    await using stage = await startTracedApi({})
    const path = `/v1/products/${stage.sku(0)}`
    await shareInventoryCall(stage, path, { traceparent }, {})
    const spans = await stage.spans()
    const calls = named(spans, 'inventory items').filter(({ attributes }) => !attributes['forecourt.owner'])
    expect(calls.map(({ traceId }) => traceId)).to.deep.equal([TRACE])
    const own = spans.find(({ name, traceId }) => name === 'fan-out' && traceId === TRACE)!
    expect(own.links).to.deep.equal([])
    const other = spans.find(({ name, traceId, links }) => name === 'fan-out' && traceId !== TRACE && links.length > 0)!
    const link = other.links.find(({ spanId }) => spanId === calls[0]!.spanId)!
    expect(link.traceId).to.equal(TRACE)
    expect(link.attributes).to.include({ 'forecourt.system': 'inventory', 'forecourt.outcome': 'ok' })
  })

  it('are made of reads from the cache, of refusals and of pages without a key too', async () => {
    await using stage = await startTracedApi({})
    const path = `/v1/products/${stage.sku(0)}`
    await stage.ask(path, { key: stage.own })
    await stage.ask(path, { key: stage.own, headers: { 'x-request-id': 'x-hot', traceparent } })
    await stage.ask(`${path}x`, { key: `${stage.own}0`, headers: { 'x-request-id': 'x-refused', traceparent } })
    await stage.ask('/v1/health', { headers: { 'x-request-id': 'x-open' } }).catch(() => {})
    const key = stage.own
    await stage.ask(`/v1/nowhere/${key}?token=${key}`, { key, headers: { 'x-request-id': 'x-nowhere' } })
    const personal = `/v1/nowhere/ann%40home.example/${key.replace('svc_', 'svc%5F')}`
    await stage.ask(personal, { key, headers: { 'x-request-id': 'x-personal' } })
    const spans = await stage.spans()
    const of = (id: string) => spans.find(({ attributes }) => attributes['forecourt.request_id'] === id)!
    expect(of('x-hot')).to.include({ name: 'getProduct', traceId: TRACE, parentSpanId: CALLER })
    expect(of('x-hot').attributes).to.include({ 'forecourt.cache': 'hit', 'http.response.status_code': 200 })
    expect(of('x-refused').traceId).to.not.equal(TRACE)
    expect(of('x-refused').attributes).to.include({ 'forecourt.code': 'invalid_api_key' })
    expect(of('x-open').name).to.not.equal(undefined)
    expect(of('x-nowhere')).to.include({ name: 'GET', failed: false })
    expect(of('x-nowhere').attributes['url.path']).to.match(/^\/v1\/nowhere\/svc_live_pub_\[redacted\]$/)
    expect(of('x-personal').attributes['url.path']).to.match(/^\/v1\/nowhere\/\[redacted\]\/svc_live_pub_\[redacted\]$/)
    const collected = JSON.stringify(stage.collected)
    expect(collected).to.not.include(key)
    expect(collected).to.not.include('token=')
  })

  it('are made of what is refreshed with nobody waiting, as traces of their own', async () => {
    let now = Date.parse('2026-03-02T20:00:00Z')
    await using stage = await startTracedApi({}, { now: () => now })
    const path = `/v1/products/${stage.sku(0)}`
    await stage.ask(path, { key: stage.own })
    stage.sent()
    now += 15_000
    await stage.ask(path, { key: stage.own, headers: { traceparent } })
    let refreshed: string | undefined
    await until('its stock is asked for again', () => {
      refreshed ??= stage.sent()[0]?.headers.traceparent as string | undefined
      return refreshed !== undefined
    })
    const [, traceId, spanId] = refreshed!.split('-')
    // A call that the end of the API cuts off may have no span.
    await until('its span is sent', () => stage.collected.some(({ body }) => body.includes(spanId!)))
    const spans = await stage.spans()
    const { attributes, kind, ...span } = spans.find((span) => span.spanId === spanId)!
    expect({ kind, traceId: span.traceId }).to.deep.equal({ kind: SPAN_KIND_CLIENT, traceId })
    expect(span).to.not.have.property('parentSpanId')
    expect(attributes).to.include({ 'forecourt.owner': 'traced/live', 'forecourt.system': 'inventory' })
  })
})

describe('which requests have spans', () => {
  const ids = (spans: CollectedSpan[]) => spans.flatMap(({ attributes }) => attributes['forecourt.request_id'] ?? [])

  it('is for their caller to say, and for `sample` where it says nothing', async () => {
    await using stage = await startTracedApi({ sample: 0 })
    const ask = (at: number, id: string, headers: object, key = stage.own) =>
      stage.ask(`/v1/products/${stage.sku(at)}`, { key, headers: { 'x-request-id': id, ...headers } })
    stage.sent()
    await ask(0, 'x-yes', { traceparent })
    await ask(1, 'x-nothing', {})
    const [made] = stage.sent().filter(({ headers }) => headers['x-request-id'] === 'x-nothing')
    await ask(2, 'x-stranger', { traceparent }, `${stage.own}x`)
    const { key } = await stage.issue({ merchant: 'traced', mode: 'live', rate: 1 })
    await ask(2, 'x-once', { traceparent }, key)
    expect((await ask(3, 'x-too-often', { traceparent }, key)).status).to.equal(429)
    expect(made!.headers.traceparent).to.match(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
    expect(ids(await stage.spans())).to.have.members(['x-yes', 'x-once'])
  })

  it('is not those whose caller says no, whose trace goes on as it came', async () => {
    await using stage = await startTracedApi({ sample: 1 })
    stage.sent()
    await stage.ask(`/v1/products/${stage.sku(0)}`, { key: stage.own, headers: { traceparent: unsampled } })
    expect(stage.sent().map(({ headers }) => headers.traceparent)).to.deep.equal(Array(3).fill(unsampled))
    expect((await stage.spans()).filter(({ traceId }) => traceId === TRACE)).to.deep.equal([])
  })

  it('is about the share that is configured', async () => {
    await using stage = await startTracedApi({ sample: 0.25 })
    const asked = Array.from({ length: 400 }, (_, at) =>
      stage.ask('/v1/ping', { key: stage.own, headers: { 'x-request-id': `x-${at}` } }),
    )
    await Promise.all(asked)
    // Ten standard deviations wide.
    expect(ids(await stage.spans()).filter((id) => String(id).startsWith('x-'))).to.have.length.within(20, 190)
  })
})

describe('a collector', () => {
  it('is sent the headers that are configured, the name of the program, and nothing secret', async () => {
    await using stage = await startTracedApi({ headers: { 'X-Tenant': 'shop' } })
    await stage.ask('/v1/ping', { key: stage.own })
    await stage.spans()
    const { headers, path, body } = stage.collected[0]!
    expect([path, headers['x-tenant'], headers['content-type']]).to.deep.equal([
      '/v1/traces',
      'shop',
      'application/json',
    ])
    expect(body).to.include('"service.name"').and.to.include('"forecourt"')
    expect(body).to.not.include(stage.own)
  })

  it('that is away costs the spans, and is told of once', async () => {
    await using stage = await startTracedApi(
      { headers: { authorization: 'Bearer secret' } },
      { now: () => 1_795_000_000_000 },
      respondJson({ said: 'page' }, 404),
    )
    const ask = () => stage.ask('/v1/ping', { key: stage.own })
    for (let n = 0; n < 600; n += 100) {
      const replies = await Promise.all(Array.from({ length: 100 }, ask))
      expect(replies.every(({ status }) => status === 200)).to.equal(true)
    }
    const lines = (await stage.logged()).split('\n').filter((line) => line.includes('collector'))
    expect(lines).to.have.lengthOf(1)
    expect(JSON.parse(lines[0]!)).to.include({ level: 40 }).and.to.have.property('lost').above(0)
    expect(lines[0]).to.not.include('page').and.to.not.include('secret')
    expect(stage.collected.length).to.be.above(1)
  })

  it('that never answers does not keep the program from ending', async () => {
    await using stage = await startTracedApi({}, {}, hang)
    await stage.ask('/v1/ping', { key: stage.own })
    await stage.spans()
    expect(stage.collected).to.not.deep.equal([])
  })
})
