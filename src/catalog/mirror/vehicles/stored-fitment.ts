import type { Fitment } from '../../../ports/vehicle.ts'
import type { SharedValueWriter } from '../../search/columns/shared-values.ts'
import type { MirrorRow } from '../file/mirror-row.ts'
import type { MirrorStatements } from '../write/mirror-statements.ts'
import { toVehicleNames, type VehicleKeys } from './vehicle-keys.ts'

/** The fitment of a product as the file has it, with numbers of shared values instead of details. */
export interface Fits {
  /** 0: none. */
  universalDetails: number
  runs: readonly (readonly number[])[]
}

export const NO_FITS: Fits = { universalDetails: 0, runs: [] }
/** Vehicles without details. */
const NO_FIT_DETAILS = 0
const MAX_VEHICLES = 200_000

/** Returns the fitment of a row. */
export function toFits({ fitment, vehicles }: MirrorRow, { numberOf }: SharedValueWriter): Fits {
  if (!fitment) return vehicles.length === 0 ? NO_FITS : { ...NO_FITS, runs: [[NO_FIT_DETAILS, ...vehicles]] }
  const details = fitment.details.map((one: Fitment) => numberOf(one))
  return {
    universalDetails: fitment.universal === null ? NO_FIT_DETAILS : numberOf(fitment.universal),
    runs: fitment.runs.map(([index, ...ids]) => [details[index!]!, ...ids]),
  }
}

/** Returns the names of vehicles as numbers of shared values, each once. */
export interface VehicleNameReader {
  namesOf(vehicleIds: readonly number[]): number[]
  /** Forgets a vehicle that has changed. */
  forget(vehicleId: number): void
}

/** Vehicles come before the products that refer to them, so that they can be kept in memory. */
export function createVehicleNameReader(
  { vehicle }: MirrorStatements,
  { numberOf }: SharedValueWriter,
): VehicleNameReader {
  const known = new Map<number, number>()

  function nameOf(id: number): number | undefined {
    const keys = vehicle.get(id) as VehicleKeys | undefined
    const name = keys && numberOf(toVehicleNames(keys))
    if (known.size >= MAX_VEHICLES) known.clear()
    if (name !== undefined) known.set(id, name)
    return name
  }

  return {
    namesOf(vehicleIds) {
      const names = new Set<number>()
      for (const id of vehicleIds) {
        const name = known.get(id) ?? nameOf(id)
        if (name !== undefined) names.add(name)
      }
      return [...names]
    },
    forget: (vehicleId) => void known.delete(vehicleId),
  }
}
