import { expect } from 'chai'
import { type Api, type Reply, startApi } from '../support/api.ts'

/** A read that is at hand is answered before the router sees it. Nobody may notice but by the clock. */
describe('a read that is at hand', () => {
  let api: Api
  let key: string
  let count = 0

  before(async () => {
    // The clock stands, so that what is kept does not age; limits are counted by another one.
    const now = Date.now()
    api = await startApi({ now: () => now })
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  /** Never asked before by this URL, and always the same answer. */
  const newUrl = (path: string) => `${path}${path.includes('?') ? '&' : '?'}unknown=${count++}`

  const told = ({ status, headers, bytes }: Reply) => {
    const { date, ratelimit, 'x-ratelimit-remaining': left, 'x-ratelimit-reset': reset, ...rest } = headers
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
    it(`is answered as by the long way: ${path}`, async () => {
      for (const method of ['GET', 'HEAD']) {
        for (const coding of ['identity', 'gzip', 'br']) {
          const headers = { 'accept-encoding': coding, 'x-request-id': 'mine' }
          const first = await api.ask(path, { key, headers })
          for (const condition of [{}, { 'if-none-match': first.headers.etag! }, { 'if-none-match': '"other"' }]) {
            const url = newUrl(path)
            const asked = { key, method, headers: { ...headers, ...condition } }
            const [long, short] = [await api.ask(url, asked), await api.ask(url, asked)]
            expect(told(short), `${method} ${coding}`).to.deep.equal(told(long))
          }
        }
      }
    })
  }

  it('is charged as by the long way', async () => {
    const url = newUrl('/v1/tags')
    const own = await api.key({ rate: 5 })
    const left = async () => (await api.ask(url, { key: own })).headers['x-ratelimit-remaining']
    expect([await left(), await left(), await left()]).to.deep.equal(['4', '3', '2'])
  })

  it('is logged as by the long way', async () => {
    await using other = await startApi()
    const { key: own, record } = await other.issue()
    for (const id of ['first', 'second', 'third']) {
      await other.ask('/v1/tags?x=1', { key: own, headers: { 'x-request-id': id } })
    }
    const lines = (await other.logged())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const [first, ...kept] = lines.filter(({ request_id }) => ['first', 'second', 'third'].includes(request_id))
    expect(first).to.include({ cache: 'miss', status: 200, key_id: record.key_id, tenant: 'acme', mode: 'sandbox' })
    for (const line of kept) {
      expect(Object.keys(line).filter((name) => name !== 'sections')).to.deep.equal(
        Object.keys(first).filter((name) => name !== 'sections'),
      )
      expect(line).to.include({ cache: 'hit', route: first.route, url: first.url, key_id: record.key_id })
    }
  })
})
