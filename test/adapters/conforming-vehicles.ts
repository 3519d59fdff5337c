import { expect } from 'chai'
import { BOTH, call, type Subject } from './subject.ts'

export function conformingVehicles(subject: () => Subject): void {
  const facts = () => subject().facts
  const inventory = () => subject().inventory

  describe('inventory, vehicles', () => {
    it('narrows down to a vehicle', async () => {
      const facet = inventory()?.vehicleFacet
      if (!facet) return
      const [year] = await facet({ facet: 'year' }, call())
      const [make] = await facet({ facet: 'make', year: Number(year!.value) }, call())
      const models = await facet({ facet: 'model', year: Number(year!.value), make: make!.value.toUpperCase() }, call())
      expect(models).to.have.lengthOf.at.least(1)
      for (const { vehicle_id, variants } of models) {
        expect(vehicle_id).to.be.a('number')
        expect(variants?.map((variant) => variant.vehicle_id)).to.include(vehicle_id)
      }
      expect(await facet({ facet: 'model', year: Number(year!.value), make: 'zxqj' }, call())).to.deep.equal([])
    })

    it('answers what fits a vehicle, and the vehicles of what fits', async () => {
      const { vehicle } = facts()
      const port = inventory()
      if (!vehicle || !port?.vehicleItems) return
      const fitting = await port.vehicleItems(vehicle.vehicle_id, { limit: 200, offset: 0 }, BOTH, call())
      expect(fitting.vehicle?.vehicle_id).to.equal(vehicle.vehicle_id)
      const searched = await port.search({ vehicle_id: vehicle.vehicle_id, limit: 200, offset: 0 }, BOTH, call())
      expect(searched.items.map(({ sku }) => sku).sort()).to.deep.equal(fitting.items.map(({ sku }) => sku).sort())
      const row = fitting.items.find(({ sku }) => sku === vehicle.sku)
      expect(row?.fitment).to.have.all.keys('positions', 'quantity', 'notes', 'qualifiers', 'universal')
      const back = await port.fitments?.(vehicle.sku, { limit: 200, offset: 0 }, call())
      if (back && !back.universal)
        expect(back.fitments.map(({ vehicle_id }) => vehicle_id)).to.include(vehicle.vehicle_id)
    })

    it('answers null for a vehicle, or a SKU, that is not there', async () => {
      const { unknownVehicleId, unknownSku } = facts()
      const port = inventory()
      if (unknownVehicleId !== undefined && port?.vehicleItems) {
        const none = await port.vehicleItems(unknownVehicleId, { limit: 1, offset: 0 }, BOTH, call())
        expect([none.vehicle, none.items]).to.deep.equal([null, []])
      }
      if (port?.fitments) expect(await port.fitments(unknownSku, { limit: 1, offset: 0 }, call())).to.equal(null)
    })

    it('answers fitments of SKUs with odd characters', async () => {
      for (const sku of facts().awkwardSkus ?? []) {
        const fitments = await inventory()?.fitments?.(sku, { limit: 1, offset: 0 }, call())
        expect(fitments, sku).to.not.equal(null)
      }
    })
  })
}
