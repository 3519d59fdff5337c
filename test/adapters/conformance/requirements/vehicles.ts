import { expect } from 'chai'
import { createCall } from '../../../support/create-call.ts'
import { BOTH_ITEM_PARTS } from '../both-item-parts.ts'
import { readEveryPage } from '../read-every-page.ts'
import { requirements, requirementsOf } from '../requirement.ts'
import { skusOf } from './items.ts'

/** Returns the requirement of the vehicle facets: from the year to the models of a make, in any case. */
const facetRequirements = (port: 'inventory' | 'fitment') =>
  requirementsOf(`${port}.vehicleFacet`, [
    'narrows down to a vehicle',
    [],
    async (bench) => {
      const { vehicleFacet } = bench[port]
      const [first] = await vehicleFacet({ facet: 'year' }, createCall())
      const year = Number(first!.value)
      const [make] = await vehicleFacet({ facet: 'make', year }, createCall())
      const ofMake = (value: string) => vehicleFacet({ facet: 'model', year, make: value }, createCall())
      const models = await ofMake(make!.value)
      expect(models).to.have.lengthOf.at.least(1)
      for (const { vehicle_id, variants } of models) {
        expect(vehicle_id).to.be.a('number')
        expect(variants?.map((variant) => variant.vehicle_id)).to.include(vehicle_id)
      }
      for (const value of [make!.value.toUpperCase(), make!.value.toLowerCase()])
        expect(await ofMake(value), value).to.deep.equal(models)
      expect(await ofMake('zxqj')).to.deep.equal([])
    },
  ])

const fittingRequirements = requirements(
  'inventory, vehicles',
  [
    'returns the items of a vehicle, and the vehicles of an item',
    ['inventory.vehicleItems', 'inventory.fitments', 'vehicle'],
    async ({ inventory, facts: { vehicle } }) => {
      const { vehicle_id, sku } = vehicle
      const fitting = await inventory.vehicleItems(vehicle_id, { limit: 200, offset: 0 }, BOTH_ITEM_PARTS, createCall())
      expect(fitting.vehicle?.vehicle_id).to.equal(vehicle_id)
      const all = await readEveryPage(
        (page) => inventory.vehicleItems(vehicle_id, page, BOTH_ITEM_PARTS, createCall()),
        7,
      )
      const searched = await readEveryPage((page) =>
        inventory.search({ vehicle_id, ...page }, BOTH_ITEM_PARTS, createCall()),
      )
      expect(skusOf(searched).sort()).to.deep.equal(skusOf(all).sort())
      const row = all.find((item) => item.sku === sku)
      expect(row?.fitment).to.have.all.keys('positions', 'quantity', 'notes', 'qualifiers', 'universal')
      const back = await inventory.fitments(sku, { limit: 200, offset: 0 }, createCall())
      if (!back!.universal) expect(back!.fitments.map((fitment) => fitment.vehicle_id)).to.include(vehicle_id)
    },
  ],
  [
    'returns null for an unknown vehicle',
    ['inventory.vehicleItems', 'unknownVehicleId'],
    async ({ inventory, facts: { unknownVehicleId } }) => {
      const none = await inventory.vehicleItems(
        unknownVehicleId,
        { limit: 1, offset: 0 },
        BOTH_ITEM_PARTS,
        createCall(),
      )
      expect([none.vehicle, none.items]).to.deep.equal([null, []])
    },
  ],
  [
    'returns null for an unknown SKU, but not for one with special characters',
    ['inventory.fitments', 'awkwardSkus'],
    async ({ inventory, facts: { unknownSku, awkwardSkus } }) => {
      expect(await inventory.fitments(unknownSku, { limit: 1, offset: 0 }, createCall())).to.equal(null)
      for (const sku of awkwardSkus)
        expect(await inventory.fitments(sku, { limit: 1, offset: 0 }, createCall()), sku).to.not.equal(null)
    },
  ],
)

const fitmentRequirements = requirements(
  'fitment',
  [
    'returns each SKU of a vehicle once, and the vehicles of a SKU',
    ['fitment.vehicle', 'fitment.fitments', 'vehicle'],
    async ({ fitment, facts: { vehicle } }) => {
      const { vehicle_id, sku } = vehicle
      const fitted = (await fitment.vehicle(vehicle_id, createCall()))!
      expect(fitted.vehicle.vehicle_id).to.equal(vehicle_id)
      expect(new Set(fitted.parts.map((part) => part.sku)).size).to.equal(fitted.parts.length)
      const part = fitted.parts.find((one) => one.sku === sku)!
      expect(part.fitment).to.have.all.keys('positions', 'quantity', 'notes', 'qualifiers', 'universal')
      const back = (await fitment.fitments(sku, { limit: 200, offset: 0 }, createCall()))!
      expect(back.universal).to.equal(part.fitment.universal)
      const { universal: _, ...own } = part.fitment
      if (!back.universal)
        expect(back.fitments.find((one) => one.vehicle_id === vehicle_id)).to.deep.equal({ ...fitted.vehicle, ...own })
      const rows = await readEveryPage(async (page) => {
        const { fitments, ...rest } = (await fitment.fitments(sku, page, createCall()))!
        return { rows: fitments, ...rest }
      }, 3)
      expect(rows).to.deep.equal(back.fitments)
    },
  ],
  [
    'returns null for unknown ids',
    ['fitment.vehicle', 'fitment.fitments', 'unknownVehicleId'],
    async ({ fitment, facts: { unknownVehicleId, unknownSku } }) => {
      expect(await fitment.vehicle(unknownVehicleId, createCall())).to.equal(null)
      expect(await fitment.fitments(unknownSku, { limit: 1, offset: 0 }, createCall())).to.equal(null)
    },
  ],
)

export const vehicleRequirements = [
  ...facetRequirements('inventory'),
  ...fittingRequirements,
  ...facetRequirements('fitment'),
  ...fitmentRequirements,
]
