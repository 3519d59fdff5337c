import { expect } from 'chai'
import { openDemoMirror } from '../../catalog/demo-mirror.ts'
import { toRow } from '../../catalog/mirror-rows.ts'
import { openTestMirror } from '../../catalog/test-mirror.ts'
import { type Api, startApi } from '../../support/api.ts'
import { createFileMirrorReader, useMirror } from '../../support/file-mirror-reader.ts'

const UNKNOWN_BRAND = 'The value of brand is not the brand of any product, so the list is empty.'
const BRANDS = 'GET /v1/products?facets=brand&limit=1 lists brands.'

describe('the hint at a filter with an unknown value', () => {
  const opened = new AsyncDisposableStack()
  let api: Api
  let key: string
  before(async () => {
    api = opened.use(await startApi())
    key = await api.key()
  })
  after(() => opened.disposeAsync())

  async function hintOf(path: string, sent: Record<string, string> = {}): Promise<string | undefined> {
    const { status, body, headers } = await api.request(path, { key, headers: sent })
    expect([status, body.data], path).to.deep.equal([200, []])
    return headers['forecourt-hint'] as string | undefined
  }

  describe('of a catalog with more brands than a facet has', () => {
    before(() => {
      const file = opened.use(openTestMirror())
      const rows = Array.from({ length: 240 }, (_, at) =>
        toRow(`P-${at}`, { product: { brand: at % 120 ? `Brand ${at % 120}` : '40002' } }),
      )
      const tagged = toRow('BP-1001', { product: { brand: 'Rarely', tags: ['sale'] }, listPrice: '5.00' })
      file.write([...rows, tagged])
      useMirror(api, opened.use(createFileMirrorReader(file)))
    })

    it('is missing for a brand and a tag that a product has, however few', async () => {
      for (const filter of ['brand=Rarely', 'brand=RARELY', 'tag=sale', 'skus=BP-1001', 'brand=Nobody&brand=Rarely'])
        expect(await hintOf(`/v1/products?${filter}&min_price=999`), filter).to.equal(undefined)
      expect(await hintOf('/v1/products?skus=nope,BP-1001&min_price=999')).to.equal(undefined)
    })

    it('is missing for a SKU that could not be looked up, or beside one that no system has', async () => {
      const fault = { 'x-sandbox-fault': 'inventory=error' }
      expect(await hintOf('/v1/products?skus=BP-1001&min_price=999', fault)).to.equal(undefined)
      expect(await hintOf(`/v1/products?skus=${'A'.repeat(300)},BP-1001&min_price=999`)).to.equal(undefined)
    })

    it('names the value that was probably meant, of a number only the same number', async () => {
      expect(await hintOf('/v1/products?brand=40001')).to.equal(`${UNKNOWN_BRAND} ${BRANDS}`)
      expect(await hintOf('/v1/products?brand=Brand17')).to.equal(
        `${UNKNOWN_BRAND} Did you mean brand=Brand%2017? ${BRANDS}`,
      )
      expect(await hintOf('/v1/products?tag=---')).to.equal(
        'The value of tag is not the tag of any product, so the list is empty. GET /v1/tags lists the tags.',
      )
      expect(await hintOf('/v1/products?brand=Nobody&brand=None')).to.equal(
        `No value of brand is the brand of any product, so the list is empty. ${BRANDS}`,
      )
    })
  })

  it('names no value that is no valid text, because no URL can have it', async () => {
    const file = opened.use(openTestMirror())
    file.write([toRow('P-1', { product: { brand: 'Half of \ud83d', tags: ['half of \ud83d'] } })])
    useMirror(api, opened.use(createFileMirrorReader(file)))
    expect(await hintOf('/v1/products?brand=halfof')).to.equal(`${UNKNOWN_BRAND} ${BRANDS}`)
    expect(await hintOf('/v1/products?tag=halfof')).to.equal(
      'The value of tag is not the tag of any product, so the list is empty. GET /v1/tags lists the tags.',
    )
  })

  it('is also there while a fault of another system is simulated', async () => {
    useMirror(api, opened.use(createFileMirrorReader(opened.use(openDemoMirror()))))
    expect(await hintOf('/v1/products?brand=tamarro', { 'x-sandbox-fault': 'pricing=timeout' })).to.equal(
      `${UNKNOWN_BRAND} Did you mean brand=Tamaro? ${BRANDS}`,
    )
  })

  it('is also that of the products of a vehicle', async () => {
    useMirror(api, opened.use(createFileMirrorReader(opened.use(openDemoMirror()))))
    const { body } = await api.request('/v1/vehicles/models?year=2015&make=Toyota', { key })
    const [vehicle] = body.data
    expect(await hintOf(`/v1/vehicles/${vehicle.vehicle_id}/products?brand=tamarro`)).to.equal(
      `${UNKNOWN_BRAND} Did you mean brand=Tamaro? ${BRANDS}`,
    )
  })
})
