import type { FitmentPort } from '../../ports/fitment.ts'
import type { VehicleFacetQuery } from '../../ports/vehicle.ts'
import { defineProbe, type OperationProbe, type ProbeInputs, type SkippedProbe } from '../operation-probe.ts'
import { missingInput } from '../skipped-probes.ts'

/** The operations that inventory ports and fitment ports share. */
export type VehiclePort = Partial<Pick<FitmentPort, 'vehicleFacet' | 'fitments'>>

export const vehiclesNotOffered: SkippedProbe = {
  result: 'not offered',
  finding: 'the adapter does not read vehicles from this system',
  remedy: 'Import vehicles from a file, or set fitment in the configuration to another system',
}
export const missingVehicle = missingInput('vehicle', 'Add vehicles, and products that fit them, to the system')
export const missingSku = missingInput('SKU', 'Fix search first')

type FacetValue = { value: string; vehicle_id?: number }

/** Finds a vehicle as a shopper does: year, make, model. */
export function vehicleFacetProbes(port: VehiclePort): OperationProbe[] {
  const facet = (
    level: VehicleFacetQuery['facet'],
    query: (inputs: ProbeInputs) => VehicleFacetQuery | null,
    learn: (value: FacetValue, inputs: ProbeInputs) => void,
  ) =>
    defineProbe({
      operation: `vehicleFacet (${level})`,
      prepare(inputs) {
        if (!port.vehicleFacet) return vehiclesNotOffered
        const facetQuery = query(inputs)
        return facetQuery === null ? missingVehicle : (call) => port.vehicleFacet!(facetQuery, call)
      },
      learn: ([first], inputs) => first && learn(first, inputs),
    })
  const year = ({ value }: FacetValue, inputs: ProbeInputs) => Object.assign(inputs, { year: Number(value) })
  const make = ({ value }: FacetValue, inputs: ProbeInputs) => Object.assign(inputs, { make: value })
  const model = ({ vehicle_id: vehicleId }: FacetValue, inputs: ProbeInputs) => Object.assign(inputs, { vehicleId })
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

/** A probe for every operation of a fitment port. */
export const fitmentProbes = (port: FitmentPort): OperationProbe[] => [
  ...vehicleFacetProbes(port),
  defineProbe({
    operation: 'vehicle',
    prepare: ({ vehicleId }) => (vehicleId === undefined ? missingVehicle : (call) => port.vehicle(vehicleId, call)),
  }),
  skuFitmentsProbe(port),
]
