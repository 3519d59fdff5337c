import Type from 'typebox'
import { Pagination } from './pagination.ts'
import { ProductListItem } from './product.ts'
import { Nullable } from './schema-parts.ts'
import { searchMembers } from './search.ts'
import { SectionErrors } from './section-error-entry.ts'
import { VehicleSchema, vehicleMembers } from './vehicle.ts'
import { FitmentSchema, fitmentMembers } from './vehicle-fitment.ts'

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

export const VehicleProducts = Type.Object(
  {
    vehicle: Nullable(VehicleSchema),
    data: Type.Array(
      Type.Interface(
        [ProductListItem],
        { fitment: Nullable(FitmentSchema, { description: 'null: not known' }) },
        { $id: 'VehicleProduct' },
      ),
    ),
    pagination: Pagination,
    ...searchMembers,
    errors: SectionErrors,
  },
  { $id: 'VehicleProducts' },
)

export const ProductFitments = Type.Object(
  {
    sku: Type.String(),
    universal: Type.Boolean(),
    data: Type.Array(Type.Object({ ...vehicleMembers, ...fitmentMembers }, { $id: 'FittedVehicle' })),
    pagination: Pagination,
    errors: SectionErrors,
  },
  { $id: 'ProductFitments' },
)
