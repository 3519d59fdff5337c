import { expect } from 'chai'
import { categories } from '../../../fixtures/categories.ts'
import { generateProducts } from '../../../fixtures/products.ts'
import { vehicles } from '../../../fixtures/vehicles.ts'
import { openMirrorForReading } from '../../../src/catalog/mirror/file/mirror-file.ts'
import { NO_DETAILS, toProductFitment, vehiclesOfRuns } from '../../../src/catalog/mirror/vehicles/product-fitment.ts'
import { createVehicleReader } from '../../../src/catalog/mirror/vehicles/vehicle-and-fitment-reader.ts'
import type { Vehicle } from '../../../src/ports/vehicle.ts'
import { countVehicleFacet } from '../../../src/sandbox/inventory/vehicle-facet-counts.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror } from '../test-mirror.ts'

const byId = new Map(vehicles.map((vehicle) => [vehicle.vehicle_id, vehicle]))
const products = generateProducts()

/** A mirror of the demo's catalog, with all details of its fitment. */
function openDemo() {
  const mirror = openTestMirror()
  const rows = products.map(({ sku, name, active, universal, fitments }) => {
    const fitted = fitments.flatMap(({ vehicle_ids, ...fitment }) =>
      vehicle_ids.map((id) => ({ ...byId.get(id)!, fitment })),
    )
    const fitment = toProductFitment(universal ? NO_DETAILS : null, fitted)
    return toRow(sku, { product: { name, active }, fitment, universal, vehicles: vehiclesOfRuns(fitment.runs) })
  })
  mirror.write(rows, { vehicles, categories: categories.map((one) => ({ ...one, product_count: null })) })
  const database = openMirrorForReading(mirror.path)!
  return {
    mirror,
    reader: createVehicleReader(database),
    [Symbol.dispose]() {
      database.close()
      mirror[Symbol.dispose]()
    },
  }
}

describe('vehicles in a mirror file', () => {
  it('have the facets of the inventory', () => {
    using demo = openDemo()
    const { reader } = demo
    for (const market of [undefined, 'JM', 'US', 'XX']) {
      const of = market === undefined ? {} : { market }
      const years = countVehicleFacet(vehicles, { facet: 'year', ...of })
      expect(reader.vehicleFacet({ facet: 'year', ...of })).to.deep.equal(years)
      for (const year of [1998, 2010, 2025, 1950]) {
        const makes = countVehicleFacet(vehicles, { facet: 'make', year, ...of })
        expect(reader.vehicleFacet({ facet: 'make', year, ...of })).to.deep.equal(makes)
        for (const make of ['Toyota', 'tOYOTA', 'BMW', 'Toy-ota', 'none']) {
          const models = countVehicleFacet(vehicles, { facet: 'model', year, make, ...of })
          expect(sortVariants(reader.vehicleFacet({ facet: 'model', year, make, ...of }))).to.deep.equal(
            sortVariants(models),
          )
        }
      }
    }
  })

  it('are counted once, until they change', () => {
    using demo = openDemo()
    const { reader, mirror } = demo
    const years = reader.vehicleFacet({ facet: 'year' })
    expect(reader.vehicleFacet({ facet: 'year' })).to.equal(years)
    const { sequence } = toRow('any')
    mirror.writer.apply({ sequence, vehicles: [{ ...vehicles[0]!, vehicle_id: 999_999, year: 1901 }] })
    expect(reader.vehicleFacet({ facet: 'year' }).at(-1)).to.include({ value: '1901', count: 1 })
  })

  it('are found by their ids', () => {
    using demo = openDemo()
    for (const vehicle of vehicles) expect(demo.reader.vehicle(vehicle.vehicle_id)).to.deep.equal(vehicle)
    expect(demo.reader.vehicle(1)).to.equal(null)
  })

  it('have the fitments of each product, page by page', () => {
    using demo = openDemo()
    for (const { sku, fitments, universal, active } of products) {
      const expected = fitments.flatMap(({ vehicle_ids, ...fitment }) =>
        vehicle_ids.map((id) => ({ ...byId.get(id)!, ...fitment })),
      )
      const [first, second] = [0, 7].map((offset) => demo.reader.fitments(sku, { limit: 7, offset }))
      if (!active) {
        expect(first).to.equal(null)
        continue
      }
      expect([...first!.fitments, ...second!.fitments]).to.deep.equal(expected.slice(0, 14))
      expect([first!.total, first!.universal, first!.has_more]).to.deep.equal([
        expected.length,
        universal,
        expected.length > 7,
      ])
    }
    expect(demo.reader.fitments('none', { limit: 7, offset: 0 })).to.equal(null)
  })

  it('say how products fit a vehicle', () => {
    using demo = openDemo()
    for (const { vehicle_id } of vehicles.slice(0, 50)) {
      const skus = products.filter(({ active }) => active).map(({ sku }) => sku)
      const found = demo.reader.fitmentsOn(vehicle_id, [...skus, 'none'])
      expect(found.pop()).to.equal(null)
      for (const [at, sku] of skus.entries()) {
        const { universal, fitments } = products.find((product) => product.sku === sku)!
        const fitment = fitments.find(({ vehicle_ids }) => vehicle_ids.includes(vehicle_id))
        const { vehicle_ids: _, ...details } = fitment ?? { vehicle_ids: [], ...NO_DETAILS }
        expect(found[at]).to.deep.equal(fitment || universal ? { ...details, universal } : null)
      }
    }
  })

  it('change their details, and go', () => {
    using demo = openDemo()
    const [first, second] = vehicles as [Vehicle, Vehicle]
    const write = (quantity: number, ...fitted: Vehicle[]) => {
      const fitment = toProductFitment(
        null,
        fitted.map((vehicle) => ({ ...vehicle, fitment: { ...NO_DETAILS, quantity } })),
      )
      demo.mirror.write([toRow('NEW', { fitment, vehicles: vehiclesOfRuns(fitment.runs) })])
      return [first, second].map(({ vehicle_id }) => demo.reader.fitmentsOn(vehicle_id, ['NEW'])[0]?.quantity ?? null)
    }
    expect(write(1, first, second)).to.deep.equal([1, 1])
    expect(write(2, first)).to.deep.equal([2, null])
    demo.mirror.write([toRow('OTHER')], { removedVehicles: [first.vehicle_id] })
    expect(demo.reader.vehicle(first.vehicle_id)).to.equal(null)
    expect(demo.reader.fitments('NEW', { limit: 5, offset: 0 })!.fitments).to.deep.equal([])
  })
})

/** The inventory lists variants in the order of their ids, an import by their names. */
const sortVariants = (values: { value: string; variants?: { vehicle_id: number }[] }[]) =>
  values.map(({ value, variants, ...rest }) => ({
    ...rest,
    value,
    vehicle_id: Math.min(...variants!.map(({ vehicle_id }) => vehicle_id)),
    variants: variants!.toSorted((a, b) => a.vehicle_id - b.vehicle_id),
  }))
