import { expect } from 'chai'
import { type Api, type Reply, startApi } from '../../support/api.ts'

const PATH = '/v1/products/BP-1001'

describe('the rate limit of a key', () => {
  let api: Api

  before(async () => {
    api = await startApi()
  })
  after(() => api[Symbol.asyncDispose]())

  const remainingOf = ({ headers }: Reply) => Number(headers['x-ratelimit-remaining'])

  function agrees({ headers }: Reply, limit: number, remaining: number): void {
    const reset = Number(headers['x-ratelimit-reset'])
    expect(reset).to.be.within(1, 60)
    expect(headers['ratelimit-policy']).to.match(new RegExp(`^"key";q=${limit};w=60(?:, "client";q=1000000;w=60)?$`))
    expect(headers.ratelimit).to.match(new RegExp(`^"key";r=${remaining};t=${reset}(?:, "client";r=\\d+;t=\\d+)?$`))
    expect(headers).to.include({
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(remaining),
    })
  }

  it('is reported and counted down on every response, whatever its status', async () => {
    const key = await api.key({ rate: 10 })
    const paths = ['/v1/ping', PATH, PATH, '/v1/products/NOPE-1', '/v1/products?limit=0', '/v1/tags']
    for (const [at, path] of paths.entries()) agrees(await api.request(path, { key }), 10, 9 - at)
  })

  it('counts unknown paths and unsupported methods', async () => {
    const key = await api.key({ rate: 2 })
    agrees(await api.request('/v1/nothing', { key }), 2, 1)
    agrees(await api.request(PATH, { key, method: 'DELETE' }), 2, 0)
    expect((await api.request('/v1/nothing', { key })).status).to.equal(429)
  })

  it('ends in 429 with Retry-After', async () => {
    const key = await api.key({ rate: 2 })
    await api.request(PATH, { key })
    await api.request(PATH, { key })
    for (const path of [PATH, '/v1/ping', '/v1/products?limit=0']) {
      const reply = await api.request(path, { key })
      expect([reply.status, reply.body.code]).to.deep.equal([429, 'rate_limited'])
      expect(Number(reply.headers['retry-after'])).to.be.within(1, 60)
      expect(reply.headers['cache-control']).to.equal('no-store')
      agrees(reply, 2, 0)
    }
  })

  it('is separate for each key', async () => {
    const [one, other] = [await api.key({ rate: 1 }), await api.key({ rate: 1 })]
    await api.request('/v1/ping', { key: one })
    expect((await api.request('/v1/ping', { key: one })).status).to.equal(429)
    expect((await api.request('/v1/ping', { key: other })).status).to.equal(200)
  })

  it('is 600 a minute for a publishable key, 60 of them for one client, and 1200 for a secret one by default', async () => {
    const defaults = { rate: undefined, ratePerClient: undefined }
    const secret = await api.key({ kind: 'secret', ...defaults })
    agrees(await api.request('/v1/ping', { key: secret }), 1_200, 1_199)
    const key = await api.key(defaults)
    // The second response to the path comes from the cache.
    for (const [at, path] of ['/v1/ping', PATH, PATH].entries()) {
      const { headers } = await api.request(path, { key })
      expect(headers['ratelimit-policy']).to.equal('"key";q=600;w=60, "client";q=60;w=60')
      expect(headers.ratelimit).to.match(new RegExp(`^"key";r=${599 - at};t=\\d+, "client";r=${59 - at};t=\\d+$`))
      expect(headers).to.include({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': `${59 - at}` })
    }
  })

  it('of a client leaves the rest of the key to others', async () => {
    await using behindProxy = await startApi({ trustedProxies: ['loopback'] })
    const key = await behindProxy.key({ rate: 100, ratePerClient: 2 })
    const read = async (address: string) =>
      (await behindProxy.request(PATH, { key, headers: { 'x-forwarded-for': address } })).status
    expect([await read('192.0.2.1'), await read('192.0.2.1'), await read('192.0.2.1')]).to.deep.equal([200, 200, 429])
    expect([await read('192.0.2.2'), await read('203.0.113.7, 192.0.2.1')]).to.deep.equal([200, 429])
  })

  it('refunds every 304', async () => {
    const key = await api.key({ rate: 3 })
    const first = await api.request(PATH, { key })
    const headers = { 'if-none-match': first.headers.etag! }
    for (let i = 0; i < 10; i++) {
      const reply = await api.request(PATH, { key, headers })
      expect(reply.status).to.equal(304)
      expect(remainingOf(reply)).to.equal(2)
    }
    agrees(await api.request('/v1/ping', { key }), 3, 1)
  })

  it('refunds a 304 outside the cache fast path too', async () => {
    const key = await api.key({ rate: 3, origins: ['https://shop.example'] })
    const origin = 'https://shop.example'
    const first = await api.request(PATH, { key, headers: { origin } })
    for (let i = 0; i < 5; i++) {
      const reply = await api.request(PATH, { key, headers: { origin, 'if-none-match': first.headers.etag! } })
      expect([reply.status, remainingOf(reply)]).to.deep.equal([304, 2])
    }
  })

  it('refunds no 304 that had to be assembled first', async () => {
    const key = await api.key({ rate: 10 })
    const { headers } = await api.request('/v1/products?q=nothing-at-all', { key })
    const condition = { 'if-none-match': headers.etag! }
    for (let i = 0; i < 4; i++) {
      const reply = await api.request(`/v1/products?q=nothing-like-${i}`, { key, headers: condition })
      expect([reply.status, reply.headers['cache-status'], remainingOf(reply)]).to.deep.equal([
        304,
        'forecourt; fwd=miss; stored',
        8 - i,
      ])
    }
  })

  for (const origin of [undefined, 'https://shop.example']) {
    it(`refunds no 304 to If-None-Match: *${origin ? ' from a browser' : ''}`, async () => {
      const key = await api.key({ rate: 10, origins: ['https://shop.example'] })
      for (let i = 0; i < 5; i++) {
        const reply = await api.request(PATH, { key, headers: { origin, 'if-none-match': ' * ' } })
        expect([reply.status, remainingOf(reply)]).to.deep.equal([304, 9 - i])
      }
    })
  }

  it('counts a 304 before refunding it: a key over its limit gets 429', async () => {
    const key = await api.key({ rate: 1 })
    const { headers } = await api.request(PATH, { key })
    const reply = await api.request(PATH, { key, headers: { 'if-none-match': headers.etag! } })
    expect(reply.status).to.equal(429)
  })

  it('is not exceeded by concurrent requests', async () => {
    const key = await api.key({ rate: 20 })
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, i) => api.request(i % 2 ? PATH : '/v1/ping', { key })),
    )
    expect(replies.filter(({ status }) => status === 200)).to.have.length(20)
    expect(replies.filter(({ status }) => status === 429)).to.have.length(40)
  })

  it('does not apply to routes without a key', async () => {
    const { headers } = await api.request('/health')
    expect(headers).to.not.have.any.keys('ratelimit', 'x-ratelimit-limit')
  })
})
