import { hash } from 'node:crypto'
import { ImportFieldError } from '../imports/import-errors.ts'
import { MAX_GIVEN_VEHICLE_ID } from './csv-fields.ts'
import { type NamedVehicle, vehicleKey, vehicleName } from './vehicle-key.ts'

export interface RegisteredVehicle extends NamedVehicle {
  vehicle_id: number
  key: string
  name: string
  /** The position in the file, from 1. */
  index: number
  line: number
  hasGivenId: boolean
}

/** Generated ids are above all ids that a file may contain, and fit 31 bits. */
const FIRST_GENERATED_ID = MAX_GIVEN_VEHICLE_ID + 1
const GENERATED_ID_COUNT = 2 ** 31 - FIRST_GENERATED_ID

/** The vehicles of one import. */
export interface VehicleRegistry {
  /** Registers a vehicle, or returns the registered one. Throws ImportFieldError when the file contradicts itself. */
  register(vehicle: NamedVehicle, givenId: number | null, line: number): RegisteredVehicle
  vehicles(): IterableIterator<RegisteredVehicle>
}

/** `knownVehicles`: the ids of earlier imports, and the keys of their vehicles. */
export function createVehicleRegistry(knownVehicles: Iterable<readonly [number, string]>): VehicleRegistry {
  const keysById = new Map<number, string>()
  const generatedIds = new Map<string, number>()
  for (const [id, key] of knownVehicles) {
    if (id < FIRST_GENERATED_ID) continue
    keysById.set(id, key)
    generatedIds.set(key, id)
  }
  const byKey = new Map<string, RegisteredVehicle>()
  const byGivenId = new Map<number, RegisteredVehicle>()

  /** Derives an id from the key, so that another store generates the same one. Skips ids in use. */
  function generateId(key: string): number {
    const existingId = generatedIds.get(key)
    if (existingId !== undefined) return existingId
    let id = FIRST_GENERATED_ID + (Number.parseInt(hash('sha256', key, 'hex').slice(0, 12), 16) % GENERATED_ID_COUNT)
    while (keysById.has(id)) id = id === FIRST_GENERATED_ID + GENERATED_ID_COUNT - 1 ? FIRST_GENERATED_ID : id + 1
    keysById.set(id, key)
    generatedIds.set(key, id)
    return id
  }

  return {
    register(vehicle, givenId, line) {
      const key = vehicleKey(vehicle)
      const holder = givenId === null ? undefined : byGivenId.get(givenId)
      if (holder && holder.key !== key)
        throw new ImportFieldError(`vehicle_id ${givenId} is ${holder.name} on line ${holder.line}`)
      const registered = byKey.get(key)
      if (registered) {
        if ((registered.hasGivenId ? registered.vehicle_id : null) !== givenId)
          throw new ImportFieldError(
            `${vehicleName(vehicle)} has ${givenId === null ? 'no vehicle_id' : `vehicle_id ${givenId}`} here, but ${registered.hasGivenId ? registered.vehicle_id : 'none'} on line ${registered.line}`,
          )
        return registered
      }
      const hasGivenId = givenId !== null
      const created = {
        ...vehicle,
        key,
        name: vehicleName(vehicle),
        line,
        hasGivenId,
        vehicle_id: givenId ?? generateId(key),
        index: byKey.size + 1,
      }
      byKey.set(key, created)
      if (hasGivenId) byGivenId.set(givenId, created)
      return created
    },
    vehicles: () => byKey.values(),
  }
}
