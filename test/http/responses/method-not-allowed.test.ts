import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'

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
})
