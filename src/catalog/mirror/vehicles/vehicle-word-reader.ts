import type { SharedValueWriter } from '../../search/columns/shared-values.ts'
import type { MirrorStatements } from '../write/mirror-statements.ts'
import { type MakeAndModelKeys, toVehicleNameWords } from './make-and-model-keys.ts'

const MAX_VEHICLES = 200_000
const NONE: readonly number[] = []

/** Returns the words of the makes, models and years of vehicles, as ids of shared values, each once. */
export interface VehicleWordReader {
  wordsOf(vehicleIds: readonly number[]): number[]
  /** Forgets a vehicle that has changed. */
  forget(vehicleId: number): void
}

/** Vehicles come before the products that refer to them, so that they can be kept in memory. */
export function createVehicleWordReader({ vehicle }: MirrorStatements, { idOf }: SharedValueWriter): VehicleWordReader {
  const known = new Map<number, readonly number[]>()

  function readWords(id: number): readonly number[] {
    const keys = vehicle.get(id) as (MakeAndModelKeys & { year: number }) | undefined
    if (!keys) return NONE
    const words = toVehicleNameWords(keys).map((list) => idOf(list))
    if (known.size >= MAX_VEHICLES) known.clear()
    known.set(id, words)
    return words
  }

  return {
    wordsOf(vehicleIds) {
      const words = new Set<number>()
      for (const id of vehicleIds) for (const word of known.get(id) ?? readWords(id)) words.add(word)
      return [...words]
    },
    forget: (vehicleId) => void known.delete(vehicleId),
  }
}
