import { expect } from 'chai'
import { UpstreamError } from '../../../src/errors.ts'
import type { Product } from '../../../src/ports/inventory.ts'
import type { Fitment, SkuFitments } from '../../../src/ports/sku-fitments.ts'
import type { Vehicle } from '../../../src/ports/vehicle.ts'
import { listCatalogParts, markCatalogPartFilled } from '../../../src/storage/catalog/catalog-part-states.ts'
import { listCatalogProductsAfter, putCatalogParts } from '../../../src/storage/catalog/catalog-products.ts'
import { listCatalogVehiclesAfter } from '../../../src/storage/catalog/catalog-vehicles.ts'
import type { Database } from '../../../src/storage/database.ts'
import { fitmentImports } from '../../../src/storage/fitment/fitment-imports.ts'
import { transact } from '../../../src/storage/transact.ts'
import type { Tenant } from '../../../src/tenant.ts'
import { importFitmentText } from '../../support/import-fitment-text.ts'
import { stores } from '../../support/stores.ts'
import { createFakeSystems, type FakeSystems } from '../fake-systems.ts'
import { productOf } from '../sample-products.ts'
import { createTestFeed } from '../test-feed.ts'

const acme: Tenant = { merchant: 'acme', mode: 'sandbox' }
const HEAD = 'sku,year,make,model,submodel,engine,market,vehicle_id,positions,quantity,notes,qualifiers,universal'
const lines = (...rows: string[]) => `${HEAD}\n${rows.join('\n')}\n`
const details = (over: Partial<Fitment> = {}): Fitment => ({
  positions: [],
  quantity: null,
  notes: null,
  qualifiers: [],
  ...over,
})
const vehicle = (vehicle_id: number, model = 'Corolla'): Vehicle => ({
  vehicle_id,
  year: 2010,
  make: 'Toyota',
  model,
  submodel: null,
  engine: null,
  market: 'JM',
})

for (const store of stores()) {
  describe(`fitment in the catalog on ${store.name}`, () => {
    let db: Database
    let systems: FakeSystems
    const products = new Map<string, Product>()

    beforeEach(async () => {
      db = await store.open()
      systems = createFakeSystems()
      products.clear()
      // Products are written by the tests: no feed reports them, and the inventory has them as they are.
      systems.products.read = null
      systems.items = async (skus) =>
        skus.flatMap((sku) => (products.has(sku) ? { sku, product: products.get(sku)!, stock: null } : []))
    })
    afterEach(() => store.close())

    const put = (parts: Parameters<typeof putCatalogParts>[2]) =>
      transact(db, (transaction) => putCatalogParts(transaction, acme, parts, systems.at()))
    const putProduct = (product: Product) => {
      products.set(product.sku, product)
      return { sku: product.sku, product: JSON.stringify(product), active: 1 }
    }
    const putProducts = (...skus: string[]) => put(skus.map((sku) => putProduct(productOf(sku, systems.at()))))
    const tick = async (...errors: unknown[]) => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      expect(feed.errors).to.deep.equal(errors)
      systems.now += 5_000
    }
    /** The vehicles of each product with their details, and the universal parts. */
    const readFitments = async () => {
      const rows = await listCatalogProductsAfter(db, acme, 0, 10_000)
      return Object.fromEntries(
        rows.map(({ sku, fitment }) => {
          if (fitment === null) return [sku, null]
          const { universal, details, runs } = JSON.parse(fitment)
          const vehicles = runs.map(([at, ...ids]: number[]) => [details[at!], ids])
          return [sku, universal ? [universal, ...vehicles] : vehicles]
        }),
      )
    }
    const readVehicles = async () => {
      const rows = await listCatalogVehiclesAfter(db, acme, 0, 10_000)
      return rows.flatMap(({ vehicle }) => (vehicle === null ? [] : (JSON.parse(vehicle) as Vehicle)))
    }
    const readPart = async () => (await listCatalogParts(db, acme)).find(({ name }) => name === 'vehicles')

    describe('from an import', () => {
      beforeEach(() => {
        systems.fitmentSource = 'imported'
      })

      it('has the vehicles of each product with their details', async () => {
        await putProducts('A', 'B', 'C')
        await importFitmentText(
          db,
          lines(
            'A,2010,Toyota,Corolla,,,,7,FRONT,2,Measure first,,',
            'A,2011,Toyota,Corolla,,,,8,FRONT,2,Measure first,,',
            'A,2010,Honda,Civic,,,,9,REAR,1,,,',
            'B,,,,,,,,,4,,,true',
          ),
        )
        await tick()
        const front = details({ positions: ['FRONT'], quantity: 2, notes: 'Measure first' })
        expect(await readFitments()).to.deep.equal({
          A: [
            [details({ positions: ['REAR'], quantity: 1 }), [9]],
            [front, [8, 7]],
          ],
          B: [details({ quantity: 4 })],
          C: null,
        })
        expect((await readVehicles()).map(({ vehicle_id, make }) => [vehicle_id, make])).to.deep.equal([
          [7, 'Toyota'],
          [8, 'Toyota'],
          [9, 'Honda'],
        ])
        expect((await readPart())?.filledAt).to.be.a('string')
      })

      it('loses what the next import does not have, and all when it is cleared', async () => {
        await putProducts('A', 'B')
        await importFitmentText(db, lines('A,2010,Toyota,Corolla,,,,7,,,,,', 'B,2010,Honda,Civic,,,,9,,,,,'))
        await tick()
        await importFitmentText(db, lines('B,2010,Honda,Civic,,,,9,,,,,'))
        await tick()
        expect(await readFitments()).to.deep.equal({ A: null, B: [[details(), [9]]] })
        expect((await readVehicles()).map(({ vehicle_id }) => vehicle_id)).to.deep.equal([9])
        await fitmentImports.deactivate(db, acme, systems.at())
        await tick()
        expect([await readFitments(), await readVehicles()]).to.deep.equal([{ A: null, B: null }, []])
      })

      it('writes a product again when one of its vehicles gets another name or year', async () => {
        await putProducts('A')
        const sequences: number[] = []
        for (const name of ['2010,Toyota,Corolla', '2010,Toyota,Auris', '2011,Toyota,Auris', '2011,Toyota,Auris']) {
          await importFitmentText(db, lines(`A,${name},,,,7,,,,,`))
          await tick()
          sequences.push((await listCatalogProductsAfter(db, acme, 0, 10))[0]!.sequence)
        }
        const [first, renamed, ofAnotherYear, same] = sequences as [number, number, number, number]
        expect([renamed > first, ofAnotherYear > renamed, same === ofAnotherYear]).to.deep.equal([true, true, true])
      })

      it('has all vehicles of a part that fits thousands', async () => {
        await putProducts('A', 'B')
        const rows = Array.from({ length: 5_001 }, (_, at) => `A,2010,Toyota,Model ${at},,,,${at + 1},,,,,`)
        await importFitmentText(db, lines(...rows, 'B,2010,Toyota,Model 3,,,,4,,,,,'))
        await tick()
        const { A, B } = await readFitments()
        expect(A).to.have.length(1)
        expect(new Set(A[0][1])).to.have.property('size', 5_001)
        expect(B).to.deep.equal([[details(), [4]]])
      })
    })

    describe('from a system', () => {
      let source: Map<string, SkuFitments>
      let asked: string[]
      beforeEach(() => {
        systems.fitmentSource = 'system'
        source = new Map()
        asked = []
        systems.fitments = async (sku, { limit, offset }) => {
          asked.push(sku)
          const found = source.get(sku)
          if (!found) return null
          const fitments = found.fitments.slice(offset, offset + limit)
          return { ...found, fitments, has_more: offset + limit < found.fitments.length }
        }
      })
      const fits = (sku: string, universal: boolean, ...fitments: (Vehicle & Fitment)[]) =>
        source.set(sku, { universal, fitments, total: null, has_more: false })

      it('has the fitment of each product, with one fitment for each vehicle', async () => {
        await putProducts('A', 'B', 'C')
        fits('A', false, { ...vehicle(7), ...details({ positions: ['FRONT'] }) }, { ...vehicle(8), ...details() })
        source.get('A')!.fitments.push({ ...vehicle(7), ...details({ positions: ['REAR'] }) })
        fits('B', true)
        await tick()
        expect(await readFitments()).to.deep.equal({
          A: [
            [details({ positions: ['FRONT', 'REAR'] }), [7]],
            [details(), [8]],
          ],
          B: [details()],
          C: [],
        })
        expect((await readVehicles()).map(({ vehicle_id }) => vehicle_id)).to.deep.equal([7, 8])
      })

      it('is filled when all products were read, and has the time of the last read', async () => {
        await putProducts('A')
        await tick()
        expect((await readPart())?.filledAt).to.equal(null)
        await markCatalogPartFilled(db, acme, 'products', systems.at())
        // Other jobs write the product meanwhile: it is read again.
        for (let round = 0; round < 3; round++) await tick()
        const at = systems.at()
        await tick()
        const { filledAt, asOf } = (await readPart())!
        expect(filledAt).to.be.a('string')
        expect(asOf).to.equal(at)
      })

      it('reads all pages of a product', async () => {
        await putProducts('A')
        fits('A', false, ...Array.from({ length: 450 }, (_, at) => ({ ...vehicle(at + 1), ...details() })))
        await tick()
        expect((await readFitments()).A[0][1]).to.have.length(450)
      })

      it('reads changed products at once, and the others in turns', async () => {
        const skus = Array.from({ length: 30 }, (_, at) => `S-${at}`)
        await putProducts(...skus)
        // Other jobs write the products meanwhile: those are read again.
        for (let round = 0; round < 3; round++) await tick()
        expect([...new Set(asked.splice(0))]).to.have.members(skus)
        await put([putProduct(productOf('S-7', systems.at(), { name: 'new' }))])
        await put([{ sku: 'S-8', availability: '{"band":"LOW"}', stock_as_of: null }])
        await tick()
        expect(asked[0]).to.equal('S-7')
        const turns = asked.splice(0).slice(1)
        await tick()
        await tick()
        expect(new Set(['S-7', ...turns, ...asked])).to.have.property('size', 30)
      })

      it('does not miss a change that comes while the fitment is being read', async () => {
        await putProducts('A')
        const { fitments } = systems
        systems.fitments = async (sku, page) => {
          await put([{ sku, product: JSON.stringify(productOf(sku, systems.at(), { name: 'changed' })), active: 1 }])
          return fitments(sku, page)
        }
        await tick()
        systems.fitments = fitments
        fits('A', true)
        await markCatalogPartFilled(db, acme, 'products', systems.at())
        await tick()
        expect((await readFitments()).A).to.deep.equal([details()])
        expect(asked).to.deep.equal(['A', 'A'])
      })

      it('keeps what it has while the system fails, and says since when', async () => {
        await putProducts('A')
        fits('A', true)
        await tick()
        const since = systems.at()
        const { fitments } = systems
        systems.fitments = () => Promise.reject(new UpstreamError('timeout', 'no response'))
        await tick()
        await tick()
        const { failure, failingSince } = (await readPart())!
        expect([failure, failingSince]).to.deep.equal(['timeout', since])
        expect((await readFitments()).A).to.deep.equal([details()])
        systems.fitments = fitments
        await tick()
        expect((await readPart())!.failure).to.equal(null)
      })

      it('does not wait for a product that the system cannot tell', async () => {
        await putProducts('A', 'B')
        fits('B', true)
        const { fitments } = systems
        systems.fitments = (sku, page) =>
          sku === 'A' ? Promise.reject(new UpstreamError('invalid', 'no sense')) : fitments(sku, page)
        await tick()
        await markCatalogPartFilled(db, acme, 'products', systems.at())
        for (let round = 0; round < 3; round++) await tick()
        expect(await readFitments()).to.deep.equal({ A: null, B: [details()] })
        expect((await readPart())?.filledAt).to.be.a('string')
      })

      it('loses the vehicles that no product fits any longer', async () => {
        await putProducts('A')
        fits('A', false, { ...vehicle(7), ...details() }, { ...vehicle(8), ...details() })
        await tick()
        fits('A', false, { ...vehicle(8), ...details() })
        await tick()
        systems.now += 3_600_000
        await tick()
        expect((await readVehicles()).map(({ vehicle_id }) => vehicle_id)).to.deep.equal([8])
      })

      it('is read anew when the merchant imports fitment instead, and back', async () => {
        await putProducts('A')
        fits('A', true)
        await markCatalogPartFilled(db, acme, 'products', systems.at())
        await tick()
        await importFitmentText(db, lines('A,2010,Toyota,Corolla,,,,7,,,,,'))
        systems.fitmentSource = 'imported'
        await tick()
        expect((await readFitments()).A).to.deep.equal([[details(), [7]]])
        systems.fitmentSource = 'system'
        await tick()
        expect((await readFitments()).A).to.deep.equal([details()])
        systems.fitmentSource = null
        await tick()
        expect((await readPart())?.filledAt).to.equal(null)
      })
    })
  })
}
