import { expect } from 'chai'
import { type Api, type Reply, startApi } from '../support/api.ts'

const PATH = '/v1/products/BP-1001'

describe('the rate limit of a key', () => {
  let api: Api

  before(async () => {
    api = await startApi()
  })
  after(() => api[Symbol.asyncDispose]())

  const left = ({ headers }: Reply) => Number(headers['x-ratelimit-remaining'])

  function agrees({ headers }: Reply, limit: number, remaining: number): void {
    const reset = Number(headers['x-ratelimit-reset'])
    expect(reset).to.be.within(1, 60)
    expect(headers).to.include({
      'ratelimit-policy': `"key";q=${limit};w=60`,
      ratelimit: `"key";r=${remaining};t=${reset}`,
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(remaining),
    })
  }

  it('is told and counted down on every answer, whatever its status', async () => {
    const key = await api.key({ rate: 10 })
    const paths = ['/v1/ping', PATH, PATH, '/v1/products/NOPE-1', '/v1/products?limit=0', '/v1/tags']
    for (const [at, path] of paths.entries()) agrees(await api.ask(path, { key }), 10, 9 - at)
  })

  it('counts a path that nothing answers, and a method that it does not take', async () => {
    const key = await api.key({ rate: 2 })
    agrees(await api.ask('/v1/nothing', { key }), 2, 1)
    agrees(await api.ask(PATH, { key, method: 'DELETE' }), 2, 0)
    expect((await api.ask('/v1/nothing', { key })).status).to.equal(429)
  })

  it('ends in 429, which says when to come back', async () => {
    const key = await api.key({ rate: 2 })
    await api.ask(PATH, { key })
    await api.ask(PATH, { key })
    for (const path of [PATH, '/v1/ping', '/v1/products?limit=0']) {
      const reply = await api.ask(path, { key })
      expect([reply.status, reply.body.code]).to.deep.equal([429, 'rate_limited'])
      expect(Number(reply.headers['retry-after'])).to.be.within(1, 60)
      expect(reply.headers['cache-control']).to.equal('no-store')
      agrees(reply, 2, 0)
    }
  })

  it('is each key’s own', async () => {
    const [one, other] = [await api.key({ rate: 1 }), await api.key({ rate: 1 })]
    await api.ask('/v1/ping', { key: one })
    expect((await api.ask('/v1/ping', { key: one })).status).to.equal(429)
    expect((await api.ask('/v1/ping', { key: other })).status).to.equal(200)
  })

  it('is 600 a minute for a publishable key and 1200 for a secret one, unless it is said', async () => {
    for (const [kind, limit] of [
      ['publishable', 600],
      ['secret', 1_200],
    ] as const) {
      const key = await api.key({ kind, rate: undefined })
      agrees(await api.ask('/v1/ping', { key }), limit, limit - 1)
    }
  })

  it('gives a 304 back, as often as it comes', async () => {
    const key = await api.key({ rate: 3 })
    const first = await api.ask(PATH, { key })
    const headers = { 'if-none-match': first.headers.etag! }
    for (let i = 0; i < 10; i++) {
      const reply = await api.ask(PATH, { key, headers })
      expect(reply.status).to.equal(304)
      expect(left(reply)).to.equal(2)
    }
    agrees(await api.ask('/v1/ping', { key }), 3, 1)
  })

  it('gives a 304 back on the long way too', async () => {
    const key = await api.key({ rate: 3, origins: ['https://shop.example'] })
    const origin = 'https://shop.example'
    const first = await api.ask(PATH, { key, headers: { origin } })
    for (let i = 0; i < 5; i++) {
      const reply = await api.ask(PATH, { key, headers: { origin, 'if-none-match': first.headers.etag! } })
      expect([reply.status, left(reply)]).to.deep.equal([304, 2])
    }
  })

  it('charges a 304 before it is given back: a spent key gets none', async () => {
    const key = await api.key({ rate: 1 })
    const { headers } = await api.ask(PATH, { key })
    const reply = await api.ask(PATH, { key, headers: { 'if-none-match': headers.etag! } })
    expect(reply.status).to.equal(429)
  })

  it('is never exceeded by requests that come together', async () => {
    const key = await api.key({ rate: 20 })
    const replies = await Promise.all(Array.from({ length: 60 }, (_, i) => api.ask(i % 2 ? PATH : '/v1/ping', { key })))
    expect(replies.filter(({ status }) => status === 200)).to.have.length(20)
    expect(replies.filter(({ status }) => status === 429)).to.have.length(40)
  })

  it('does not touch what needs no key', async () => {
    const { headers } = await api.ask('/health')
    expect(headers).to.not.have.any.keys('ratelimit', 'x-ratelimit-limit')
  })
})
