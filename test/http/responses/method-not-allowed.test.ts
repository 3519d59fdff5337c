import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'

const LIMIT = 304 * 1_024
const BATCH = '/v1/availability/batch'

describe('the methods of a path', () => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi()
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  for (const [method, path, allow] of [
    ['POST', '/v1/products', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/v1/products/BP-1001', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/v1/ping', 'GET, HEAD, OPTIONS'],
    ['PUT', '/health', 'GET, HEAD, OPTIONS'],
    ['GET', BATCH, 'OPTIONS, POST'],
    ['HEAD', BATCH, 'OPTIONS, POST'],
    ['PROPFIND', '/v1/tags', 'GET, HEAD, OPTIONS'],
  ] as const) {
    it(`is 405 with Allow for ${method} ${path}`, async () => {
      const { status, body, headers } = await api.request(path, { key, method })
      expect([status, headers.allow]).to.deep.equal([405, allow])
      if (method !== 'HEAD') expect(body.code).to.equal('method_not_allowed')
    })
  }

  it('is returned to OPTIONS', async () => {
    const { status, headers } = await api.request('/v1/products', { key, method: 'OPTIONS' })
    expect([status, headers.allow]).to.deep.equal([204, 'GET, HEAD, OPTIONS'])
  })

  for (const path of [
    '/',
    '/v1',
    '/v1/',
    '/v1/product',
    '/v1/products/',
    '/V1/products',
    '//v1/products',
    '/v2/products',
    '/v1/products/a/b',
  ]) {
    it(`is 404 for ${path}`, async () => {
      const { status, body } = await api.request(path, { key })
      expect([status, body.code]).to.deep.equal([404, 'not_found'])
    })
  }

  it('keeps a well-formed request id of the caller', async () => {
    for (const id of ['a', 'A.b_c-9', 'x'.repeat(128)]) {
      const { headers, body } = await api.request('/v1/nowhere', { key, headers: { 'x-request-id': id } })
      expect([headers['x-request-id'], body.request_id]).to.deep.equal([id, id])
    }
    for (const id of ['', ' ', 'a b', 'é', 'x'.repeat(129), 'a"b', '<script>']) {
      const { headers } = await api.request('/v1/nowhere', {
        key,
        headers: { 'x-request-id': Buffer.from(id).toString('latin1') },
      })
      expect(headers['x-request-id']).to.not.equal(id)
    }
  })

  it('gives each request its own id', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => api.request('/health')))
    expect(new Set(replies.map(({ headers }) => headers['x-request-id'])).size).to.equal(50)
  })

  it('returns problems as application/problem+json to clients that accept it', async () => {
    const accept = 'text/html, application/problem+json;q=0.9'
    const { headers } = await api.request('/v1/products/NOPE-1', { key, headers: { accept } })
    expect(headers['content-type']).to.equal('application/problem+json')
    expect((await api.request('/v1/products/NOPE-1', { key })).headers['content-type']).to.equal('application/json')
  })

  describe('to a body', () => {
    const batchOf = (bytes: number) => {
      const empty = JSON.stringify({ skus: ['BP-1001'], padding: '' })
      return JSON.stringify({ skus: ['BP-1001'], padding: 'x'.repeat(bytes - empty.length) })
    }

    it('of 304 KiB is accepted, and of one byte more is 413', async () => {
      expect((await api.request(BATCH, { key, body: batchOf(LIMIT) })).status).to.equal(200)
      const { status, body } = await api.request(BATCH, { key, body: batchOf(LIMIT + 1) })
      expect([status, body.code]).to.deep.equal([413, 'payload_too_large'])
      expect(body.detail).to.equal('The request body is larger than 304 KiB.')
    })

    it('that exceeds 304 KiB without a Content-Length is 413', async () => {
      const headers = { 'transfer-encoding': 'chunked' }
      expect((await api.request(BATCH, { key, headers, body: batchOf(LIMIT + 1) })).status).to.equal(413)
    })

    it('that decompresses to more than 304 KiB is 413', async () => {
      const headers = { 'content-encoding': 'gzip' }
      expect((await api.request(BATCH, { key, headers, body: gzipSync(batchOf(512 * LIMIT)) })).status).to.equal(413)
      expect((await api.request(BATCH, { key, headers, body: gzipSync(batchOf(LIMIT)) })).status).to.equal(200)
    })

    it('of an unknown content coding is 415', async () => {
      const { status, body } = await api.request(BATCH, { key, headers: { 'content-encoding': 'zstd' }, body: '{}' })
      expect([status, body.code]).to.deep.equal([415, 'unsupported_media_type'])
    })

    it('of a GET is ignored', async () => {
      const { status } = await api.request('/v1/ping', { key, method: 'GET', body: 'whatever' })
      expect(status).to.equal(200)
    })
  })
})
