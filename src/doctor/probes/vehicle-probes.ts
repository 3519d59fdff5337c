import type { FitmentPort } from '../../ports/fitment.ts'
import type { VehicleFacetQuery } from '../../ports/inventory.ts'
import {
  defineProbe,
  missingInput,
  type OperationProbe,
  type ProbeInputs,
  type SkippedProbe,
} from '../operation-probe.ts'

/** What inventories and sources of fitment have in common. */
export type VehiclePort = Partial<Pick<FitmentPort, 'vehicleFacet' | 'fitments'>>

export const vehiclesNotOffered: SkippedProbe = {
  result: 'not offered',
  finding: 'the adapter has no vehicles for this system',
  remedy: 'They may come from a file, or from another system: fitment in the configuration',
}
export const missingVehicle = missingInput('vehicle', 'Give the system vehicles, and products that fit them')
export const missingSku = missingInput('SKU', 'Mend search first')

type Learned = { value: string; vehicle_id?: number }

/** A vehicle is found as a shopper finds one: year, make, model. */
export function vehicleFacetProbes(port: VehiclePort): OperationProbe[] {
  const facet = (
    level: VehicleFacetQuery['facet'],
    query: (known: ProbeInputs) => VehicleFacetQuery | null,
    learn: (value: Learned, known: ProbeInputs) => void,
  ) =>
    defineProbe({
      operation: `vehicleFacet (${level})`,
      prepare(known) {
        if (!port.vehicleFacet) return vehiclesNotOffered
        const asked = query(known)
        return asked === null ? missingVehicle : (call) => port.vehicleFacet!(asked, call)
      },
      learn: ([first], known) => first && learn(first, known),
    })
  const year = ({ value }: Learned, known: ProbeInputs) => Object.assign(known, { year: Number(value) })
  const make = ({ value }: Learned, known: ProbeInputs) => Object.assign(known, { make: value })
  const model = ({ vehicle_id: vehicleId }: Learned, known: ProbeInputs) => Object.assign(known, { vehicleId })
  return [
    facet('year', () => ({ facet: 'year' }), year),
    facet('make', ({ year }) => (year === undefined ? null : { facet: 'make', year }), make),
    facet('model', ({ year, make }) => (year && make ? { facet: 'model', year, make } : null), model),
  ]
}

export const skuFitmentsProbe = (port: VehiclePort): OperationProbe =>
  defineProbe({
    operation: 'fitments',
    prepare({ skus: [sku] }) {
      if (!port.fitments) return vehiclesNotOffered
      return sku === undefined ? missingSku : (call) => port.fitments!(sku, { limit: 20, offset: 0 }, call)
    },
  })
