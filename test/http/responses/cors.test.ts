import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'

const SHOP = 'https://shop.example'
const PATH = '/v1/products/BP-1001'

describe('CORS', () => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi()
    key = await api.key({ origins: [SHOP, 'https://staging.shop.example:8443'] })
  })
  after(() => api[Symbol.asyncDispose]())

  const read = (origin: string, more: { key?: string; path?: string; headers?: Record<string, string> } = {}) =>
    api.request(more.path ?? PATH, { key: more.key ?? key, headers: { origin, ...more.headers } })
  const list = (header: string | undefined) => (header ?? '').toLowerCase().split(/, */)

  it('responds to a preflight without a key, with all that a storefront sends', async () => {
    for (const path of [PATH, '/v1/availability/batch', '/v1/carts', '/v1/nowhere']) {
      const { status, headers } = await api.request(path, {
        method: 'OPTIONS',
        headers: {
          origin: SHOP,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,if-none-match,x-storefront-shopper-token',
        },
      })
      expect(status, path).to.equal(204)
      expect(headers['access-control-allow-origin']).to.equal(SHOP)
      expect(list(headers['access-control-allow-methods'])).to.include.members([
        'get',
        'head',
        'post',
        'patch',
        'delete',
      ])
      const sent = ['authorization', 'content-type', 'if-none-match', 'if-match', 'idempotency-key']
      expect(list(headers['access-control-allow-headers'])).to.include.members([...sent, 'x-storefront-shopper-token'])
      expect(Number(headers['access-control-max-age'])).to.be.greaterThan(0)
      expect(list(headers.vary)).to.include('origin')
    }
  })

  it('lets a page read why a key or a token in another header does not count', async () => {
    const asked = { origin: SHOP, 'access-control-request-method': 'GET' }
    const { headers } = await api.request(PATH, { method: 'OPTIONS', headers: asked })
    expect(list(headers['access-control-allow-headers'])).to.include.members(['x-api-key', 'x-shopper-token'])
    const refused = await api.request(PATH, { headers: { origin: SHOP, 'x-api-key': key } })
    expect([refused.status, refused.body.detail, refused.headers['access-control-allow-origin']]).to.deep.equal([
      401,
      'The header X-API-Key is not read. Send your API key as Authorization: Bearer <key>.',
      SHOP,
    ])
  })

  it('lets a page of an allowed origin read the response and its headers', async () => {
    for (const origin of [SHOP, 'https://staging.shop.example:8443']) {
      const { status, headers } = await read(origin)
      expect([status, headers['access-control-allow-origin']]).to.deep.equal([200, origin])
      expect(list(headers['access-control-expose-headers'])).to.include.members([
        ...['etag', 'retry-after', 'ratelimit', 'ratelimit-policy', 'x-ratelimit-limit', 'x-ratelimit-remaining'],
        ...['x-ratelimit-reset', 'x-service-mode', 'x-request-id', 'idempotent-replayed', 'forecourt-complete'],
        'cache-status',
      ])
      expect(list(headers.vary)).to.include('origin')
      expect(headers).to.not.have.property('access-control-allow-credentials')
    }
  })

  for (const origin of [
    'https://evil.example',
    'http://shop.example',
    'https://shop.example:444',
    'https://shop.example.evil.example',
    'https://SHOP.example',
    'https://shop.example/',
    'null',
    '*',
    '',
  ]) {
    it(`rejects "${origin}" with a response that the page can read`, async () => {
      const { status, body, headers } = await read(origin)
      expect([status, body.code]).to.deep.equal([403, 'origin_not_allowed'])
      expect(body.detail).to.include('keys issue --origins')
      expect(headers['access-control-allow-origin']).to.equal(origin)
      expect(list(headers['access-control-expose-headers'])).to.include('x-request-id')
    })
  }

  it('rejects every origin where the key allows none', async () => {
    const { status } = await read(SHOP, { key: await api.key() })
    expect(status).to.equal(403)
  })

  it('accepts * as any origin for sandbox keys only', async () => {
    expect((await read('https://any.example', { key: await api.key({ origins: ['*'] }) })).status).to.equal(200)
    const live = await api.key({ origins: ['*'], mode: 'live' })
    expect((await read('https://any.example', { key: live })).status).to.equal(403)
  })

  it('does not check a request without an origin', async () => {
    expect((await api.request(PATH, { key })).status).to.equal(200)
  })

  it('does not check secret keys, but keeps the response from pages and says why', async () => {
    const secret = await api.key({ kind: 'secret' })
    for (const [path, status] of [
      [PATH, 200],
      ['/v1/products/NOPE-1', 404],
      // These have hints of their own, which are less urgent.
      ['/v1/products?categry=brakes', 200],
      ['/v1/products/undefined', 404],
      ['/v1/events?since=yesterday', 422],
    ] as const) {
      const reply = await read('https://evil.example', { key: secret, path })
      expect(reply.status).to.equal(status)
      expect(reply.headers).to.include({ 'access-control-allow-origin': 'https://secret-key-in-a-page.invalid' })
      expect(reply.headers['forecourt-hint']).to.match(/^A secret key must never be in a page: .*keys revoke/)
    }
  })

  it('has no hint for a server, which sends no origin', async () => {
    const { headers } = await api.request(PATH, { key: await api.key({ kind: 'secret' }) })
    expect(headers).to.not.have.any.keys('forecourt-hint', 'access-control-allow-origin')
  })

  it('lets the page read errors: 401, 404, 405, 422, 429', async () => {
    const exhaustedKey = await api.key({ origins: [SHOP], rate: 1 })
    await read(SHOP, { key: exhaustedKey, path: '/v1/ping' })
    const failures = [
      [401, await api.request(PATH, { headers: { origin: SHOP } })],
      [401, await read(SHOP, { key: 'nonsense' })],
      [404, await read(SHOP, { path: '/v1/products/NOPE-1' })],
      [405, await api.request('/v1/products', { key, method: 'DELETE', headers: { origin: SHOP } })],
      [422, await read(SHOP, { path: '/v1/products?limit=0' })],
      [429, await read(SHOP, { key: exhaustedKey })],
    ] as const
    for (const [status, reply] of failures) {
      expect(reply.status).to.equal(status)
      expect(reply.headers['access-control-allow-origin'], String(status)).to.equal(SHOP)
    }
  })

  it('lets the page read a 304', async () => {
    const { headers } = await read(SHOP)
    const again = await read(SHOP, { headers: { 'if-none-match': headers.etag! } })
    expect([again.status, again.headers['access-control-allow-origin']]).to.deep.equal([304, SHOP])
  })

  it('does not count a rejected origin', async () => {
    const one = await api.key({ origins: [SHOP], rate: 1 })
    for (let i = 0; i < 3; i++) expect((await read('https://evil.example', { key: one })).status).to.equal(403)
    expect((await read(SHOP, { key: one })).status).to.equal(200)
  })
})
