import { expect } from 'chai'
import { openMirrorFileReader } from '../../src/catalog/mirror/read/mirror-file-reader.ts'
import { NO_REFERENCES } from '../../src/ports/reference.ts'
import type { MirrorReader } from '../../src/upstream/mirror/mirror-reader.ts'
import { toRow } from '../catalog/mirror-rows.ts'
import { openTestMirror } from '../catalog/test-mirror.ts'
import { type Api, startApi } from '../support/api.ts'
import { createFileMirrorReader, useMirror } from '../support/file-mirror-reader.ts'
import { until } from '../support/until.ts'

const CATALOG = [
  ...['/v1/products?limit=2', '/v1/products/BP-1001', '/v1/categories', '/v1/tags', '/v1/vehicles/years'],
  ...['/v1/vehicles/1139/products?limit=2', '/v1/products/BP-1001/fitments'],
]
const STOCK = '/v1/products/BP-1001/availability'
const VARY = 'Authorization, X-Storefront-Shopper-Token, X-Sandbox-Fault, Accept-Encoding, Origin'

describe('the cache headers of a response', () => {
  let api: Api
  let key: string
  let now = Date.now()

  before(async () => {
    api = await startApi({ now: () => now })
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  const read = (path: string, headers: Record<string, string> = {}) => api.request(path, { key, headers })

  for (const path of [...CATALOG, STOCK]) {
    it(`are private: ${path}`, async () => {
      const reply = await read(path)
      const control = reply.headers['cache-control']
      expect(control).to.equal('private, max-age=0')
      expect(reply.headers.vary).to.equal(VARY)
      expect(reply.headers['forecourt-complete']).to.equal('true')
    })
  }

  it('allow a browser what the merchant sets, for live keys only', async () => {
    const caching = { merchant: 'caching', maxAgeSeconds: 45 }
    await using other = await startApi({
      merchants: (of) => [{ ...caching, live: of('acme-live'), sandbox: of('acme') }],
    })
    const control = async (mode: 'live' | 'sandbox') => {
      const headers = { key: await other.key({ merchant: 'caching', mode }) }
      return (await other.request('/v1/categories', headers)).headers['cache-control']
    }
    expect([await control('live'), await control('sandbox')]).to.deep.equal([
      'private, max-age=45',
      'private, max-age=0',
    ])
  })

  it('allow no caching for a ping, a batch and errors', async () => {
    const shown = await Promise.all([
      read('/v1/ping'),
      api.request('/v1/availability/batch', { key, body: { skus: ['BP-1001'] } }),
      read('/v1/products/NOPE-1'),
      read('/v1/products?limit=0'),
      api.request('/v1/products'),
      api.request('/nowhere'),
    ])
    for (const { headers } of shown) {
      expect(headers['cache-control']).to.match(/no-store/)
      expect(headers).to.not.have.property('last-modified')
    }
  })

  it('include Cache-Status: a miss, an ageing hit, then a stale hit', async () => {
    const path = '/v1/products/BP-1019'
    const status = async () => String((await read(path)).headers['cache-status'])
    expect(await status()).to.equal('forecourt; fwd=miss; stored')
    expect(await status()).to.match(/^forecourt; hit; ttl=10$/)
    now += 5_000
    expect(await status()).to.match(/^forecourt; hit; ttl=5$/)
    now += 10_000
    expect(await status()).to.match(/^forecourt; hit; ttl=-5$/)
    await until('the stale answer is renewed', async () => /ttl=\d/.test(await status()))
    now += 1_000_000
    expect(await status()).to.equal('forecourt; fwd=miss; stored')
  })

  it('cached responses are shared within one merchant and mode only', async () => {
    const path = '/v1/products/BP-1018'
    const owners = [{}, { kind: 'secret' }, { mode: 'live' }, { merchant: 'zenith' }] as const
    const outcomes = []
    for (const owner of owners) {
      const { headers } = await api.request(path, { key: await api.key(owner) })
      outcomes.push(String(headers['cache-status']).split(';')[1]!.trim())
    }
    expect(outcomes).to.deep.equal(['fwd=miss', 'hit', 'fwd=miss', 'fwd=miss'])
  })

  it('do not depend on how a query is written', async () => {
    const first = await read('/v1/products?q=pad&limit=3')
    for (const query of ['limit=3&q=pad', 'q=pad&limit=+3&offset=0', 'limit=9&q=%70ad&limit=3&utm=x']) {
      const { headers } = await read(`/v1/products?${query}`)
      expect([headers.etag, headers['cache-status']?.includes('hit')], query).to.deep.equal([first.headers.etag, true])
    }
  })

  it('ignore the request’s own Cache-Control', async () => {
    const { headers } = await read('/v1/tags')
    const reply = await read('/v1/tags', { 'cache-control': 'no-cache', 'if-none-match': headers.etag! })
    expect(reply.status).to.equal(304)
  })

  it('say that a product page from the mirror is cached when it is requested again', async () => {
    using file = openTestMirror()
    file.write([toRow('M-1', { listPrice: '5.00' })])
    using mirror = createFileMirrorReader(file)
    using reader = openMirrorFileReader(file.path, 1_000_000)!
    const text: MirrorReader['text'] = (sku) => ({ product: reader.text(sku)!.product, references: NO_REFERENCES })
    useMirror(api, Object.assign(mirror, { text }))
    const replies = [await read('/v1/products/M-1'), await read('/v1/products/M-1'), await read('/v1/products/M-1')]
    expect(replies.map(({ headers }) => headers['cache-status'])).to.deep.equal([
      'forecourt; fwd=miss',
      'forecourt; fwd=miss; stored',
      'forecourt; hit; ttl=10',
    ])
    expect(new Set(replies.map(({ headers }) => headers.etag))).to.have.property('size', 1)
    expect(replies[0]!.body).to.deep.include({ sku: 'M-1', alternatives: [], errors: [] })
  })
})
