import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { setStock } from '../../../src/sandbox/control/inventory-control-client.ts'
import { type Api, startApi } from '../../support/api.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'

const sku = knownSkus.twoBranches
const kingston = { branch_id: 'KGN', name: 'Kingston' }
const montegoBay = { branch_id: 'MBJ', name: 'Montego Bay' }

describeWithAndWithoutMirror('availability.branches', (mirror) => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi({ mirror })
    key = await api.key()
    const branches = [
      { ...kingston, available: 30 },
      { ...montegoBay, available: 2 },
    ]
    await setStock(api.systems.inventory.controlAddress, 'acme', sku, { available: 32, expected: [], branches })
    await api.fillMirror({ skus: [sku, 'BP-1001'] })
  })
  after(() => api[Symbol.asyncDispose]())

  const availability = {
    band: 'IN_STOCK',
    eta: null,
    orderable: true,
    branches: [
      { ...kingston, band: 'IN_STOCK' },
      { ...montegoBay, band: 'LOW' },
    ],
  }

  it('has the band of each branch on the page, in lists and in /availability', async () => {
    expect((await api.request(`/v1/products/${sku}`, { key })).body.availability).to.deep.equal(availability)
    const { data } = (await api.request(`/v1/products?skus=${sku}`, { key })).body
    expect(data.map((product: { availability: object }) => product.availability)).to.deep.equal([availability])
    const { body } = await api.request(`/v1/products/${sku}/availability`, { key })
    expect(body).to.deep.include(availability)
    const rows = (await api.request('/v1/availability/batch', { key, body: { skus: [sku] } })).body.data
    expect(rows[0]).to.deep.include(availability)
    expect(JSON.stringify([data, body, rows])).to.not.match(/"available"|[:,[]3[02][,}\]]/)
  })

  it('is absent where the inventory names no branches', async () => {
    const { availability: other } = (await api.request('/v1/products/BP-1001', { key })).body
    expect(other).to.deep.equal({ band: 'IN_STOCK', eta: null, orderable: true })
  })
})
