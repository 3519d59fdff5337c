import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'
import { importReferenceText } from '../../support/import-reference-text.ts'
import { until } from '../../support/until.ts'

const FILE = `sku,brand,number,kind,customer
BP-1005,,GARAGE-7,CUSTOMER,C-1001
BP-1006,,GARAGE-7,CUSTOMER,C-1002
BP-1003,,OLD-77,SUPERSEDES,
`

describeWithAndWithoutMirror("a customer's own number", (mirror) => {
  let api: Api
  let secret: string
  let publishable: string

  before(async () => {
    api = await startApi({ mirror })
    secret = await api.key({ kind: 'secret' })
    publishable = await api.key()
    expect((await importReferenceText(api.db, FILE)).outcome).to.equal('imported')
    await api.fillMirror({ vehicles: true })
    await until('the import is shown', async () => (await skus('/v1/lookup?number=OLD-77')).length > 0)
  })
  after(() => api[Symbol.asyncDispose]())

  async function skus(path: string, customer?: string, key = secret): Promise<string[]> {
    const headers = customer ? { 'X-Storefront-Shopper-Token': await api.shopperToken({ customer }) } : {}
    const { status, body } = await api.request(path, { key, headers })
    expect(status, path).to.equal(200)
    return body.data.map(({ sku }: { sku: string }) => sku)
  }

  // The inventory's own search, without a mirror, does not know imported numbers.
  const searches = mirror ? ['/v1/products?q=GARAGE-7', '/v1/products?q=garage7&sort=price'] : []
  for (const path of ['/v1/lookup?number=GARAGE-7', '/v1/lookup?number=garage7', ...searches]) {
    it(`is found for that customer only: ${path}`, async () => {
      // The second round is answered from caches.
      for (let round = 0; round < 2; round++) {
        expect(await skus(path, 'C-1001')).to.deep.equal(['BP-1005'])
        expect(await skus(path, 'C-1002')).to.deep.equal(['BP-1006'])
        expect(await skus(path, 'C-1003')).to.deep.equal([])
        expect(await skus(path)).to.deep.equal([])
        expect(await skus(path, 'C-1001', publishable)).to.deep.equal([])
      }
    })
  }

  if (!mirror) return

  it('counts in no facet or suggestion of others', async () => {
    const { body } = await api.request('/v1/products?q=GARAGE-7&facets=brand,category', { key: secret })
    expect([body.pagination.total, body.facets]).to.deep.equal([0, { brand: [], category: [] }])
    const suggested = await api.request('/v1/suggest?q=GARAGE-7', { key: secret })
    expect(suggested.body.products).to.deep.equal([])
  })
})
