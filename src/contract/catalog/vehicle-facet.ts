import Type from 'typebox'
import { Nullable } from '../schema-parts.ts'
import { SectionErrors } from '../section-error-entry.ts'

const VehicleVariant = Type.Object(
  {
    vehicle_id: Type.Integer(),
    submodel: Nullable(Type.String()),
    engine: Nullable(Type.String()),
    market: Nullable(Type.String()),
  },
  { $id: 'VehicleVariant' },
)
const VehicleFacetValue = Type.Object(
  {
    value: Type.String(),
    label: Type.String(),
    count: Type.Integer({ minimum: 0 }),
    vehicle_id: Type.Optional(Type.Integer()),
    variants: Type.Optional(Type.Array(VehicleVariant)),
  },
  { $id: 'VehicleFacetValue' },
)

export const VehicleFacet = Type.Object(
  {
    facet: Type.Enum(['year', 'make', 'model'], { $id: 'VehicleFacetName' }),
    market: Nullable(Type.String()),
    data: Type.Array(VehicleFacetValue),
    errors: SectionErrors,
  },
  { $id: 'VehicleFacet' },
)
