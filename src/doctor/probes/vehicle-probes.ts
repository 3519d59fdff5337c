import type { FitmentPort } from '../../ports/fitment.ts'
import type { VehicleFacetQuery } from '../../ports/inventory.ts'
import { type Known, type Question, question, type Unasked, unknown } from '../operation-probe.ts'

/** What inventories and sources of fitment have in common. */
export type VehicleReads = Partial<Pick<FitmentPort, 'vehicleFacet' | 'fitments'>>

export const noVehicles: Unasked = {
  result: 'not offered',
  finding: 'the adapter has no vehicles for this system',
  remedy: 'They may come from a file, or from another system: fitment in the configuration',
}
export const noVehicle = unknown('vehicle', 'Give the system vehicles, and products that fit them')
export const noSku = unknown('SKU', 'Mend search first')

type Learned = { value: string; vehicle_id?: number }

/** A vehicle is found as a shopper finds one: year, make, model. */
export function facets(port: VehicleReads): Question[] {
  const facet = (
    level: VehicleFacetQuery['facet'],
    query: (known: Known) => VehicleFacetQuery | null,
    learn: (value: Learned, known: Known) => void,
  ) =>
    question({
      operation: `vehicleFacet (${level})`,
      ask(known) {
        if (!port.vehicleFacet) return noVehicles
        const asked = query(known)
        return asked === null ? noVehicle : (call) => port.vehicleFacet!(asked, call)
      },
      learn: ([first], known) => first && learn(first, known),
    })
  const year = ({ value }: Learned, known: Known) => Object.assign(known, { year: Number(value) })
  const make = ({ value }: Learned, known: Known) => Object.assign(known, { make: value })
  const model = ({ vehicle_id: vehicleId }: Learned, known: Known) => Object.assign(known, { vehicleId })
  return [
    facet('year', () => ({ facet: 'year' }), year),
    facet('make', ({ year }) => (year === undefined ? null : { facet: 'make', year }), make),
    facet('model', ({ year, make }) => (year && make ? { facet: 'model', year, make } : null), model),
  ]
}

export const fitmentsOf = (port: VehicleReads): Question =>
  question({
    operation: 'fitments',
    ask({ skus: [sku] }) {
      if (!port.fitments) return noVehicles
      return sku === undefined ? noSku : (call) => port.fitments!(sku, { limit: 20, offset: 0 }, call)
    },
  })
