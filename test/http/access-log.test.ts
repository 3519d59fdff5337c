import { expect } from 'chai'
import { type Api, startApi } from '../support/api.ts'

describe('the log', () => {
  let api: Api

  beforeEach(async () => {
    api = await startApi()
  })
  afterEach(() => api[Symbol.asyncDispose]())

  const parsed = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))

  it('has one line per request, with the fields that operators need', async () => {
    const { key, record } = await api.issueKey()
    const requests = [
      ['/v1/products/BP-1001', 200],
      ['/v1/products/BP-1001', 200],
      ['/v1/products/NOPE-1', 404],
      ['/v1/products?limit=0', 422],
    ] as const
    for (const [path] of requests) await api.request(path, { key, headers: { 'x-request-id': 'req' } })
    await api.request('/v1/products', { headers: { 'x-request-id': 'req' } })
    const lines = parsed(await api.stopAndReadLog()).filter(({ request_id }) => request_id === 'req')
    expect(lines.map(({ url, status }) => [url, status])).to.deep.equal([...requests, ['/v1/products', 401]])
    for (const line of lines.slice(0, 4)) {
      expect(line).to.include({ tenant: 'acme', key_id: record.key_id, mode: 'sandbox', method: 'GET' })
      expect(line.ms).to.be.a('number')
      expect(line.route).to.be.a('string')
    }
    expect(lines.map(({ cache }) => cache).slice(0, 2)).to.deep.equal(['miss', 'hit'])
    const names = lines[0].sections.map(({ name }: { name: string }) => name)
    expect(names).to.deep.equal(['product', 'price', 'tax', 'availability', 'media', 'references'])
    expect(lines[4]).to.include({ tenant: null, key_id: null, code: 'missing_api_key' })
  })

  it('contains the outcome of each section', async () => {
    const key = await api.key()
    await api.fault('pricing', { status: 500 })
    await api.request('/v1/products/BP-1001', { key })
    const [line] = parsed(await api.stopAndReadLog()).filter(({ url }) => url === '/v1/products/BP-1001')
    const outcomes = line.sections.map(({ name, outcome }: { name: string; outcome: string }) => [name, outcome])
    expect(outcomes).to.deep.include(['price', 'error']).and.deep.include(['product', 'ok'])
  })

  it('contains the cause of a failed required section, with the request id of the response', async () => {
    const key = await api.key()
    await api.fault('inventory', { status: 500 })
    const { body } = await api.request('/v1/products/BP-1001', { key })
    const text = await api.stopAndReadLog()
    const cause = parsed(text).find(({ request_id, msg }) => request_id === body.request_id && msg !== 'request')
    expect(JSON.stringify(cause)).to.include('this failure was injected')
  })

  it('never contains a key, a token, or the content of headers and bodies', async () => {
    const { key } = await api.issueKey({ kind: 'secret' })
    const token = await api.shopperToken()
    const other = await api.shopperToken({ merchant: 'zenith' })
    const marked = { cookie: 'session=c00k1e', 'x-password': 'hunter2hunter2' }
    for (const shopper of [token, other, 'unknown-token-text']) {
      const headers = { ...marked, 'x-storefront-shopper-token': shopper }
      await api.request('/v1/products/BP-1001', { key, headers })
      await api.request('/v1/availability/batch', {
        key,
        headers,
        body: { skus: ['BP-1001'], password: 'b0dy-s3cret' },
      })
    }
    await api.request('/v1/ping', { key: `${key}x` })
    await api.fault('inventory', { garbage: true })
    await api.request('/v1/products/BP-1002', { key, headers: { ...marked, 'x-storefront-shopper-token': token } })
    const text = await api.stopAndReadLog()
    for (const secret of [key, token, other, 'unknown-token-text', 'c00k1e', 'hunter2', 'b0dy-s3cret', 'Bearer']) {
      expect(text).to.not.include(secret)
    }
  })

  it('never contains a key that was sent in a URL by mistake', async () => {
    const { key } = await api.issueKey({ kind: 'secret' })
    const token = await api.shopperToken()
    await api.request(`/v1/products?api_key=${key}&limit=1`, { key })
    await api.request(`/v1/products/${key}?access_token=${token}`, { key })
    expect(await api.stopAndReadLog()).to.not.include(key)
  })

  it('never contains a token or a signing secret that was sent in a URL by mistake', async () => {
    const key = await api.key({ kind: 'secret' })
    const token = await api.shopperToken()
    const secret = `whsec_${Buffer.alloc(32, 0xfb).toString('base64')}`
    await api.request(`/v1/shoppers/verify?token=${token}`, { key })
    await api.request(`/v1/orders/${token}?limit=1&q=a%20b`, { key })
    await api.request(`/v1/products?access_token=%${token.charCodeAt(0).toString(16)}${token.slice(1)}`)
    await api.request(`/v1/products?secret=${secret}&limit=1`, { key })
    await api.request(`/v1/products?secret=${encodeURIComponent(secret)}&limit=1`, { key })
    const urls = parsed(await api.stopAndReadLog()).map(({ url }) => url)
    expect(urls.filter((url) => url?.startsWith('/v1/'))).to.deep.equal([
      '/v1/shoppers/verify?token=[redacted]',
      '/v1/orders/[redacted]?limit=1&q=a b',
      '/v1/products?access_token=[redacted]',
      '/v1/products?secret=[redacted]&limit=1',
      '/v1/products?secret=[redacted]&limit=1',
    ])
  })

  it('never contains such a key percent-encoded, in whole, in part or twice', async () => {
    const { key } = await api.issueKey({ kind: 'secret' })
    const encode = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&')
    const forms = [encode(key), `${encode('s')}${key.slice(1)}`, key.replaceAll('_', '%5f'), key.replace('v', '%2576')]
    for (const form of forms) {
      await api.request(`/v1/products?api_key=${form}&limit=1`, { key })
      await api.request(`/v1/products/${form}`, { key })
    }
    const log = await api.stopAndReadLog()
    for (const text of [log, decodeURI(log), decodeURI(decodeURI(log))]) expect(text).to.not.include(key.slice(13))
    for (const form of forms) expect(log).to.not.include(form)
    expect(log).to.include('/v1/products?api_key=svc_test_sec_[redacted]&limit=1')
  })

  it('stays one JSON object per line, whatever a URL contains', async () => {
    const key = await api.key()
    const odd = [
      '/v1/products?q="}\u005c',
      '/v1/products/%0a%0d%22',
      `/v1/products?q=${'é"'.repeat(900)}`,
      "/v1/products?q='|`<>",
    ]
    for (const path of odd)
      await api.request(
        Buffer.from(path)
          .toString('latin1')
          .replaceAll(/[^!-~]/g, '%C3'),
        { key },
      )
    expect(parsed(await api.stopAndReadLog()).filter(({ msg }) => msg === 'request').length).to.be.at.least(odd.length)
  })
})
