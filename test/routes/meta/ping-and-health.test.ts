import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'

describe('diagnostics', () => {
  let api: Api

  before(async () => {
    api = await startApi()
  })
  after(() => api[Symbol.asyncDispose]())

  describe('GET /v1/ping', () => {
    const catalogAndAuth = ['storefront:catalog', 'storefront:auth']
    const secret = [
      ...catalogAndAuth,
      ...['customer', 'cart', 'checkout', 'orders', 'invoices', 'webhooks'].map((scope) => `storefront:${scope}`),
    ]

    for (const kind of ['publishable', 'secret'] as const) {
      for (const mode of ['sandbox', 'live'] as const) {
        it(`returns the data of a ${kind} ${mode} key, but not the key`, async () => {
          const { key, record } = await api.issueKey({ merchant: 'zenith', kind, mode, rate: 77 })
          const { body, text, headers } = await api.request('/v1/ping', { key })
          expect(body).to.deep.equal({
            tenant_id: 'zenith',
            key_id: record.key_id,
            key_kind: kind.toUpperCase(),
            scopes: kind === 'secret' ? secret : catalogAndAuth,
            mode,
            rate_limit_per_minute: 77,
          })
          expect(text).to.not.include(key)
          expect(headers['cache-control']).to.equal('private, no-store')
        })
      }
    }

    it('accepts a key without any scope', async () => {
      const { status, body } = await api.request('/v1/ping', { key: await api.key({ scopes: [] }) })
      expect([status, body.scopes]).to.deep.equal([200, []])
    })
  })

  describe('GET /health', () => {
    it('requires no key, and contains no host name', async () => {
      const { status, body, headers } = await api.request('/health')
      const { time, uptime_seconds, version, ...rest } = body
      expect(status).to.equal(200)
      const { id } = rest.checks.store
      expect(id).to.match(/^[\w-]{16}$/)
      expect(rest).to.deep.equal({
        status: 'ok',
        checks: { store: { status: 'ok', id }, upstreams: { status: 'ok' }, webhooks: { status: 'ok', backlog: 0 } },
      })
      expect(Date.parse(time)).to.be.within(Date.now() - 60_000, Date.now())
      expect(uptime_seconds).to.be.at.least(0)
      expect(version).to.match(/^\d+\.\d+\.\d+/)
      expect(headers['cache-control']).to.equal('no-store')
    })
  })

  describe('GET /livez and /readyz', () => {
    it('require no key, and are 200 also while an upstream system is down', async () => {
      await api.fault('pricing', { refuse: true })
      for (const [path, body] of [
        ['/livez', { status: 'ok' }],
        ['/readyz', { status: 'ready', store: 'ok' }],
      ] as const) {
        const reply = await api.request(path)
        expect([reply.status, reply.body]).to.deep.equal([200, body])
        expect(reply.headers['cache-control']).to.equal('no-store')
        expect((await api.request(path, { method: 'POST' })).status).to.equal(405)
      }
      await api.clearFaults()
    })
  })

  describe('/openapi.json and /docs', () => {
    it('describes every path of the issue', async () => {
      const { paths, openapi, info } = (await api.request('/openapi.json')).body
      expect([openapi, info.version]).to.deep.equal(['3.1.0', '1.0.0'])
      expect(Object.keys(paths)).to.have.members([
        ...['/health', '/v1/ping', '/v1/products', '/v1/products/{sku}', '/v1/categories', '/v1/tags'],
        ...['/v1/lookup', '/v1/suggest'],
        ...['/v1/products/{sku}/availability', '/v1/availability/batch', '/v1/vehicles/years', '/v1/vehicles/makes'],
        ...['/v1/vehicles/models', '/v1/vehicles/{vehicle_id}/products', '/v1/products/{sku}/fitments'],
        ...['/v1/shoppers', '/v1/shoppers/login', '/v1/shoppers/refresh', '/v1/shoppers/logout', '/v1/shoppers/verify'],
        ...['/v1/shoppers/password-reset', '/v1/shoppers/password-reset/confirm', '/v1/me', '/v1/me/credit-status'],
        ...[
          '/v1/carts',
          '/v1/carts/current',
          '/v1/carts/{cart_id}',
          '/v1/carts/{cart_id}/lines',
          '/v1/carts/{cart_id}/lines/{line_id}',
        ],
        '/v1/carts/{cart_id}/delivery-options',
        ...['/v1/carts/{cart_id}/price', '/v1/carts/{cart_id}/promotions', '/v1/carts/{cart_id}/promotions/{code}'],
        ...['/v1/checkout', '/v1/checkout/{order_id}/payment-status', '/v1/orders', '/v1/orders/{order_id}'],
        ...[
          '/v1/orders/{order_id}/cancel',
          '/v1/orders/{order_id}/reorder',
          '/v1/invoices',
          '/v1/invoices/{invoice_id}',
          '/v1/invoices/{invoice_id}/document',
          '/v1/me/back-in-stock',
          '/v1/products/{sku}/back-in-stock',
        ],
        ...['', '/disable', '/enable', '/rotate-secret', '/ping', '/deliveries', '/recover'].map(
          (call) => `/v1/webhooks/{subscription_id}${call}`,
        ),
        ...['', '/redeliver'].map((call) => `/v1/webhooks/{subscription_id}/deliveries/{delivery_id}${call}`),
        ...['/v1/webhooks', '/v1/events', '/hooks/{merchant}/{system}'],
        '/media/{merchant}/{mode}/{source}/{version}/{size}.webp',
      ])
    })

    it('contains the sections of a read, and the bounds of its query', async () => {
      const { paths } = (await api.request('/openapi.json')).body
      const list = paths['/v1/products'].get
      expect(list['x-sections']).to.deep.equal({
        required: ['data'],
        optional: ['facets', 'fitment', 'price', 'tax', 'availability', 'media'],
      })
      const limit = list.parameters.find(({ name }: { name: string }) => name === 'limit')
      expect(limit.schema).to.deep.include({ type: 'integer', minimum: 1, maximum: 200, default: 50 })
      expect(Object.keys(list.responses)).to.include.members(['200', '304', '401', '403', '422', '429', '504'])
    })

    it('contains no broken reference', async () => {
      const { body, text } = await api.request('/openapi.json')
      const named = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!)
      expect(named.length).to.be.greaterThan(20)
      for (const name of named) expect(body.components.schemas, name).to.have.property(name)
    })

    it('serves the API reference from this process only, with a strict policy', async () => {
      const page = await api.request('/docs')
      expect(page.headers['content-type']).to.match(/^text\/html/)
      expect(page.headers['content-security-policy']).to.match(/default-src 'none'/)
      expect(page.headers['content-security-policy']).to.not.match(/unsafe|https?:|\*/)
      const [nonce] = /'nonce-[\w-]{22}'/.exec(String(page.headers['content-security-policy']))!
      expect(page.text).to.include(nonce.slice("'nonce-".length, -1))
      const again = await api.request('/docs')
      expect(again.headers['content-security-policy']).to.not.include(nonce)
      expect(again.headers['cache-control']).to.equal('no-store')
      const linked = [...page.text.matchAll(/<(?:link|script) [^>]*(?:src|href)="([^"]+)"/g)].map(([, url]) => url!)
      expect(linked).to.have.members(
        ['icon.svg', 'reference.css', 'start.js', 'scalar.js'].map((name) => `/docs/${name}`),
      )
      for (const url of linked) {
        expect(url).to.match(/^\/docs\//)
        expect((await api.request(url)).status, url).to.equal(200)
      }
      expect(page.text).to.not.match(/<script>|<style|style="|onload=/)
    })

    for (const path of ['/openapi.json', '/docs/reference.json', '/docs/scalar.js'])
      it(`serves ${path} compressed, and 304 for each coding’s own ETag`, async () => {
        const plain = await api.request(path)
        for (const coding of ['br', 'gzip']) {
          const headers = { 'accept-encoding': coding }
          const reply = await api.request(path, { headers })
          expect(reply.text === plain.text, 'the same text').to.equal(true)
          expect(reply.headers).to.include({ 'content-encoding': coding, vary: 'Accept-Encoding' })
          expect(reply.headers.etag).to.match(/^"/).and.not.equal(plain.headers.etag)
          const again = await api.request(path, { headers: { ...headers, 'if-none-match': reply.headers.etag! } })
          expect(again).to.include({ status: 304, text: '' })
        }
        const again = await api.request(path, { headers: { 'if-none-match': plain.headers.etag! } })
        expect(again).to.include({ status: 304, text: '' })
      })

    for (const asset of ['..%2Fpackage.json', 'reference.ts', '__proto__', 'index.js']) {
      it(`serves no other file: ${asset}`, async () => {
        expect((await api.request(`/docs/${asset}`)).status).to.equal(404)
      })
    }
  })
})
