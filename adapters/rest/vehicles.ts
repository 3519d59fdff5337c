import { type Static, Type } from 'typebox'
import type { FacetValue, Fitment, Vehicle } from '../../src/ports/inventory.ts'
import { clamp, maybe } from './protocol.ts'

const TEXT = 2_000

export const VehicleRow = Type.Object({
  vehicle_id: Type.Integer(),
  year: Type.Integer(),
  make: Type.String(),
  model: Type.String(),
  submodel: maybe(Type.String()),
  engine: maybe(Type.String()),
  market: Type.String(),
})

export const FitmentRow = Type.Object({
  positions: Type.Optional(Type.Array(Type.String())),
  quantity: maybe(Type.Number()),
  notes: maybe(Type.String()),
  qualifiers: Type.Optional(Type.Array(Type.Object({ code: Type.String(), text: Type.String() }))),
})

export const FacetRow = Type.Object({
  value: Type.String(),
  label: Type.Optional(Type.String()),
  count: Type.Integer(),
  vehicle_id: Type.Optional(Type.Integer()),
  variants: Type.Optional(
    Type.Array(
      Type.Object({ vehicle_id: Type.Integer(), submodel: maybe(Type.String()), engine: maybe(Type.String()) }),
    ),
  ),
})

export function vehicleOf(row: Static<typeof VehicleRow>): Vehicle {
  const { vehicle_id, year, make, model, submodel = null, engine = null, market } = row
  return { vehicle_id, year, make, model, submodel, engine, market }
}

export function fitmentOf({
  positions = [],
  quantity = null,
  notes,
  qualifiers = [],
}: Static<typeof FitmentRow>): Fitment {
  const known = qualifiers.map(({ code, text }) => ({ code, text }))
  return { positions, quantity, notes: clamp(notes, TEXT), qualifiers: known }
}

export function facetOf({ value, label = value, count, vehicle_id, variants }: Static<typeof FacetRow>): FacetValue {
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
      })),
    }),
  }
}
