import Type from 'typebox'
import { createNotFound } from '../errors.ts'

/**
 * Ids that no back office has are treated as unknown without a call: a system that rejects one would reject the other ids of the
 * same call, too. `.` and `..` would be steps in a path.
 */
const isPathSegment = (id: string): boolean => id.length >= 1 && id.length <= 128 && id !== '.' && id !== '..'

const MAX_VEHICLE_ID = 2 ** 31 - 1

export const SkuParams = Type.Object({ sku: Type.String() })

export const isValidSku = isPathSegment

export const isValidVehicleId = (vehicleId: number): boolean => vehicleId >= 0 && vehicleId <= MAX_VEHICLE_ID

/** Throws `not_found` for the id of an order or an invoice that the accounting system cannot have. */
export function assertValidId(id: string, kind: 'order' | 'invoice'): void {
  if (!isPathSegment(id)) throw createNotFound(kind)
}
