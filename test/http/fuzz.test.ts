import { expect } from 'chai'
import fc from 'fast-check'
import { type Api, startApi } from '../support/api.ts'
import { codePoint } from '../support/code-point.ts'
import { sendHttpRequest, sendRawBytes } from '../support/send-http-request.ts'

const RUNS = 250
const encoded = fc.string({ unit: codePoint, maxLength: 30 }).map((text) => encodeURIComponent(text.toWellFormed()))
const rough = fc.string({ unit: fc.constantFrom(...'%+&=;/.~!*:@,$-_aZ0'), maxLength: 20 })
const piece = fc.oneof(encoded, rough, fc.constantFrom('BP-1001', '..', '.', '', '%00', '%ff', '%2F', '1139', '-1'))
const path = fc.oneof(
  piece.map((sku) => `/v1/products/${sku}`),
  piece.map((sku) => `/v1/products/${sku}/fitments`),
  piece.map((sku) => `/v1/products/${sku}/availability`),
  piece.map((id) => `/v1/vehicles/${id}/products`),
  fc.constantFrom(
    '/v1/products',
    '/v1/vehicles/years',
    '/v1/vehicles/makes',
    '/v1/vehicles/models',
    '/v1/tags',
    '/health',
  ),
  fc.array(piece, { maxLength: 5 }).map((pieces) => `/${pieces.join('/')}`),
)
const number = fc.oneof(fc.integer().map(String), fc.double().map(String), fc.bigInt().map(String), piece)
const names = ['q', 'category', 'tag', 'vehicle_id', 'updated_since', 'limit', 'offset', 'market', 'year', 'make', 'x']
const moment = fc.date({ noInvalidDate: true }).map((date) => encodeURIComponent(date.toISOString()))
const query = fc
  .array(fc.tuple(fc.constantFrom(...names), fc.oneof(piece, number, moment)), { maxLength: 5 })
  .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'))

describe('random requests', function () {
  this.timeout(300_000)

  let api: Api
  let key: string
  let secret: string

  before(async () => {
    api = await startApi()
    key = await api.key()
    secret = await api.key({ kind: 'secret' })
  })
  after(() => api[Symbol.asyncDispose]())
  afterEach(async () => expect((await api.request('/v1/products/BP-1001', { key })).body.errors).to.deep.equal([]))

  it('get a status below 500: paths and queries', async () => {
    const method = fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS')
    const sent = fc.tuple(fc.oneof({ weight: 6, arbitrary: fc.constant('GET') }, method), path, query)
    const property = fc.asyncProperty(sent, async ([way, at, queryText]) => {
      const { status } = await api.request(`${at}?${queryText}`, { key, method: way })
      expect(status, `${way} ${at}?${queryText}`).to.be.below(500)
    })
    await fc.assert(property, { numRuns: RUNS * 2 })
  })

  it('get a status below 500: bodies', async () => {
    const skus = fc.array(fc.oneof(fc.string({ unit: codePoint }), fc.constantFrom('BP-1001', '', '__proto__')))
    const body = fc.oneof(
      fc.record({ skus }, { requiredKeys: [] }).map((value) => JSON.stringify(value)),
      fc.json(),
      fc.uint8Array({ maxLength: 200 }),
      fc.json().map((text) => text.slice(0, text.length / 2)),
      fc.integer({ min: 1, max: 16_000 }).map((depth) => '['.repeat(depth)),
    )
    const type = fc.constantFrom('application/json', 'text/plain', 'application/x+json', '', 'multipart/form-data')
    const property = fc.asyncProperty(body, type, async (sent, kind) => {
      const headers = { 'content-type': kind }
      const { status } = await api.request('/v1/availability/batch', { key, headers, method: 'POST', body: sent })
      expect(status).to.be.oneOf([200, 413, 422])
    })
    await fc.assert(property, { numRuns: RUNS })
  })

  it('get a status below 500: headers of any bytes', async () => {
    const byte = fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f)
    const value = fc.oneof(
      fc.array(byte, { maxLength: 60 }).map((codes) => String.fromCharCode(...codes)),
      fc.constantFrom(
        'x'.repeat(15_000),
        ','.repeat(9_000),
        '"'.repeat(5_000),
        'W/"',
        'pricing=constructor',
        'br;q=',
        '*',
      ),
    )
    const known = [
      'accept',
      'accept-encoding',
      'if-none-match',
      'origin',
      'x-request-id',
      'x-sandbox-fault',
      'cookie',
      'host',
    ]
    const name = fc.constantFrom(
      ...known,
      'x-storefront-shopper-token',
      'content-length',
      'x-forwarded-for',
      'range',
      'te',
    )
    const headers = fc.dictionary(name, value, { maxKeys: 4 })
    const property = fc.asyncProperty(headers, fc.boolean(), async (sent, cached) => {
      const lines = Object.entries({ host: 'x', authorization: `Bearer ${secret}`, connection: 'close', ...sent })
      const head = lines.map(([header, text]) => `${header}: ${text}\r\n`).join('')
      const at = cached ? '/v1/products/BP-1001' : '/v1/tags?x'
      const text = await sendRawBytes(api.address, Buffer.from(`GET ${at} HTTP/1.1\r\n${head}\r\n`, 'latin1'))
      expect(text).to.match(/^HTTP\/1\.1 [2-4]\d\d /)
      expect(text)
        .to.match(/\r\nX-Request-Id: [\w.-]+\r\n/i)
        .and.match(/\r\nX-Service-Mode: (live|sandbox)\r\n/i)
    })
    await fc.assert(property, { numRuns: RUNS })
  })

  it('get a status below 500: credentials', async () => {
    const text = fc.string({ unit: fc.constantFrom(...'svc_test_pub_sec_live_ \t.=aZ09Ãé'), maxLength: 120 })
    const property = fc.asyncProperty(
      fc.oneof(
        text,
        text.map((more) => `Bearer ${more}`),
      ),
      async (authorization) => {
        const { status } = await sendHttpRequest(api.address, '/v1/ping', { headers: { authorization } })
        expect(status).to.equal(401)
      },
    )
    await fc.assert(property, { numRuns: RUNS })
  })

  it('get a response or a closed connection: bytes that are not HTTP', async () => {
    const bytes = fc
      .uint8Array({ minLength: 1, maxLength: 300 })
      .map((some) => Buffer.concat([some, Buffer.from('\r\n\r\n\r\n')]))
    const property = fc.asyncProperty(bytes, async (sent) => {
      expect(await sendRawBytes(api.address, sent)).to.match(/^(HTTP\/1\.1 400 |$)/)
    })
    await fc.assert(property, { numRuns: 60 })
  })
})
