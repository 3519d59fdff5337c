import { type Static, Type } from 'typebox'
import type { Vehicle, VehicleFacetValue } from '../../src/ports/vehicle.ts'
import { nullish } from './protocol-values.ts'

export const VehicleRow = Type.Object({
  vehicle_id: Type.Integer(),
  year: Type.Integer(),
  make: Type.String(),
  model: Type.String(),
  submodel: nullish(Type.String()),
  engine: nullish(Type.String()),
  market: Type.String(),
})

export const FacetRow = Type.Object({
  value: Type.String(),
  label: Type.Optional(Type.String()),
  count: Type.Integer(),
  vehicle_id: Type.Optional(Type.Integer()),
  variants: Type.Optional(
    Type.Array(
      Type.Object({
        vehicle_id: Type.Integer(),
        submodel: nullish(Type.String()),
        engine: nullish(Type.String()),
        market: nullish(Type.String()),
      }),
    ),
  ),
})

export function toVehicle(row: Static<typeof VehicleRow>): Vehicle {
  const { vehicle_id, year, make, model, submodel = null, engine = null, market } = row
  return { vehicle_id, year, make, model, submodel, engine, market }
}

export function toFacetValue({
  value,
  label = value,
  count,
  vehicle_id,
  variants,
}: Static<typeof FacetRow>): VehicleFacetValue {
  return {
    value,
    label,
    count,
    ...(vehicle_id !== undefined && { vehicle_id }),
    ...(variants && {
      variants: variants.map((row) => ({
        vehicle_id: row.vehicle_id,
        submodel: row.submodel ?? null,
        engine: row.engine ?? null,
        market: row.market ?? null,
      })),
    }),
  }
}
