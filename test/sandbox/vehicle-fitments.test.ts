import { expect } from 'chai'
import type { RunningSystem } from '../../src/sandbox/start-system.ts'
import { sendRequest } from './send-request.ts'
import { createTempFolder } from './temp-folder.ts'
import { startTestSystem } from './test-system.ts'

describe('the sandbox: vehicles', () => {
  let inventory: RunningSystem
  let folder: Awaited<ReturnType<typeof createTempFolder>>

  before(async () => {
    folder = await createTempFolder()
    inventory = await startTestSystem({ system: 'inventory', directory: folder.directory })
  })

  after(async () => {
    await inventory.stop()
    await folder.remove()
  })

  it('returns years, makes, models and variants', async () => {
    const years = (await sendRequest(inventory, '/vehicle-facets?facet=year&market=JM')).body.data
    expect(years[0].value).to.equal('2025')
    expect(years.at(-1).value).to.equal('1998')
    const makes = (await sendRequest(inventory, '/vehicle-facets?facet=make&year=2015&market=JM')).body.data
    expect(makes).to.deep.include({ value: 'Kia', label: 'Kia', count: 1 })
    const { body } = await sendRequest(inventory, '/vehicle-facets?facet=model&year=2015&make=kIA')
    expect(body).to.deep.equal({
      data: [
        {
          value: 'Sportage',
          label: 'Sportage',
          count: 2,
          vehicle_id: body.data[0].vehicle_id,
          variants: [
            { vehicle_id: body.data[0].vehicle_id, submodel: 'LX', engine: '2.4L I4', market: 'JM' },
            { vehicle_id: body.data[0].vehicle_id + 1, submodel: 'LX', engine: '2.4L I4', market: 'US' },
          ],
        },
      ],
    })
    expect((await sendRequest(inventory, '/vehicle-facets?facet=model&year=2015&make=Nobody')).body).to.deep.equal({
      data: [],
    })
    expect((await sendRequest(inventory, '/vehicle-facets?facet=model&make=Kia')).status).to.equal(400)
  })

  it('returns the parts that fit, and marks universal ones', async () => {
    const { body } = await sendRequest(inventory, '/vehicles/1431/products?limit=200&include=stock')
    const fitment = {
      positions: ['FRONT'],
      quantity: 1,
      notes: null,
      qualifiers: [{ code: '4WD', text: 'Four-wheel drive' }],
    }
    expect(body.vehicle).to.deep.equal({
      vehicle_id: 1431,
      year: 2012,
      make: 'Honda',
      model: 'CR-V',
      submodel: 'EX',
      engine: '2.4L I4',
      market: 'JM',
    })
    expect(body.data).to.deep.include({
      sku: 'BP-1001',
      stock: { available: 240, expected: [] },
      fitment: { ...fitment, universal: false },
    })
    expect(
      body.data.filter((row: { fitment: { universal: boolean } }) => row.fitment.universal),
    ).to.have.lengthOf.greaterThan(100)
    expect((await sendRequest(inventory, '/products?vehicle_id=1431&limit=1')).body.total).to.equal(body.total)
    expect((await sendRequest(inventory, '/vehicles/9/products')).status).to.equal(404)
  })

  it('returns the vehicles of a SKU, also of one with a slash', async () => {
    const odd = await sendRequest(inventory, `/products/${encodeURIComponent('WB 22/24+S')}/fitments`)
    expect(odd.body).to.deep.equal({ universal: true, data: [], total: 0, has_more: false })
    const pads = await sendRequest(inventory, '/products/BP-1001/fitments?limit=4&offset=8')
    expect(pads.body.total).to.equal(10)
    expect(pads.body.has_more).to.equal(false)
    expect(pads.body.data.map((row: { year: number; market: string }) => [row.year, row.market])).to.deep.equal([
      [2016, 'JM'],
      [2016, 'US'],
    ])
    expect((await sendRequest(inventory, '/products/nope/fitments')).status).to.equal(404)
  })
})
