import Type from 'typebox'
import { Nullable } from '../schema-parts.ts'

export const vehicleMembers = {
  vehicle_id: Type.Integer(),
  year: Type.Integer(),
  make: Type.String(),
  model: Type.String(),
  submodel: Nullable(Type.String()),
  engine: Nullable(Type.String()),
  market: Type.String(),
}

export const VehicleSchema = Type.Object(vehicleMembers, { $id: 'Vehicle' })
