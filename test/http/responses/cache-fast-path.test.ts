import { expect } from 'chai'
import { type Api, type Reply, startApi } from '../../support/api.ts'

/** The fast path responds before Koa and the router. Only its speed may differ. */
describe('the cache fast path', () => {
  let api: Api
  let key: string
  let count = 0

  before(async () => {
    // A fixed clock: cached responses do not age. Rate limits use another clock.
    const now = Date.now()
    api = await startApi({ now: () => now })
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  /** Returns a URL that was not requested before, and always has the same response. */
  const newUrl = (path: string) => `${path}${path.includes('?') ? '&' : '?'}unknown=${count++}`

  const toComparable = ({ status, headers, bytes }: Reply) => {
    const { date, ratelimit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset, ...rest } = headers
    const { 'cache-status': cache, ...same } = rest
    expect(cache).to.match(/^forecourt; hit; ttl=\d+$/)
    return { status, same, bytes: bytes.toString('base64') }
  }

  for (const path of [
    '/v1/products/BP-1001',
    '/v1/products?limit=3',
    '/v1/tags',
    '/v1/products/BP-1001/availability',
  ]) {
    it(`responds as the full middleware list does: ${path}`, async () => {
      for (const method of ['GET', 'HEAD']) {
        for (const coding of ['identity', 'gzip', 'br']) {
          const headers = { 'accept-encoding': coding, 'x-request-id': 'mine' }
          const first = await api.request(path, { key, headers })
          for (const condition of [{}, { 'if-none-match': first.headers.etag! }, { 'if-none-match': '"other"' }]) {
            const url = newUrl(path)
            const options = { key, method, headers: { ...headers, ...condition } }
            const [fullResponse, fastResponse] = [await api.request(url, options), await api.request(url, options)]
            expect(toComparable(fastResponse), `${method} ${coding}`).to.deep.equal(toComparable(fullResponse))
          }
        }
      }
    })
  }

  it('leaves a request that needs a hint to the full middleware list', async () => {
    const { etag } = (await api.request('/v1/tags', { key })).headers
    const url = newUrl('/v1/tags')
    const read = (tag: string) => api.request(url, { key, headers: { 'if-none-match': tag } })
    const unquoted = etag!.replaceAll('"', '')
    const toAnswer = ({ status, headers }: Reply) => [status, headers['forecourt-hint']]
    const hint =
      'If-None-Match has no quotation marks, so it matches no ETag. Send the ETag as it arrived, with its quotation marks: If-None-Match: "...".'
    const answers = []
    for (const tag of [etag!, etag!, unquoted, unquoted, etag!, '*', 'W/*']) answers.push(toAnswer(await read(tag)))
    expect(answers).to.deep.equal([
      [304, undefined],
      [304, undefined],
      [200, hint],
      [200, hint],
      [304, undefined],
      [304, undefined],
      [200, hint],
    ])
  })

  it('leaves a request with another name of X-Sandbox-Fault to it', async () => {
    const url = newUrl('/v1/tags')
    const read = async (headers: Record<string, string>) => (await api.request(url, { key, headers })).headers
    await read({})
    await read({})
    expect((await read({ 'x-fault': 'pricing=timeout' }))['forecourt-hint']).to.equal(
      'The header X-Fault is ignored, so no system fails. Send X-Sandbox-Fault, such as X-Sandbox-Fault: pricing=timeout.',
    )
  })

  it('leaves a request with a body to it', async () => {
    const url = newUrl('/v1/tags')
    await api.request(url, { key })
    await api.request(url, { key })
    const { status, headers } = await api.request(url, { key, method: 'GET', body: { limit: 1 } })
    expect([status, headers['forecourt-hint']]).to.deep.equal([
      200,
      'The body of a GET is not read. This call has no query parameters either.',
    ])
  })

  it('counts requests as the full middleware list does', async () => {
    const url = newUrl('/v1/tags')
    const own = await api.key({ rate: 5 })
    const remaining = async () => (await api.request(url, { key: own })).headers['x-ratelimit-remaining']
    expect([await remaining(), await remaining(), await remaining()]).to.deep.equal(['4', '3', '2'])
  })

  it('logs as the full middleware list does', async () => {
    await using other = await startApi()
    const { key: own, record } = await other.issueKey()
    for (const id of ['first', 'second', 'third']) {
      await other.request('/v1/tags?x=1', { key: own, headers: { 'x-request-id': id } })
    }
    const lines = (await other.stopAndReadLog())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const [first, ...cachedLines] = lines.filter(({ request_id }) => ['first', 'second', 'third'].includes(request_id))
    expect(first).to.include({ cache: 'miss', status: 200, key_id: record.key_id, tenant: 'acme', mode: 'sandbox' })
    for (const line of cachedLines) {
      expect(Object.keys(line).filter((name) => name !== 'sections')).to.deep.equal(
        Object.keys(first).filter((name) => name !== 'sections'),
      )
      expect(line).to.include({ cache: 'hit', route: first.route, url: first.url, key_id: record.key_id })
    }
  })
})
