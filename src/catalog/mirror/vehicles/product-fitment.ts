import { hash } from 'node:crypto'
import type { Fitment } from '../../../ports/sku-fitments.ts'
import type { Vehicle } from '../../../ports/vehicle.ts'
import { toMakeOrModelKey } from './make-and-model-keys.ts'

/** The vehicles that a product fits. Most of them share their details with others: a part of 20,000 vehicles takes some 100 KB. */
export interface ProductFitment {
  /** The details of a universal part; `null`: it is not universal. */
  universal: Fitment | null
  details: Fitment[]
  /** Vehicles in the order of their source, in runs: the index of their details, then their ids. */
  runs: number[][]
  /** Changes when a vehicle gets another make, model or year, so that the words of the product are indexed again. */
  names: string
}

/** A vehicle that a product fits. */
export type FittedVehicle = Pick<Vehicle, 'vehicle_id' | 'year' | 'make' | 'model'> & { fitment: Fitment }

/** The fitment of a part that fits all vehicles, if its source has no details. */
export const NO_DETAILS: Fitment = { positions: [], quantity: null, notes: null, qualifiers: [] }

/** Returns the fitment of a product. Vehicles are unique. */
export function toProductFitment(universal: Fitment | null, vehicles: Iterable<FittedVehicle>): ProductFitment {
  const indexes = new Map<string, number>()
  const names = new Set<string>()
  const runs: number[][] = []
  for (const { vehicle_id, year, make, model, fitment } of vehicles) {
    const details = JSON.stringify(pickDetails(fitment))
    const index = indexes.get(details) ?? indexes.size
    indexes.set(details, index)
    names.add(`${toMakeOrModelKey(make)} ${toMakeOrModelKey(model)} ${year}`)
    if (runs.at(-1)?.[0] === index) runs.at(-1)!.push(vehicle_id)
    else runs.push([index, vehicle_id])
  }
  return {
    universal: universal && pickDetails(universal),
    details: [...indexes.keys()].map((details) => JSON.parse(details) as Fitment),
    runs,
    names: hash('sha1', [...names].sort().join('\n'), 'base64').slice(0, 8),
  }
}

const pickDetails = ({ positions, quantity, notes, qualifiers }: Fitment): Fitment => ({
  positions,
  quantity,
  notes,
  qualifiers: qualifiers.map(({ code, text }) => ({ code, text })),
})

/** Returns the ids of the vehicles of runs, in their order. */
export const vehiclesOfRuns = (runs: readonly (readonly number[])[]): number[] => runs.flatMap((run) => run.slice(1))
