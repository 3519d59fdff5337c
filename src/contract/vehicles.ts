import Type from 'typebox'
import { Pagination } from './pagination.ts'
import { SectionErrors } from './problem.ts'
import { ProductListItem } from './product.ts'
import { Nullable } from './schema-parts.ts'

export const VehicleFacet = Type.Object(
  {
    facet: Type.Enum(['year', 'make', 'model']),
    market: Nullable(Type.String()),
    data: Type.Array(
      Type.Object({
        value: Type.String(),
        label: Type.String(),
        count: Type.Integer({ minimum: 0 }),
        vehicle_id: Type.Optional(Type.Integer()),
        variants: Type.Optional(
          Type.Array(
            Type.Object({
              vehicle_id: Type.Integer(),
              submodel: Nullable(Type.String()),
              engine: Nullable(Type.String()),
            }),
          ),
        ),
      }),
    ),
    errors: SectionErrors,
  },
  { $id: 'VehicleFacet' },
)

const vehicle = {
  vehicle_id: Type.Integer(),
  year: Type.Integer(),
  make: Type.String(),
  model: Type.String(),
  submodel: Nullable(Type.String()),
  engine: Nullable(Type.String()),
  market: Type.String(),
}
export const VehicleSchema = Type.Object(vehicle, { $id: 'Vehicle' })

const fitment = {
  positions: Type.Array(Type.String()),
  quantity: Nullable(Type.Number()),
  notes: Nullable(Type.String()),
  qualifiers: Type.Array(Type.Object({ code: Type.String(), text: Type.String() })),
}
const Fitment = Type.Object({ ...fitment, universal: Type.Boolean() }, { $id: 'Fitment' })

export const VehicleProducts = Type.Object(
  {
    vehicle: Nullable(VehicleSchema),
    data: Type.Array(Type.Interface([ProductListItem], { fitment: Fitment })),
    pagination: Pagination,
    errors: SectionErrors,
  },
  { $id: 'VehicleProducts' },
)

export const ProductFitments = Type.Object(
  {
    sku: Type.String(),
    universal: Type.Boolean(),
    data: Type.Array(Type.Object({ ...vehicle, ...fitment })),
    pagination: Pagination,
    errors: SectionErrors,
  },
  { $id: 'ProductFitments' },
)
