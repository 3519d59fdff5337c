import { expect } from 'chai'
import type { MerchantConfig } from '../../../src/config/merchant-config.ts'
import { fitmentImports } from '../../../src/storage/fitment/fitment-imports.ts'
import { type Api, type Reply, type SystemsOf, startApi } from '../../support/api.ts'
import { importFitmentText } from '../../support/import-fitment-text.ts'
import { stores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'

const HEAD = 'sku,year,make,model,submodel,market,positions,universal'
const tenant = { merchant: 'garage', mode: 'sandbox' } as const

/** A merchant with the products of acme's embedded back office, and fitment from a file. */
const garage = (of: SystemsOf): Partial<MerchantConfig>[] => [
  { merchant: 'garage', live: of('acme-live'), sandbox: { ...of('acme'), fitment: 'imported' } },
]

for (const store of stores()) {
  describe(`a merchant whose fitment is imported, over ${store.name}`, () => {
    let api: Api
    let key: string
    /** The active SKUs, in catalog order. */
    let skus: string[]

    beforeEach(async () => {
      api = await startApi({ merchants: garage, store: await store.createMigrated() })
      key = await api.key({ merchant: 'garage' })
      const { data } = (await read('/v1/products?limit=60')).body
      skus = data.map(({ sku }: { sku: string }) => sku)
    })
    afterEach(async () => {
      await api[Symbol.asyncDispose]()
      await store.close()
    })

    /** Retries: a busy machine may exceed the store's short query timeout. */
    async function read(path: string, headers: Record<string, string> = {}): Promise<Reply> {
      const reply = await api.request(path, { key, headers })
      return reply.status === 504 && Object.keys(headers).length === 0 ? read(path) : reply
    }
    const listed = async (path: string) => {
      const { status, body } = await read(path)
      expect(status, path).to.equal(200)
      return body.data.map(({ sku }: { sku: string }) => sku) as string[]
    }
    const bring = (...lines: string[]) => importFitmentText(api.db, `${HEAD}\n${lines.join('\n')}\n`, tenant)
    const values = async (path: string) => {
      const { body } = await read(path)
      return body.data.map(({ value }: { value: string }) => value) as string[]
    }
    const shows = (path: string, expected: unknown) =>
      until(`${path} shows ${JSON.stringify(expected)}`, async () => {
        const { body } = await read(path)
        const found = body.data?.map(({ value }: { value: string }) => value)
        return JSON.stringify(found) === JSON.stringify(expected)
      })
    const rio = async () => (await read('/v1/vehicles/models?year=2014&make=kia')).body.data[0].vehicle_id as number

    it('shows the fitment of a file, for products that its inventory sells', async () => {
      await bring(
        ...[`${skus[2]},2014,Kia,Rio,EX,JM,Front,`, `${skus[0]},2014-2015,Kia,Rio,EX,JM,,`],
        ...['NOT-THERE,2014,Kia,Rio,EX,JM,,', `${skus[1]},,,,,,,yes`],
      )
      await shows('/v1/vehicles/years', ['2015', '2014'])
      expect(await values('/v1/vehicles/makes?year=2014')).to.deep.equal(['Kia'])
      const id = await rio()
      const { body, status } = await read(`/v1/vehicles/${id}/products`)
      expect([status, body.errors]).to.deep.equal([200, []])
      expect(body.vehicle).to.deep.equal({
        vehicle_id: id,
        year: 2014,
        make: 'Kia',
        model: 'Rio',
        submodel: 'EX',
        engine: null,
        market: 'JM',
      })
      expect(body.data.map(({ sku }: { sku: string }) => sku)).to.deep.equal(skus.slice(0, 3))
      expect(body.data[2].fitment).to.deep.equal({
        positions: ['Front'],
        quantity: null,
        notes: null,
        qualifiers: [],
        universal: false,
      })
      expect(body.data[1].fitment.universal).to.equal(true)
      expect(body.data[0].price.amount).to.match(/^\d/)
      expect(body.pagination).to.include({ count: 3, total: 3, has_more: false })
      const page = (await read(`/v1/vehicles/${id}/products?limit=1&offset=1`)).body
      expect(page.data.map(({ sku }: { sku: string }) => sku)).to.deep.equal([skus[1]])
      expect(page.pagination).to.deep.equal({
        limit: 1,
        offset: 1,
        count: 1,
        total: 3,
        has_more: true,
        next_offset: 2,
      })
      const fits = (await read(`/v1/products/${encodeURIComponent(skus[0]!)}/fitments`)).body
      expect(fits.data.map(({ year }: { year: number }) => year)).to.deep.equal([2015, 2014])
      expect((await read(`/v1/products/${encodeURIComponent(skus[5]!)}/fitments`)).body).to.include({
        universal: false,
      })
      expect((await read('/v1/products/NOT-THERE/fitments')).status).to.equal(404)
    })

    it('narrows the catalog to a vehicle, together with other filters', async () => {
      const { data } = (await read('/v1/products?limit=60')).body
      const some = data.filter(({ brand }: { brand: string | null }) => brand !== null).slice(0, 5)
      await bring(...some.map(({ sku }: { sku: string }) => `${sku},2014,Kia,Rio,,,,`))
      await shows('/v1/vehicles/years', ['2014'])
      const id = await rio()
      const all = some.map(({ sku }: { sku: string }) => sku)
      expect(await listed(`/v1/products?vehicle_id=${id}`)).to.deep.equal(all)
      const [{ sku, categories, tags }] = some
      expect(await listed(`/v1/products?vehicle_id=${id}&q=${encodeURIComponent(sku)}`)).to.deep.equal([sku])
      const category = categories[0].category_id
      const within = await listed(`/v1/products?vehicle_id=${id}&category=${category}`)
      expect(within)
        .to.include(sku)
        .and.to.satisfy((found: string[]) => found.every((one) => all.includes(one)))
      if (tags[0]) expect(await listed(`/v1/products?vehicle_id=${id}&tag=${tags[0]}`)).to.include(sku)
      expect(await listed(`/v1/products?vehicle_id=${id}&category=zxqj`)).to.deep.equal([])
      const { body } = await read(`/v1/products?vehicle_id=${id}&updated_since=2000-01-01T00:00:00Z`)
      expect([body.data.length, body.sync.watermark]).to.satisfy(
        ([count, at]: [number, string]) => count === 5 && at > '2000',
      )
    })

    it('is 404 for other vehicles, and an empty page when filtering by them', async () => {
      await bring(`${skus[0]},2014,Kia,Rio,,,,`)
      await shows('/v1/vehicles/years', ['2014'])
      const { status, body } = await read('/v1/vehicles/1139/products')
      expect([status, body.code]).to.deep.equal([404, 'not_found'])
      const { body: filtered } = await read('/v1/products?vehicle_id=1139')
      expect([filtered.data, filtered.pagination.total, filtered.errors]).to.deep.equal([[], 0, []])
    })

    it('calls each system once for a page', async () => {
      await bring(...skus.map((sku) => `${sku},2014,Kia,Rio,,,,`))
      await shows('/v1/vehicles/years', ['2014'])
      const id = await rio()
      const { inventory, pricing, accounting } = api.systems
      const before = [inventory, pricing, accounting].map(({ calls }) =>
        Object.values(calls).reduce((a, b) => a + b, 0),
      )
      expect(await listed(`/v1/vehicles/${id}/products`)).to.deep.equal(skus.slice(0, 50))
      const after = [inventory, pricing, accounting].map(({ calls }) => Object.values(calls).reduce((a, b) => a + b, 0))
      expect(after.map((count, at) => count - before[at]!).every((count) => count <= 1)).to.equal(true)
    })

    it('shows a new file soon after its import, and nothing of the previous one', async () => {
      await bring(`${skus[0]},2014,Kia,Rio,,,,`)
      await shows('/v1/vehicles/years', ['2014'])
      const id = await rio()
      expect(await listed(`/v1/vehicles/${id}/products`)).to.deep.equal([skus[0]])
      await bring(`${skus[1]},2013-2014,Kia,Rio,,,,`)
      await shows('/v1/vehicles/years', ['2014', '2013'])
      await until('its page is the new one', async () => (await listed(`/v1/vehicles/${id}/products`))[0] === skus[1])
      expect((await read(`/v1/products/${encodeURIComponent(skus[0]!)}/fitments`)).body.data).to.deep.equal([])
      await fitmentImports.deactivate(api.db, tenant, new Date().toISOString())
      await shows('/v1/vehicles/years', [])
      await until('its page is gone', async () => (await read(`/v1/vehicles/${id}/products`)).status === 404)
    })

    it('returns vehicles while the circuit of inventory is open', async () => {
      await bring(`${skus[0]},2014,Kia,Rio,,,,`)
      await shows('/v1/vehicles/years', ['2014'])
      const id = await rio()
      const before = await listed(`/v1/vehicles/${id}/products`)
      await api.fault('inventory', { status: 503 })
      // Concurrent, because too few sequential calls would fall into the circuit's window on a busy machine.
      await until('the circuit is open', async () => {
        const reads = Array.from({ length: 12 }, () => read(`/v1/products?q=x${Math.random()}`))
        return (await Promise.all(reads)).some(({ body }) => body.code === 'circuit_open')
      })
      await bring(`${skus[0]},2014-2020,Kia,Rio,,,,`)
      await shows('/v1/vehicles/years', ['2020', '2019', '2018', '2017', '2016', '2015', '2014'])
      // The years may have been refreshed before the import was noticed.
      await until('its page is an old one', async () => {
        const { body } = await read(`/v1/vehicles/${id}/products`)
        expect(body.data.map(({ sku }: { sku: string }) => sku)).to.deep.equal(before)
        return body.errors[0]?.field === 'data' && body.errors[0].stale
      })
    })

    it('fails a vehicle page for one request where X-Sandbox-Fault names fitment', async () => {
      await bring(`${skus[0]},2014,Kia,Rio,,,,`)
      await shows('/v1/vehicles/years', ['2014'])
      const id = await rio()
      const fault = { 'x-sandbox-fault': 'fitment=timeout' }
      for (const path of ['/v1/vehicles/years', `/v1/vehicles/${id}/products`, `/v1/products?vehicle_id=${id}`]) {
        const { status, body } = await read(path, fault)
        expect([status, body.code], path).to.deep.equal([504, 'downstream_timeout'])
      }
      expect((await read('/v1/products?limit=1', fault)).status).to.equal(200)
      expect((await read('/v1/vehicles/years')).status).to.equal(200)
    })

    it('keeps serving reads while tens of thousands of rows are imported', async () => {
      let done = false
      let reads = 0
      let models = 0
      // The import ends only after a few concurrent reads, on any machine.
      async function* file() {
        yield Buffer.from(`${HEAD}\n`)
        for (; models < 40 || reads < 6; models++)
          yield Buffer.from(skus.map((sku) => `${sku},2001-2020,Make,Model ${models},,,,\n`).join(''))
      }
      const importing = importFitmentText(api.db, file(), tenant).finally(() => {
        done = true
      })
      while (!done) {
        expect((await read(`/v1/vehicles/makes?year=${1950 + (reads % 100)}`)).status).to.equal(200)
        reads += 1
      }
      expect((await importing).counts.fitments).to.equal(skus.length * models * 20)
      expect(reads).to.be.above(5)
      await shows('/v1/vehicles/makes?year=2001', ['Make'])
    }).timeout(300_000)
  })
}

describe('a merchant whose fitment is imported', () => {
  it('returns downstream_unavailable while its store fails, and never 500', async () => {
    await using api = await startApi({ merchants: garage })
    const key = await api.key({ merchant: 'garage' })
    expect((await api.request('/v1/vehicles/years', { key })).status).to.equal(200)
    await api.db.schema.dropTable('fitment_vehicles').execute()
    for (const path of ['/v1/vehicles/makes?year=2014', '/v1/vehicles/12/products', '/v1/products?vehicle_id=12']) {
      const { status, body } = await api.request(path, { key })
      expect([status, body.code], path).to.deep.equal([503, 'downstream_unavailable'])
    }
  })
})
