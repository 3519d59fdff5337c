import type { SharedValueWriter } from '../../search/columns/shared-values.ts'
import type { MirrorStatements } from '../write/mirror-statements.ts'
import { type MakeAndModelKeys, toMakeAndModelWords } from './make-and-model-keys.ts'

const MAX_VEHICLES = 200_000

/** Returns the words of the makes and models of vehicles, as ids of shared values, each once. */
export interface VehicleWordReader {
  wordsOf(vehicleIds: readonly number[]): number[]
  /** Forgets a vehicle that has changed. */
  forget(vehicleId: number): void
}

/** Vehicles come before the products that refer to them, so that they can be kept in memory. */
export function createVehicleWordReader({ vehicle }: MirrorStatements, { idOf }: SharedValueWriter): VehicleWordReader {
  const known = new Map<number, number>()

  function wordOf(id: number): number | undefined {
    const keys = vehicle.get(id) as MakeAndModelKeys | undefined
    const word = keys && idOf(toMakeAndModelWords(keys))
    if (known.size >= MAX_VEHICLES) known.clear()
    if (word !== undefined) known.set(id, word)
    return word
  }

  return {
    wordsOf(vehicleIds) {
      const words = new Set<number>()
      for (const id of vehicleIds) {
        const word = known.get(id) ?? wordOf(id)
        if (word !== undefined) words.add(word)
      }
      return [...words]
    },
    forget: (vehicleId) => void known.delete(vehicleId),
  }
}
