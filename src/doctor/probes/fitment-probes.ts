import type { FitmentPort } from '../../ports/fitment.ts'
import { type Question, question } from '../operation-probe.ts'
import { facets, fitmentsOf, noVehicle } from './vehicle-probes.ts'

/** Every read of a source of vehicle fitment that stands beside the inventory. */
export const fitmentQuestions = (port: FitmentPort): Question[] => [
  ...facets(port),
  question({
    operation: 'vehicle',
    ask: ({ vehicleId }) => (vehicleId === undefined ? noVehicle : (call) => port.vehicle(vehicleId, call)),
  }),
  fitmentsOf(port),
]
