import { hash } from 'node:crypto'
import { expect } from 'chai'
import { updateProduct } from '../../src/sandbox/control/inventory-control-client.ts'
import { type Api, type Reply, startApi } from '../support/api.ts'

const PATH = '/v1/products?limit=20'
const READS = [
  ...['/v1/products?limit=20', '/v1/products/BP-1001', '/v1/categories', '/v1/tags', '/v1/vehicles/years'],
  ...['/v1/vehicles/makes?year=2015', '/v1/vehicles/models?year=2015&make=Toyota', '/v1/vehicles/1139/products'],
  ...['/v1/products/BP-1001/fitments', '/v1/products/BP-1001/availability'],
]

describe('ETags', () => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi()
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  const read = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    api.request(path, { key, headers, method })
  const tagOf = ({ bytes }: Reply) => `"${hash('sha256', bytes, 'base64url')}"`

  for (const path of READS) {
    it(`are strong, and hash the exact bytes of each coding: ${path}`, async () => {
      const plain = await read(path)
      for (const coding of ['br', 'gzip', 'identity'] as const) {
        for (const pass of ['first', 'again']) {
          const reply = await read(path, { 'accept-encoding': coding })
          expect(reply.headers.etag, `${coding} ${pass}`).to.equal(tagOf(reply))
          expect(reply.text).to.equal(plain.text)
          expect(reply.headers['content-length']).to.equal(String(reply.bytes.byteLength))
        }
      }
    })

    it(`give a 304 with the headers that a cache needs, and no others: ${path}`, async () => {
      const { headers } = await read(path)
      const again = await read(path, { 'if-none-match': headers.etag! })
      expect([again.status, again.bytes.byteLength]).to.deep.equal([304, 0])
      for (const name of ['etag', 'cache-control', 'vary'] as const) expect(again.headers[name]).to.equal(headers[name])
      expect(again.headers).to.not.have.any.keys('content-type', 'content-length', 'content-encoding')
    })
  }

  it('differ by coding', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map((coding) => read(PATH, { 'accept-encoding': coding })),
    )
    expect(new Set(tags.map(({ headers }) => headers.etag)).size).to.equal(3)
  })

  for (const [accepted, coding] of Object.entries({
    'gzip, deflate, br': 'br',
    'gzip, deflate': 'gzip',
    'br;q=0.5, gzip;q=0.9': 'gzip',
    '*': 'br',
    'gzip;q=0, br;q=0': undefined,
    zstd: undefined,
    '': undefined,
    'identity;q=1, gzip;q=0.5': undefined,
    'gzip;q=nonsense, ;;;': undefined,
  })) {
    it(`come with ${coding ?? 'no coding'} for Accept-Encoding: ${accepted}`, async () => {
      const { status, headers } = await read(PATH, { 'accept-encoding': accepted })
      expect([status, headers['content-encoding']]).to.deep.equal([200, coding])
    })
  }

  it('are those of the plain bytes where compression saves nothing', async () => {
    const small = '/v1/products/BP-1003/availability'
    const [plain, br] = [await read(small), await read(small, { 'accept-encoding': 'br' })]
    expect(br.headers).to.not.have.property('content-encoding')
    expect(br.headers.etag).to.equal(plain.headers.etag)
  })

  describe('match If-None-Match', () => {
    const bare = (etag: string) => etag.slice(1, -1)
    const forms: Record<string, (etag: string) => string> = {
      'the tag': (etag) => etag,
      'a weak one': (etag) => `W/${etag}`,
      'a star': () => '*',
      'a list': (etag) => `"other", ${etag},"more"`,
      'a list of weak ones without spaces': (etag) => `W/"other",W/${etag}`,
      '-gzip': (etag) => `"${bare(etag)}-gzip"`,
      '--gzip': (etag) => `"${bare(etag)}--gzip"`,
      ':gzip': (etag) => `"${bare(etag)}:gzip"`,
      '-br': (etag) => `"${bare(etag)}-br"`,
      'a weak -gzip in a list': (etag) => `"x", W/"${bare(etag)}-gzip"`,
    }
    for (const [what, form] of Object.entries(forms)) {
      it(`as ${what}`, async () => {
        for (const coding of ['identity', 'gzip', 'br']) {
          const headers = { 'accept-encoding': coding }
          const { headers: first } = await read(PATH, headers)
          for (const method of ['GET', 'HEAD']) {
            const reply = await read(PATH, { ...headers, 'if-none-match': form(first.etag!) }, method)
            expect([reply.status, reply.headers.etag], `${method} ${coding}`).to.deep.equal([304, first.etag])
          }
        }
      })
    }

    const others: Record<string, (etag: string) => string> = {
      'another tag': () => '"nonsense"',
      'no quotes': bare,
      'an unknown suffix': (etag) => `"${bare(etag)}-zstd"`,
      nothing: () => '',
      'a cut tag': (etag) => etag.slice(0, -2),
      'a lower-case one': (etag) => etag.toLowerCase(),
    }
    for (const [what, form] of Object.entries(others)) {
      it(`but not as ${what}`, async () => {
        const { headers } = await read(PATH)
        expect((await read(PATH, { 'if-none-match': form(headers.etag!) })).status).to.equal(200)
      })
    }

    it('but not with the ETag of another coding', async () => {
      const { headers } = await read(PATH, { 'accept-encoding': 'gzip' })
      const reply = await read(PATH, { 'accept-encoding': 'identity', 'if-none-match': headers.etag! })
      expect(reply.status).to.equal(200)
    })
  })

  it('change with a product’s media, and only with the response', async () => {
    const path = '/v1/products/BP-1001'
    const media = ['m10001-2', 'm10001-1']
    const owner = { merchant: 'zenith', mode: 'live' } as const
    await updateProduct(api.systems.inventory.controlAddress, 'zenith-live', 'BP-1001', { media })
    const reordered = await api.request(path, { key: await api.key(owner) })
    expect(reordered.body.cover.media_id).to.equal('m10001-2')
    const before = await read(path)
    expect(reordered.headers.etag).to.not.equal(before.headers.etag)
    expect((await api.request(path, { key: await api.key() })).headers.etag).to.equal(before.headers.etag)
  })
})
