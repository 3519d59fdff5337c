import type { FitmentPort } from '../../ports/fitment.ts'
import { defineProbe, type OperationProbe } from '../operation-probe.ts'
import { missingVehicle, skuFitmentsProbe, vehicleFacetProbes } from './vehicle-probes.ts'

/** Every read of a source of vehicle fitment that stands beside the inventory. */
export const fitmentProbes = (port: FitmentPort): OperationProbe[] => [
  ...vehicleFacetProbes(port),
  defineProbe({
    operation: 'vehicle',
    prepare: ({ vehicleId }) => (vehicleId === undefined ? missingVehicle : (call) => port.vehicle(vehicleId, call)),
  }),
  skuFitmentsProbe(port),
]
