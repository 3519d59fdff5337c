import { hash } from 'node:crypto'
import { CsvFieldError, MAX_GIVEN_VEHICLE_ID } from './csv-fields.ts'
import { type NamedVehicle, vehicleKey, vehicleName } from './vehicle-key.ts'

export interface RegisteredVehicle extends NamedVehicle {
  vehicle_id: number
  key: string
  name: string
  /** From 1, in the order of the file. */
  index: number
  line: number
  hasGivenId: boolean
}

/** Ids that are given here are above all that a file may give, and fit 31 bits. */
const FIRST_OWN_ID = MAX_GIVEN_VEHICLE_ID + 1
const OWN_IDS = 2 ** 31 - FIRST_OWN_ID

/** The vehicles of one import. `known`: the ids that were given before, and the keys of their vehicles. */
export interface VehicleRegistry {
  /** Throws FieldMistake: the file contradicts itself. */
  register(vehicle: NamedVehicle, givenId: number | null, line: number): RegisteredVehicle
  vehicles(): IterableIterator<RegisteredVehicle>
}

export function createVehicleRegistry(known: Iterable<readonly [number, string]>): VehicleRegistry {
  const owners = new Map<number, string>()
  const ownIds = new Map<string, number>()
  for (const [id, key] of known) {
    if (id < FIRST_OWN_ID) continue
    owners.set(id, key)
    ownIds.set(key, id)
  }
  const byKey = new Map<string, RegisteredVehicle>()
  const byGivenId = new Map<number, RegisteredVehicle>()

  /** From the key alone, so that another store gives the same; what is taken is stepped over. */
  function ownId(key: string): number {
    const before = ownIds.get(key)
    if (before !== undefined) return before
    let id = FIRST_OWN_ID + (Number.parseInt(hash('sha256', key, 'hex').slice(0, 12), 16) % OWN_IDS)
    while (owners.has(id)) id = id === FIRST_OWN_ID + OWN_IDS - 1 ? FIRST_OWN_ID : id + 1
    owners.set(id, key)
    ownIds.set(key, id)
    return id
  }

  return {
    register(vehicle, givenId, line) {
      const key = vehicleKey(vehicle)
      const other = givenId === null ? undefined : byGivenId.get(givenId)
      if (other && other.key !== key)
        throw new CsvFieldError(`vehicle_id ${givenId} is ${other.name} on line ${other.line}`)
      const booked = byKey.get(key)
      if (booked) {
        if ((booked.hasGivenId ? booked.vehicle_id : null) !== givenId)
          throw new CsvFieldError(
            `${vehicleName(vehicle)} has ${givenId === null ? 'no vehicle_id' : `vehicle_id ${givenId}`} here, and ${booked.hasGivenId ? booked.vehicle_id : 'none'} on line ${booked.line}`,
          )
        return booked
      }
      const given = givenId !== null
      const made = {
        ...vehicle,
        key,
        name: vehicleName(vehicle),
        line,
        hasGivenId: given,
        vehicle_id: givenId ?? ownId(key),
        index: byKey.size + 1,
      }
      byKey.set(key, made)
      if (given) byGivenId.set(givenId, made)
      return made
    },
    vehicles: () => byKey.values(),
  }
}
