import Type from 'typebox'
import { Pagination } from '../pagination.ts'
import { Nullable } from '../schema-parts.ts'
import { SectionErrors } from '../section-error-entry.ts'
import { ProductListItem } from './product.ts'
import { searchMembers } from './search-members.ts'
import { VehicleSchema } from './vehicle.ts'
import { FitmentSchema } from './vehicle-fitment.ts'

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
