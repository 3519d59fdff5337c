import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { type Api, startApi } from '../../support/api.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'

interface Value {
  value: string
  count: number
  vehicle_id: number
  variants: { vehicle_id: number }[]
}

describeWithAndWithoutMirror('vehicles', (mirror) => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi({ mirror })
    await api.fillMirror({ vehicles: true })
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  const read = async (path: string) => {
    const { status, body } = await api.request(path, { key })
    expect(status, path).to.equal(200)
    return body
  }

  describe('GET /v1/vehicles/years, /makes and /models', () => {
    it('list years, then makes, then vehicles', async () => {
      const years = await read('/v1/vehicles/years')
      expect(years).to.include({ facet: 'year', market: null }).and.deep.include({ errors: [] })
      expect(years.data).to.deep.include({ value: '2015', label: '2015', count: 56 })
      const makes = await read('/v1/vehicles/makes?year=2015')
      expect(makes).to.include({ facet: 'make', market: null })
      const toyota = makes.data.find(({ value }: Value) => value === 'Toyota')
      const models = await read('/v1/vehicles/models?year=2015&make=Toyota')
      expect(models).to.include({ facet: 'model', market: null })
      expect(models.data.reduce((sum: number, { count }: Value) => sum + count, 0)).to.equal(toyota.count)
      expect(models.data[0]).to.deep.equal({
        value: 'Camry',
        label: 'Camry',
        count: 2,
        vehicle_id: 1139,
        variants: [
          { vehicle_id: 1139, submodel: 'LE', engine: '2.5L I4', market: 'US' },
          { vehicle_id: 1140, submodel: 'XSE', engine: '3.5L V6', market: 'US' },
        ],
      })
      const { vehicle } = await read(`/v1/vehicles/${models.data[0].vehicle_id}/products?limit=1`)
      expect(vehicle).to.include({ vehicle_id: 1139, year: 2015, make: 'Toyota', model: 'Camry', market: 'US' })
    })

    it('list fewer in one market', async () => {
      const all = await read('/v1/vehicles/models?year=2015&make=Toyota')
      const there = await read('/v1/vehicles/models?year=2015&make=Toyota&market=JM')
      expect(there.market).to.equal('JM')
      const names = ({ data }: { data: Value[] }) => data.map(({ value }) => value)
      expect(names(there)).to.not.include('Camry')
      expect(names(all)).to.include.members([...names(there), 'Camry'])
    })

    it('ignore the case of a make', async () => {
      const { data } = await read('/v1/vehicles/models?year=2015&make=tOYOTA')
      expect(data).to.deep.equal((await read('/v1/vehicles/models?year=2015&make=Toyota')).data)
    })

    for (const path of ['models?year=2015&make=Trabant', 'makes?year=1900', 'makes?year=2100', 'years?market=XX']) {
      it(`are empty for ${path}`, async () => {
        expect((await read(`/v1/vehicles/${path}`)).data).to.deep.equal([])
      })
    }

    for (const [path, type, loc] of [
      ['makes', 'missing', 'year'],
      ['makes?year=1899', 'greater_than_equal', 'year'],
      ['makes?year=2101', 'less_than_equal', 'year'],
      ['makes?year=soon', 'int_parsing', 'year'],
      ['models?year=2015', 'missing', 'make'],
      ['models?year=2015&make=', 'string_too_short', 'make'],
    ]) {
      it(`reject ${path}`, async () => {
        const { status, body } = await api.request(`/v1/vehicles/${path}`, { key })
        expect([status, body.detail[0].type, body.detail[0].loc]).to.deep.equal([422, type, ['query', loc]])
      })
    }
  })

  if (!mirror)
    describe('GET /v1/products?vehicle_id=', () => {
      it('says of a vehicle that does not exist whether that is known, or could not be read', async () => {
        const path = '/v1/products?vehicle_id=999999&limit=7'
        const pagination = { limit: 7, offset: 0, count: 0, total: 0, has_more: false, next_offset: null }
        const list = { data: [], pagination, vehicle: null }
        await api.fault('inventory', { status: 503, only: ['listVehicleProducts'] })
        const failed = await read(path)
        expect(failed).to.deep.equal({
          ...list,
          errors: [
            { field: 'fitment', code: 'downstream_error', detail: 'The upstream system responded with an error.' },
          ],
        })
        await api.clearFaults()
        expect(await read(`${path}&n=1`)).to.deep.equal({ ...list, errors: [] })
      })
    })

  describe('GET /v1/vehicles/:vehicle_id/products', () => {
    it('marks universal parts among those made for it', async () => {
      const { data, vehicle, errors } = await read('/v1/vehicles/1139/products?limit=200')
      expect(errors).to.deep.equal([])
      expect(vehicle).to.deep.equal({
        vehicle_id: 1139,
        year: 2015,
        make: 'Toyota',
        model: 'Camry',
        submodel: 'LE',
        engine: '2.5L I4',
        market: 'US',
      })
      const universal = data.find(({ sku }: { sku: string }) => sku === knownSkus.awkward[1])
      const whole = { positions: [], quantity: null, notes: null, qualifiers: [], universal: true }
      expect(universal.fitment).to.deep.equal(whole)
      const made = data.filter(({ fitment }: { fitment: { universal: boolean } }) => !fitment.universal)
      expect(made.length).to.be.greaterThan(0)
      const { fitment, ...item } = made[0]
      expect(fitment.positions).to.have.length.greaterThan(0)
      expect((await read(`/v1/products?q=${item.sku}&limit=1`)).data[0]).to.deep.equal(item)
    })

    for (const id of ['999999', '-1', '0', '2147483648', '9007199254740991']) {
      it(`is 404 for vehicle ${id}`, async () => {
        const { status, body } = await api.request(`/v1/vehicles/${id}/products`, { key })
        expect([status, body.code]).to.deep.equal([404, 'not_found'])
      })
    }

    it('rejects an id that is not a number, and an invalid page', async () => {
      const { status, body } = await api.request('/v1/vehicles/corolla/products?limit=0', { key })
      expect([status, body.detail.map(({ loc }: { loc: string[] }) => loc)]).to.deep.equal([
        422,
        [
          ['path', 'vehicle_id'],
          ['query', 'limit'],
        ],
      ])
    })

    it('is empty past the end', async () => {
      const { data, pagination } = await read('/v1/vehicles/1139/products?offset=9007199254740991')
      expect([data, pagination.has_more, pagination.offset]).to.deep.equal([[], false, 9007199254740991])
    })
  })

  describe('GET /v1/products/:sku/fitments', () => {
    it('lists the vehicles, and how the part fits each', async () => {
      const { sku, universal, data, pagination, errors } = await read('/v1/products/BP-1001/fitments?limit=200')
      expect({ sku, universal, errors }).to.deep.equal({ sku: 'BP-1001', universal: false, errors: [] })
      expect(pagination.total).to.equal(data.length)
      for (const { vehicle_id } of data.slice(0, 2)) {
        const { data: parts } = await read(`/v1/vehicles/${vehicle_id}/products?limit=200`)
        const part = parts.find((row: { sku: string }) => row.sku === sku)
        const { positions, quantity, notes, qualifiers } = data.find((row: Value) => row.vehicle_id === vehicle_id)
        expect(part.fitment).to.deep.equal({ positions, quantity, notes, qualifiers, universal: false })
      }
    })

    it('marks a universal part, and lists no vehicle', async () => {
      const { data, universal } = await read(`/v1/products/${encodeURIComponent(knownSkus.awkward[0])}/fitments`)
      expect({ data, universal }).to.deep.equal({ data: [], universal: true })
    })

    it('is empty past the end', async () => {
      const { data, pagination } = await read('/v1/products/BP-1001/fitments?offset=9007199254740991')
      expect([data, pagination.next_offset]).to.deep.equal([[], null])
    })

    for (const sku of ['NOPE-1', '.', '..', 'a'.repeat(500)]) {
      it(`is 404 for ${sku.slice(0, 20)}`, async () => {
        expect((await api.request(`/v1/products/${sku}/fitments`, { key })).status).to.equal(404)
      })
    }

    it('is 404 for a deactivated product', async () => {
      const { status } = await api.request(`/v1/products/${knownSkus.deactivated}/fitments`, { key })
      expect(status).to.equal(404)
    })
  })
})
